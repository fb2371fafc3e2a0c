"""How long a command takes to answer: `knowact --help` and `knowact list`, and what imports cost."""

import subprocess
import sys
import time

from measuring import Line, finish

ROUNDS = 7


def seconds(*words: str) -> float:
    """Wall time of one fresh process."""
    began = time.perf_counter()
    subprocess.run([sys.executable, *words], check=True, capture_output=True)
    return time.perf_counter() - began


def rounds(*words: str) -> list[float]:
    seconds(*words)  # the first one compiles
    return [seconds(*words) for _ in range(ROUNDS)]


def main() -> None:
    lines = [
        Line("knowact --help", rounds("-m", "knowact", "--help"), "s", 0.3),
        Line("knowact list", rounds("-m", "knowact", "list"), "s"),
        Line("import knowact.core.proof", rounds("-c", "import knowact.core.proof"), "s"),
        Line("import knowact.worlds.everyday", rounds("-c", "import knowact.worlds.everyday"), "s", 0.5),
        Line("import inspect_ai", rounds("-c", "import inspect_ai"), "s"),
        Line("python -c pass", rounds("-c", "pass"), "s"),
    ]
    finish(lines, f"Wall time of a fresh process, {ROUNDS} rounds each.")


if __name__ == "__main__":
    main()
