"""Prompts are Markdown files with an id and a version in their head; the hash goes into the log.

A file looks like this::

    ---
    id: kapro/tools-needed
    version: 1
    ---
    The text, with $placeholders.
"""

import hashlib
import string
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources

from knowact.core.errors import BadUsage


@dataclass(frozen=True, slots=True)
class Prompt:
    """A versioned text with `$name` placeholders."""

    id: str
    version: str
    text: str

    @property
    def sha256(self) -> str:
        """Over the text alone, shortened to 16 hexadecimal digits."""
        return hashlib.sha256(self.text.encode()).hexdigest()[:16]

    @property
    def placeholders(self) -> frozenset[str]:
        """The names that `fill` must be given."""
        return frozenset(string.Template(self.text).get_identifiers())

    def fill(self, values: Mapping[str, str]) -> str:
        """Put the values in; a missing or a superfluous one is a mistake of the caller.

        Values are put in literally: a `$` that comes from data stays a `$`.
        """
        if frozenset(values) != self.placeholders:
            raise ValueError(f"prompt {self.id} takes {sorted(self.placeholders)}, not {sorted(values)}")
        return string.Template(self.text).substitute(values)


def load_prompt(package: str, name: str) -> Prompt:
    """Read the prompt `name`.md from a package's folder `prompts`."""
    source = resources.files(package) / "prompts" / f"{name}.md"
    text = source.read_text(encoding="utf-8")
    parts = text.split("---\n", 2)
    if len(parts) != 3 or parts[0]:  # noqa: PLR2004 - nothing, head, text
        raise BadUsage(f"The prompt file {source} must start with a head between two lines of '---'.")
    head = dict(line.split(": ", 1) for line in parts[1].splitlines() if line.strip())
    return Prompt(head["id"], head["version"], parts[2].strip() + "\n")


PUBLISHED = "-published"
"""How the name of a prompt ends that the published rules ask in the place of the one without it."""


def prompts_under(rules: str, prompts: Mapping[str, Prompt]) -> list[Prompt]:
    """Return those of a suite's prompts, by file name, that a run under a rule set uses.

    Args:
        rules: "definition" or "published".
        prompts: Under the published rules `judge-published` stands in for `judge`; all others are shared.
    """
    published = rules == "published"
    return [
        prompt
        for name, prompt in prompts.items()
        if (published if name.endswith(PUBLISHED) else not (published and f"{name}{PUBLISHED}" in prompts))
    ]
