"""A running progressive: stopped and started by one person, changed by two; its pending hits verified or rejected."""

from api.http.doors import Doors
from domain.acts import hits, progressive_stops
from domain.acts import progressive_changes as changes
from domain.commands import (
    AdjustMeter,
    AnnounceStop,
    ChangeTerms,
    ImposeLimit,
    RegisterOrphans,
    RejectHit,
    RetireProgressive,
    StartProgressive,
    StopProgressive,
    TakeHitStep,
    TransferFunds,
)

_ASKED = (202,)


def mount(doors: Doors) -> None:
    at = "/v1/progressives/{progressive}"
    doors.write(f"{at}/stop", StopProgressive, changes.stop, "Take no more jackpot stakes")
    doors.write(f"{at}/start", StartProgressive, changes.start, "Take jackpot stakes again")
    doors.write(
        f"{at}/limits", ImposeLimit, changes.impose_limit, "Impose a limit at or above the meter", statuses=_ASKED
    )
    doors.write(f"{at}/terms", ChangeTerms, changes.change_terms, "Other rates, while it is stopped", statuses=_ASKED)
    doors.write(f"{at}/adjustments", AdjustMeter, changes.adjust, "Move a balance for a lawful cause", statuses=_ASKED)
    doors.write(f"{at}/transfers", TransferFunds, changes.transfer, "Move a level's funds to another", statuses=_ASKED)
    doors.write(f"{at}/retire", RetireProgressive, changes.retire, "End an empty progressive", statuses=_ASKED)
    doors.write(f"{at}/announcements", AnnounceStop, progressive_stops.announce, "Give notice of a voluntary stop")
    orphans = "Put what is left of one that was stopped for good into the register of orphans"
    doors.write(f"{at}/orphans", RegisterOrphans, changes.register_orphans, orphans, statuses=_ASKED)
    hit = "/v1/jackpots/{jackpot}/hits/{hit}"
    doors.write(f"{hit}/steps", TakeHitStep, hits.step, "One step of a hit's verification")
    doors.write(f"{hit}/reject", RejectHit, hits.reject, "A hit that was none: its meter is put back")
