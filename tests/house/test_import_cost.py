"""What is used offline and often never loads the engine (2.3 s, 92 MB: inspect-guide, import cost)."""

import json
import subprocess
import sys

import pytest

LIGHT = ("knowact.core", "knowact.measures", "knowact.reading", "knowact.report")
LOOK = f"""
import importlib, json, pkgutil, sys
for name in {LIGHT!r}:
    package = importlib.import_module(name)
    for found in pkgutil.walk_packages(package.__path__, name + "."):
        importlib.import_module(found.name)
importlib.import_module("knowact.cli.main")
heavy = sorted(n for n in sys.modules if n.split(".")[0] in {{"inspect_ai", "openai", "httpx"}})
ours = sorted(n for n in sys.modules if n.split(".")[0] == "knowact")
print(json.dumps([heavy, ours]))
"""


@pytest.mark.slow
def test_core_measures_reading_report_and_the_command_line_load_no_engine() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOOK], capture_output=True, text=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stderr
    heavy, ours = json.loads(done.stdout)
    assert heavy == []
    assert {*LIGHT, "knowact.cli.main", "knowact.core.proof"} <= set(ours)
