"""Files with secrets in them: for the owner alone, and whole for whoever sees them."""

import json
import os
import tempfile
from pathlib import Path


def write_private(file: Path, secrets: object) -> None:
    """Write as JSON for the owner alone; whoever sees the file sees it complete."""
    handle, name = tempfile.mkstemp(dir=file.absolute().parent, prefix=f".{file.name}.")  # 0600 from the start
    with os.fdopen(handle, "w") as draft:
        json.dump(secrets, draft, indent=1)
    os.replace(name, file)
