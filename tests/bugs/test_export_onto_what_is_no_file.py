"""`export --out` renames a new file over whatever is there: a device, a pipe or a link (/dev/stdout) is destroyed."""

from __future__ import annotations

import os
import stat
import tempfile
import threading
from pathlib import Path

from deploy.embedded import EmbeddedServer
from tests.cli.program import pitclerk


def test_a_named_pipe_is_written_to_or_refused(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: pipe.open("rb").read(), daemon=True)
    reader.start()
    with tempfile.TemporaryDirectory(prefix="pitclerk-out-") as directory, EmbeddedServer(Path(directory)):
        pitclerk("migrate", home=Path(directory))
        pitclerk("export", "--format", "jsonl", "--out", str(pipe), "--json", home=Path(directory))
    assert stat.S_ISFIFO(pipe.lstat().st_mode)
