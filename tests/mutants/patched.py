"""The program with one line changed: its modules imported anew, one of them from altered source."""

import importlib
import importlib.util
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import find_spec
from types import ModuleType


class _Altered(SourceFileLoader):
    def __init__(self, name: str, path: str, old: str, new: str) -> None:
        super().__init__(name, path)
        self.old, self.new = old, new

    def get_code(self, fullname: str):  # type: ignore[no-untyped-def]
        source = self.get_data(self.path).decode()
        assert source.count(self.old) == 1, f"{fullname} has {self.old!r} {source.count(self.old)} times, not once"
        return compile(source.replace(self.old, self.new), self.path, "exec")


class _Finder(MetaPathFinder):
    def __init__(self, name: str, path: str, old: str, new: str) -> None:
        self.name, self.loader = name, _Altered(name, path, old, new)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        return importlib.util.spec_from_loader(fullname, self.loader) if fullname == self.name else None


@contextmanager
def patched(module: str, old: str, new: str) -> Iterator[ModuleType]:
    """`domain.settle` of a program in which `module` has `new` in place of `old`; the real program is back afterwards.

    Raises AssertionError where the source does not hold `old` exactly once: the mutant has to follow the engine.
    """
    spec = find_spec(module)
    assert spec is not None
    assert spec.origin is not None
    ours = {name: kept for name, kept in sys.modules.items() if name == "domain" or name.startswith("domain.")}
    finder = _Finder(module, spec.origin, old, new)
    for name in ours:
        del sys.modules[name]
    sys.meta_path.insert(0, finder)
    try:
        yield importlib.import_module("domain.settle")
    finally:
        sys.meta_path.remove(finder)
        for name in [name for name in sys.modules if name == "domain" or name.startswith("domain.")]:
            del sys.modules[name]
        sys.modules.update(ours)
