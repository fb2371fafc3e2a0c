"""`--config FILE`: the options of runs in a TOML file, which a team commits.

    model = "openai/gpt-4o"
    judge = "anthropic/claude-sonnet-4-5"
    cost-limit = 10

    [kapro]
    limit = 200

    [car]
    trials = 3
    role = { user = "openai/gpt-4o-mini" }

    [car.inspect]
    max-tokens = 4096

Keys are options as they are typed, without their hyphens in front. What stands above the sections holds for
all suites, a section for one; `inspect` holds options of the engine. Options on the command line come before
the file's.
"""

import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, cast

from knowact.core.errors import BadData, Place, suggest

INSPECT: Final = "inspect"


def of_suite(file: Path, name: str) -> tuple[dict[str, Any], str]:
    """The options that a file has for a suite, those of its section first, and what the section is called.

    Args:
        file: The file.
        name: The suite's, with hyphens.

    Raises:
        BadData: It is not there, or is no TOML.
    """
    content = read(file)
    tables = {key.replace("_", "-"): key for key, value in content.items() if isinstance(value, dict)}
    section = tables.get(name, "")
    own = cast("dict[str, Any]", content[section]) if section else dict[str, Any]()
    common = {key: value for key, value in content.items() if not isinstance(value, dict)}
    return {**common, **own}, section


def read(file: Path) -> dict[str, Any]:
    """Read the file.

    Raises:
        BadData: It is not there, or is no TOML.
    """
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadData(f"the file cannot be read ({error.strerror})", Place(file), "check the path") from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BadData(f"this is not TOML ({error})", Place(file), "correct it") from error


def sections(file: Path, known: Callable[[], Sequence[str]]) -> list[str]:
    """The suites that a file has sections for, as people type them.

    Raises:
        BadData: It has none, or one of no suite.
    """
    named = [key.replace("_", "-") for key, value in read(file).items() if isinstance(value, dict)]
    suites = known()
    wrong = next((name for name in named if name not in suites and name != INSPECT), None)
    if wrong is not None:
        raise BadData(
            f"there is no suite {wrong!r}", Place(file, None, wrong), suggest(wrong, suites).rstrip(".")
        )
    chosen = [name for name in named if name != INSPECT]
    if not chosen:
        raise BadData(
            "no suite has a section here", Place(file), "write [SUITE], or name it: knowact run SUITE"
        )
    return chosen
