"""Is it alive, is it ready, and what does it measure: for the machine that runs it."""

import ipaddress
from typing import Any, Final

import psycopg
from anyio import to_thread
from fastapi import FastAPI
from psycopg import Connection
from psycopg_pool import PoolTimeout
from starlette.requests import Request
from starlette.responses import Response

from api import metrics
from api.http.doors import as_json
from api.problems import ProblemError
from api.wiring import House

_STANDING: Final = (
    "SELECT coalesce(max(notification_id), 0) AS head FROM public.pitclerk_events",
    "SELECT name, at, coalesce(error, '') FROM views.positions ORDER BY name, version LIMIT 100",
)


def mount(app: FastAPI, house: House) -> None:
    async def healthz() -> Response:
        return as_json({"status": "ok"})

    async def readyz() -> Response:
        report = await to_thread.run_sync(readiness, house)
        return as_json(report, 200 if report["status"] == "ok" else 503)

    async def measured(request: Request) -> Response:
        require_loopback(request)
        await to_thread.run_sync(measure, house)
        return Response(house.metrics.render(), 200, headers={"content-type": metrics.MEDIA_TYPE})

    app.add_api_route("/healthz", healthz, methods=["GET", "HEAD"], include_in_schema=False)
    app.add_api_route("/readyz", readyz, methods=["GET", "HEAD"], include_in_schema=False)
    app.add_api_route("/metrics", measured, methods=["GET"], include_in_schema=False)


def readiness(house: House) -> dict[str, Any]:
    """Whether requests can be served, and what stands in the way if not."""
    try:
        head, views = house.read(_standing)
    except (psycopg.Error, PoolTimeout):
        return {"status": "unavailable", "reason": "the database cannot be reached"}
    stopped = {name: error for name, _, error in views if error}
    report = {"status": "ok", "position": head, "views_at": min((at for _, at, _ in views), default=0)}
    if stopped:
        return {**report, "status": "unavailable", "reason": "projections have stopped", "stopped": sorted(stopped)}
    return report


def measure(house: House) -> None:
    """Bring the gauges up to now; without the database they stand as they were."""
    try:
        head, views = house.read(_standing)
    except (psycopg.Error, PoolTimeout):
        return
    house.metrics.log_head.set(head)
    for name, at, _ in views:
        house.metrics.lag_events.labels(name).set(head - at)


def _standing(conn: Connection[Any]) -> tuple[int, list[tuple[str, int, str]]]:
    head, views = (conn.execute(statement).fetchall() for statement in _STANDING)
    return int(head[0][0]), [(name, at, error) for name, at, error in views]


def require_loopback(request: Request) -> None:
    """Refuses `loopback_only` to any other machine, and to whatever a proxy forwards from one."""
    client = request.client.host if request.client else ""
    forwarded = "x-forwarded-for" in request.headers or "forwarded" in request.headers
    try:
        local = ipaddress.ip_address(client).is_loopback
    except ValueError:
        local = False
    if forwarded or not local:
        raise ProblemError("loopback_only", "this door answers only connections from the machine itself")
