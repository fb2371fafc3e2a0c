"""Runs every benchmark, each in a process of its own; leaves with 1 if one missed a target."""

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
SCRIPTS = (
    "start_up",
    "everyday_world",
    "car_world",
    "car_databases",
    "proofs",
    "forging",
    "duplicates",
    "affinity",
    "collection",
    "measures_million",
    "cpu_per_call",
    "read_logs",
    "page",
    "wall_time",
)
"""The quick ones first; all together they take about half an hour."""


def main() -> None:
    """Run them in turn."""
    failed: list[str] = []
    for name in SCRIPTS:
        print(f"\n{name}", flush=True)
        if subprocess.run([sys.executable, str(HERE / f"{name}.py")], check=False).returncode:
            failed.append(name)
    sys.exit(f"Missed a target: {', '.join(failed)}" if failed else 0)


if __name__ == "__main__":
    main()
