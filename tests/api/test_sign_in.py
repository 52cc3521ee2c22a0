"""Signing in: who gets a session, how long it lives, and whose forms it believes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import httpx
import psycopg
import pytest

from api.auth import people, sessions
from api.auth.people import Person
from api.pages.sign_in import inside
from tests.api.live import PASSWORD, Live


@pytest.fixture
def client(live: Live) -> Iterator[httpx.Client]:
    with live.client(None) as opened:
        yield opened


def _sign_in(client: httpx.Client, person: str, password: str = PASSWORD, **more: str) -> httpx.Response:
    return client.post("/sign-in", data={"person": person, "password": password, **more})


def test_the_right_password_opens_a_session_that_only_the_browser_can_read(live: Live, client: httpx.Client) -> None:
    live.enter("auditor")
    answer = _sign_in(client, "auditor", next="/settle?example=1")
    assert (answer.status_code, answer.headers["location"]) == (303, "/settle?example=1")
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    page = client.get("/settle")
    assert page.status_code == 200
    assert "Ada Auditor" in page.text


def test_neither_cookie_nor_password_is_kept_as_it_is(live: Live, client: httpx.Client) -> None:
    live.enter("auditor")
    _sign_in(client, "auditor")
    secret = client.cookies[sessions.COOKIE]
    with psycopg.connect(live.database.url) as conn:
        kept = str(conn.execute("SELECT p.*, s.* FROM staff.people p JOIN staff.sessions s ON true").fetchall())
    assert secret not in kept
    assert PASSWORD not in kept
    assert "$argon2id$" in kept


@pytest.mark.parametrize(("person", "password"), [("auditor", "wrong horse"), ("nobody", PASSWORD), ("auditor", "")])
def test_a_stranger_and_a_wrong_password_are_told_the_same(
    live: Live, client: httpx.Client, person: str, password: str
) -> None:
    live.enter("auditor")
    answer = _sign_in(client, person, password)
    assert answer.status_code == 401
    assert 'data-problem="sign_in_failed"' in answer.text
    assert sessions.COOKIE not in client.cookies
    _sign_in(client, "auditor")  # ends the row of failures


def test_who_guesses_waits_even_with_many_guesses_at_once(live: Live) -> None:
    live.enter("cage2")

    def guess(number: int) -> int:
        with live.client(None) as client:
            return _sign_in(client, "cage2", f"guess number {number}").status_code

    with ThreadPoolExecutor(8) as pool:
        codes = list(pool.map(guess, range(20)))
    assert codes.count(401) == people.FAILURES
    assert codes.count(429) == 20 - people.FAILURES
    with live.client(None) as client:
        assert _sign_in(client, "cage2").status_code == 429, "the right one is not looked at either"
    with psycopg.connect(live.database.url) as conn:
        conn.execute("UPDATE staff.people SET failed_at = failed_at - interval '2 minutes' WHERE id = 'cage2'")
    with live.client(None) as client:
        assert _sign_in(client, "cage2").status_code == 303


@pytest.mark.parametrize("what", ["seen_at = seen_at - interval '21 minutes'", "ends_at = clock_timestamp()"])
def test_a_session_ends_by_idleness_and_by_time(live: Live, what: str) -> None:
    with live.signed_in("auditor") as client:
        assert client.get("/").status_code == 200
        with psycopg.connect(live.database.url) as conn:
            conn.execute(f"UPDATE staff.sessions SET {what} WHERE ended_at IS NULL")  # type: ignore[arg-type]
        answer = client.get("/")
        assert (answer.status_code, answer.headers["location"]) == (303, "/sign-in?next=/")


def test_a_jackpot_display_stays_signed_in_unattended(live: Live) -> None:
    with live.signed_in("kiosk") as client:
        with psycopg.connect(live.database.url) as conn:
            conn.execute("UPDATE staff.sessions SET seen_at = seen_at - interval '9 days' WHERE person = 'kiosk'")
        assert client.get("/display").status_code == 200
        assert client.get("/").status_code == 403, "and sees nothing else"


def test_signing_out_ends_the_session_for_whoever_has_its_cookie(live: Live) -> None:
    with live.signed_in("auditor") as client, live.client(None) as thief:
        thief.cookies.set(sessions.COOKIE, client.cookies[sessions.COOKIE])
        assert thief.get("/").status_code == 200
        proof = _proof(client.get("/").text)
        assert client.post("/sign-out", data={"proof": proof}).status_code == 303
        assert thief.get("/").status_code == 303


@pytest.mark.parametrize(
    ("headers", "has_proof"),
    [({"sec-fetch-site": "cross-site"}, True), ({"origin": "https://elsewhere.example"}, True), ({}, False)],
)
def test_a_form_of_another_site_does_nothing(live: Live, headers: dict[str, str], has_proof: bool) -> None:
    with live.signed_in("auditor") as client:
        proof = _proof(client.get("/").text) if has_proof else "0" * 64
        answer = client.post("/sign-out", data={"proof": proof}, headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (403, "foreign_form")
        assert client.get("/").status_code == 200


def test_ended_access_ends_the_sessions(live: Live, client: httpx.Client) -> None:
    with psycopg.connect(live.database.url) as conn:
        people.enter(conn, Person("leaver", "Leaver", "cashier"), PASSWORD, created_by="test")
    _sign_in(client, "leaver")
    assert client.get("/").status_code == 200
    with psycopg.connect(live.database.url) as conn:
        assert people.end(conn, "leaver")
    assert client.get("/").status_code == 303
    assert _sign_in(client, "leaver").status_code == 401


@pytest.mark.parametrize(
    "where", ["//evil.example", "https://evil.example/", "/\\evil.example", "javascript:x", "/\n/"]
)
def test_after_signing_in_nobody_is_sent_elsewhere(live: Live, client: httpx.Client, where: str) -> None:
    live.enter("auditor")
    assert inside(where) == "/"
    assert _sign_in(client, "auditor", next=where).headers["location"] == "/"


@pytest.mark.parametrize(
    ("person", "password", "says"),
    [
        (Person("a/b", "A", "cashier"), PASSWORD, "an id is"),
        (Person("ab", "A", "croupier"), PASSWORD, "unknown role"),
        (Person("ab", "A\n", "cashier"), PASSWORD, "a name is"),
        (Person("ab", "A", "cashier"), "short", "8 to 200"),
        (Person("auditor", "A", "cashier"), PASSWORD, "has access already"),
    ],
)
def test_a_person_is_entered_only_whole_and_once(live: Live, person: Person, password: str, says: str) -> None:
    live.enter("auditor")
    with psycopg.connect(live.database.url) as conn, pytest.raises(people.PersonRefused, match=says):
        people.enter(conn, person, password, created_by="test")


def test_the_language_is_the_reader_s_and_can_be_chosen(live: Live, client: httpx.Client) -> None:
    assert '<html lang="uk">' in client.get("/sign-in", headers={"accept-language": "fr, uk-UA;q=0.8, en;q=0.5"}).text
    assert '<html lang="en">' in client.get("/sign-in", headers={"accept-language": "fr;q=x, de"}).text
    assert client.get("/language?to=el&back=//evil.example").headers["location"] == "/"
    answer = client.get("/sign-in", headers={"accept-language": "uk"})
    assert '<html lang="el">' in answer.text
    assert answer.headers["content-language"] == "el"


def _proof(text: str) -> str:
    found = re.search(r'name="proof" value="([0-9a-f]{64})"', text)
    assert found is not None
    return found[1]
