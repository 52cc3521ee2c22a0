"""`serve`, `migrate`, `settings`: running the service and setting it up."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from api.cli.output import people, print_json, print_table

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
Host = Annotated[str | None, typer.Option(help="Address to listen on, instead of PITCLERK_HOST.")]
Port = Annotated[int | None, typer.Option(min=0, max=65535, help="Port, instead of PITCLERK_PORT; 0 takes a free one.")]


def add_to(app: typer.Typer) -> None:
    """Add these commands to the program."""
    app.command()(serve)
    app.command()(migrate)
    app.command()(settings)


def serve(
    host: Host = None,
    port: Port = None,
) -> None:
    """Serve the HTTP doors, the jackpot stream and the pages, and keep the projections at the head of the log."""
    import logging

    from api.cli.place import joined
    from api.cli.publish import publish_shipped_at
    from api.cli.server import HouseServer

    with joined(log_level=logging.INFO) as place:
        if place.server is not None:  # somebody else's database is migrated when its operator says so
            publish_shipped_at(place)
        with HouseServer(place, host=host, port=port) as server:
            server.run()


def migrate(as_json: Json = False) -> None:
    """Bring the database to this program's schema and publish the shipped rulesets. Safe to repeat."""
    from api.cli.place import joined
    from api.cli.publish import publish_shipped_at
    from deploy.migrate import migrate as apply

    with joined() as place:
        # Migrations need more than the service's role: on somebody else's database the address given must have it.
        applied = apply(place.superuser_url or place.database_url)
        published = publish_shipped_at(place)
    if as_json:
        print_json({"applied": applied, "published": published})
    else:
        people.print(f"applied: {', '.join(applied) or 'nothing was missing'}")
        people.print(f"published: {', '.join(published) or 'nothing new'}")


def settings(as_json: Json = False) -> None:
    """Print every setting with its value and meaning."""
    from api.settings import Settings, meanings

    current = Settings()
    values = current.as_environment()
    if as_json:
        document: dict[str, Any] = dict(values)
        if current.database_url is None:
            document |= _addresses()
        print_json(document)
        return
    rows = [(name, values[name], meaning) for name, meaning in meanings().items()]
    print_table("Settings (environment variables)", ["name", "value", "meaning"], rows)


def _addresses() -> dict[str, str]:
    """The addresses of the embedded server's database, for the owner of the data directory; starts the server."""
    from api.cli.place import joined
    from deploy.embedded import HomeError

    try:
        with joined() as place:
            assert place.superuser_url is not None, "the embedded server has a superuser"
            return {"database_url": place.database_url, "superuser_url": place.superuser_url}
    except (HomeError, PermissionError):  # not ours: then its secrets are not ours either
        return {}
