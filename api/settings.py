"""Settings: environment variables, typed, each with its meaning; `pitclerk settings` prints them."""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict

PREFIX = "PITCLERK_"

Port = Annotated[int, Field(ge=0, le=65535)]


class Settings(BaseSettings):
    """What an operator may set. Read once, at the start."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, frozen=True, extra="ignore", env_ignore_empty=True)

    database_url: str | None = Field(
        default=None,
        description="PostgreSQL URL of the log; absent: the embedded server, with its data under PITCLERK_HOME",
    )
    home: Path = Field(
        default=Path("~/.pitclerk"), description="data directory of the embedded server, private to its owner"
    )
    signing_key: Path | None = Field(
        default=None,
        description="file of the key that signs checkpoints, made if missing; absent: checkpoint.key in PITCLERK_HOME",
    )
    site: Annotated[str, Field(pattern=r"^[A-Za-z0-9_.-]{1,40}$")] = Field(
        default="house", description="name of this casino site; it leads every figure's key"
    )
    host: str = Field(default="127.0.0.1", description="address to listen on")
    port: Port = Field(default=8600, description="port to listen on; 0: any free one")
    log: Literal["json", "console"] = Field(default="json", description="log lines for machines or for people")
    pages_open: bool = Field(
        default=False,
        description="show pages and their live feed without sign-in, to this machine only: for demonstrations",
    )
    shadow: bool = Field(
        default=False,
        description="settle every round a second time by other means before it is paid, and refuse if they differ",
    )
    feed_clients: Annotated[int, Field(ge=1, le=10_000)] = Field(
        default=1000, description="displays that may follow the live feed of one process at once"
    )

    @property
    def home_directory(self) -> Path:
        """The data directory with ~ expanded."""
        return self.home.expanduser().absolute()

    @property
    def signing_key_file(self) -> Path:
        """Where the key that signs checkpoints lies, or will."""
        chosen = self.home_directory / "checkpoint.key" if self.signing_key is None else self.signing_key
        return chosen.expanduser().absolute()

    def as_environment(self) -> dict[str, str | None]:
        """Every setting by the name of its variable."""
        return {PREFIX + name.upper(): _text(value) for name, value in self}


def meanings() -> dict[str, str]:
    """What every variable means, in order."""
    return {PREFIX + name.upper(): field.description or "" for name, field in Settings.model_fields.items()}


def _text(value: object) -> str | None:
    if value is None:
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)
