"""The embedded server with real processes: shared, killed, restarted, and never left behind."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import tempfile
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg
import pytest

from deploy.embedded import BusyError, EmbeddedServer, HomeError, binaries
from deploy.embedded.locks import FileLock
from tests.crash.clients import Client, postmaster, ready, runs, server_runs, usable_python, wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.crash

IS_ROOT = os.geteuid() == 0
STOP_S = 15.0


@pytest.fixture
def place() -> Iterator[Path]:
    """A directory that every user may enter."""
    with tempfile.TemporaryDirectory(prefix="crash-", dir="/tmp") as directory:
        Path(directory).chmod(0o755)
        yield Path(directory)


@pytest.fixture
def home(place: Path) -> Iterator[Path]:
    """A home to be created, whose server must have ended when the test has."""
    yield place / "home"
    wait_until(lambda: not server_runs(place / "home"), STOP_S, "the server of the home has ended")


class TestSharing:
    def test_the_last_to_leave_stops_it(self, home: Path) -> None:
        first = ready(home)
        second = ready(home)
        assert first.facts["started"] == second.facts["started"]
        first.leave()
        assert second.order("save")["events"] == 1
        second.leave()
        assert postmaster(home) is None, "it has ended in order before the last one left"

    def test_it_does_not_matter_who_started_it(self, home: Path) -> None:
        first = ready(home)
        second = ready(home)
        second.leave()
        assert first.order("save")["events"] == 1
        first.leave()
        assert postmaster(home) is None

    def test_two_that_start_on_an_empty_home_share_one_server(self, home: Path) -> None:
        clients = [Client(home) for _ in range(3)]
        assert len({client.hear()["started"] for client in clients}) == 1
        for client in clients:
            client.leave()
        assert postmaster(home) is None

    def test_coming_and_going_at_once(self, home: Path) -> None:
        """Whoever has acquired it has a server that answers, however often others leave and stop it."""
        failures: list[Exception] = []

        def come_and_go() -> None:
            try:
                for _ in range(6):
                    with EmbeddedServer(home) as server, psycopg.connect(server.database_url) as conn:
                        conn.execute("SELECT 1")
            except Exception as error:
                failures.append(error)

        threads = [threading.Thread(target=come_and_go) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(120)
        assert failures == []
        assert postmaster(home) is None

    def test_secrets_are_for_the_owner_alone(self, home: Path) -> None:
        client = ready(home)
        assert [path.stat().st_mode & 0o777 for path in sorted(home.glob("*.password"))] == [0o600, 0o600]
        assert os.path.realpath(home / "socket") in client.facts["url"].replace("%2F", "/")
        assert (home / "socket").stat().st_mode & 0o777 == 0o700
        assert (home / "pg").stat().st_mode & 0o777 == 0o700
        assert (home / "pg").stat().st_uid != 0
        client.leave()


class TestKilled:
    def test_a_killed_user_leaves_no_server_behind(self, home: Path) -> None:
        client = ready(home)
        client.order("save")
        client.kill()
        wait_until(lambda: postmaster(home) is None, STOP_S, "the keeper has stopped the server in order")
        again = ready(home)
        assert again.facts["events"] == 1
        again.leave()

    def test_a_killed_starter_does_not_take_it_along(self, home: Path) -> None:
        starter = ready(home)
        other = ready(home)
        starter.kill()
        assert other.order("save")["events"] == 1
        assert other.facts["started"] == starter.facts["started"]
        other.leave()

    def test_a_killed_server_is_started_again_by_any_user(self, home: Path) -> None:
        starter, other = ready(home), ready(home)
        other.order("save")
        kill_server(home)
        assert other.order("ensure")["started_it"] is True
        assert other.facts["started"] != starter.facts["started"]
        assert starter.order("ensure")["started_it"] is False
        assert starter.facts["events"] == 1, "what was committed has survived"
        starter.leave()
        other.leave()
        assert postmaster(home) is None

    def test_everything_killed_at_once_starts_again(self, home: Path) -> None:
        client = ready(home)
        client.order("save")
        kill_server(home)
        client.kill()
        assert postmaster(home) is not None, "a stale pid file is left"
        again = ready(home)
        assert again.facts["events"] == 1
        again.leave()

    def test_a_pid_that_has_been_given_to_somebody_else(self, place: Path) -> None:
        client, home = ordinary(place)
        client.order("save")
        kill_server(home)
        pid_file = home / "pg" / "postmaster.pid"
        rest = pid_file.read_text("ascii").split("\n", 1)[1]
        pid_file.write_text(f"{client.process.pid}\n{rest}", "ascii")
        assert client.order("ensure")["started_it"] is True
        assert client.facts["events"] == 1
        client.leave()

    def test_data_of_another_major_version_are_refused_at_once(self, home: Path) -> None:
        ready(home).leave()
        (home / "pg" / "PG_VERSION").write_text("9\n", "ascii")
        with pytest.raises(HomeError, match="made by PostgreSQL 9"):
            EmbeddedServer(home).acquire()

    def test_many_threads_restart_it_once(self, home: Path) -> None:
        with EmbeddedServer(home) as server:
            kill_server(home)
            outcomes: list[bool] = []
            threads = [threading.Thread(target=lambda: outcomes.append(server.ensure_running())) for _ in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join(90)
        assert sorted(outcomes) == [False, False, False, True]

    def test_a_start_cut_short_is_made_good(self, home: Path) -> None:
        client = Client(home)
        wait_until(lambda: any(home.glob("initdb-*/pg")) or (home / "pg").exists(), 30, "initdb has begun")
        client.kill()
        again = ready(home)
        assert again.order("save")["events"] == 1
        again.leave()


class TestSignals:
    @pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
    def test_it_ends_within_ten_seconds(self, home: Path, number: signal.Signals) -> None:
        client = ready(home)
        assert client.end(number) < 10
        assert postmaster(home) is None

    def test_an_interrupted_group_does_not_take_the_server_along(self, home: Path) -> None:
        starter, other = ready(home), ready(home)
        os.killpg(starter.process.pid, signal.SIGINT)
        starter.process.wait(30)
        assert other.order("ensure")["started_it"] is False
        other.leave()


class TestInheritance:
    def test_a_forked_copy_does_not_hold_the_home(self, home: Path) -> None:
        client = ready(home)
        child = client.order("fork")["child"]
        client.leave()
        assert postmaster(home) is None
        assert runs(child)
        os.kill(child, signal.SIGKILL)

    def test_a_started_program_does_not_hold_the_home(self, home: Path) -> None:
        client = ready(home)
        child = client.order("child")["child"]
        client.kill()
        wait_until(lambda: postmaster(home) is None, STOP_S, "the keeper has stopped the server")
        assert runs(child)
        os.kill(child, signal.SIGKILL)


class TestPlaces:
    def test_a_long_path(self, place: Path) -> None:
        home = place / ("long-" * 20) / ("path-" * 20)
        client = ready(home)
        assert client.order("save")["events"] == 1
        socket = Path(os.path.realpath(home / "socket"))
        assert len(str(socket)) < 60
        assert socket.stat().st_mode & 0o777 == 0o700
        client.leave()
        again = ready(home)
        assert again.facts["url"] == client.facts["url"], "the address survives a restart"
        again.leave()

    def test_a_path_that_addresses_cannot_carry(self, place: Path) -> None:
        home = place / "a home, with 'odd' characters%"
        client = ready(home)
        assert client.order("save")["events"] == 1
        client.leave()

    def test_a_home_that_the_servers_user_may_not_enter(self, place: Path) -> None:
        closed = place / "closed"
        closed.mkdir(0o700)
        home = closed / "home"
        client = ready(home)
        assert client.order("save")["events"] == 1
        client.leave()
        assert postmaster(home) is None
        again = ready(home)
        assert again.facts["events"] == 1
        again.leave()
        shutil.rmtree(os.path.realpath(home / "ground"), ignore_errors=True)

    def test_programs_that_the_servers_user_may_not_run(self, place: Path) -> None:
        closed = place / "closed"
        closed.mkdir(0o700)
        package = binaries.shipped().parent.parent
        for part in (package, package.with_name(package.name + ".libs")):
            shutil.copytree(part, closed / part.name)
        with EmbeddedServer(place / "home", programs=closed / package.name / "pginstall" / "bin") as server:
            with psycopg.connect(server.database_url) as conn:
                assert conn.execute("SELECT count(*) FROM pitclerk_events").fetchone() == (0,)
            assert not IS_ROOT or list((place / "home").glob("server-*"))

    def test_an_ordinary_user(self, place: Path) -> None:
        client, home = ordinary(place)
        assert client.order("save")["events"] == 1
        beside = ready(home)  # root, or the same user, may join
        assert beside.facts["started"] == client.facts["started"]
        client.leave()
        beside.leave()
        assert postmaster(home) is None
        assert len({path.lstat().st_uid for path in (home, *home.iterdir())}) == 1, "all of it stays its owner's"

    def test_another_users_home_is_refused(self, place: Path) -> None:
        (place / "file").write_text("not a directory")
        with pytest.raises(HomeError):
            EmbeddedServer(place / "file" / "home").acquire()


def test_a_lock_is_waited_for_as_long_as_asked(place: Path) -> None:
    held, wanted = FileLock(place / "lock"), FileLock(place / "lock")
    held.lock(1)
    started = time.monotonic()
    with pytest.raises(BusyError):
        wanted.lock(0.3)
    assert 0.3 <= time.monotonic() - started < 2
    held.close()
    wanted.lock(1)
    wanted.close()


def ordinary(place: Path) -> tuple[Client, Path]:
    """Start a client as an ordinary user on a home of that user's."""
    user = pwd.getpwnam("nobody") if IS_ROOT else pwd.getpwuid(os.geteuid())
    home = place / "theirs"
    home.mkdir(0o700)
    if not IS_ROOT:
        return ready(home), home
    os.chown(home, user.pw_uid, user.pw_gid)
    lend = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
    return ready(home, python=usable_python(user.pw_uid), lend=lend), home


def kill_server(home: Path) -> None:
    """Kill the postmaster without warning and wait until it is gone."""
    pid = postmaster(home)
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    wait_until(lambda: not runs(pid), 10, "the killed postmaster is gone")
