"""`pitclerk reconcile --json` broke off on any day that a hit or a transfer lowered a meter."""

from domain.application import Application
from tests.cli.program import pitclerk
from tests.cli.test_simulated_jackpots import opened, royal
from tests.databases import Database


def test_a_lowered_meter_is_told_as_json(pg: Database) -> None:
    with Application(pg.url, site="test") as application:
        house = opened(application, "t")
        house.ask(*royal("t")[:2])
    done = pitclerk("reconcile", "--json", PITCLERK_DATABASE_URL=pg.url, PITCLERK_SITE="test")
    assert done.status == 0, done.err
    (jackpot,) = done.json()["jackpots"]
    (lowered,) = jackpot["decreases"]
    assert lowered["event"] == "jackpot_hit"
    assert lowered["said"]["award"] == 1_000_035
