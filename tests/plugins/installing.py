"""Suites of other packages, installed without a network: copied, with what their `pyproject.toml` says."""

import shutil
import sys
import tomllib
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from knowact import suites
from knowact.worlds import registry

PLUGINS = Path(__file__).parent
CACHES = (suites.names, suites.find, registry.names, registry.find, registry.world)


def install(site: Path) -> Path:
    """Install every plugin of this folder into a site-packages folder."""
    for file in sorted(PLUGINS.glob("*/pyproject.toml")):
        project = tomllib.loads(file.read_text(encoding="utf-8"))["project"]
        name, version = project["name"].replace("-", "_"), project["version"]
        shutil.copytree(file.parent / name, site / name, ignore=shutil.ignore_patterns("__pycache__"))
        info = site / f"{name}-{version}.dist-info"
        info.mkdir()
        head = f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {version}\n"
        (info / "METADATA").write_text(head, encoding="utf-8")
        groups = [
            f"[{group}]\n" + "".join(f"{name} = {where}\n" for name, where in entries.items())
            for group, entries in project["entry-points"].items()
        ]
        (info / "entry_points.txt").write_text("\n".join(groups), encoding="utf-8")
    return site


@contextmanager
def installed(site: Path) -> Generator[None]:
    """Let this process see what is installed there."""
    sys.path.insert(0, str(site))
    _forget(site)
    try:
        yield
    finally:
        sys.path.remove(str(site))
        _forget(site)


def _forget(site: Path) -> None:
    for cached in CACHES:
        cached.cache_clear()
    for name in [one for one in sys.modules if (site / one.split(".", maxsplit=1)[0]).is_dir()]:
        del sys.modules[name]
