"""The explanation of a lowered meter named who approved it twice, and not who asked for it."""

from functools import partial

import psycopg

from api.simulator.house import ADMIN, FINANCE
from domain.acts import progressive_changes
from domain.application import Application
from domain.commands import AdjustMeter, DecideApproval, StopProgressive
from projections.catch_up import run_until
from projections.reads import jackpot_days, progressives
from tests.cli.test_simulated_jackpots import opened
from tests.databases import Database

LESS = AdjustMeter(level=1, balance="display", amount_u="-5000000", cause="malfunction", reason="counted twice")
YES = DecideApproval(decision="approve")


def test_a_decrease_is_told_with_who_asked_for_it_and_who_agreed(pg: Database) -> None:
    with Application(pg.url, site="test") as application:
        house, one = opened(application, "t"), "sim-EUR"
        house.ask(ADMIN, partial(progressive_changes.stop, progressive_id=one, command=StopProgressive(reason="audit")))
        asked = house.ask(ADMIN, partial(progressive_changes.adjust, progressive_id=one, command=LESS)).body["approval"]
        house.ask(FINANCE, partial(progressive_changes.decide, progressive_id=one, approval=asked, command=YES))
    run_until(pg.url)
    with psycopg.connect(pg.url, autocommit=True) as conn:
        day = jackpot_days.last_day(conn)
        found = jackpot_days.reconciliation(conn, one, day or "")
        life = progressives.progressive(conn, one)
    assert found is not None
    (lowered,) = found.decreases
    assert (lowered.proposer, lowered.approver) == ("sim.admin", "sim.finance")
    assert life is not None
    assert [(record.event, record.proposer) for record in life.changes] == [
        ("proposed", None),
        ("opened", "sim.admin"),
        ("stopped", None),
        ("change_proposed", None),
        ("adjusted", "sim.admin"),
    ]
