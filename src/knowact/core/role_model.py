"""A model in a role, and the generation settings that were asked for it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, cast

import yaml

from knowact.core.errors import BadUsage

BUILT_IN: Final = "knowact/"
"""How the names of built-in agents begin: reference agents, which are not ranked with models."""


@dataclass(frozen=True, slots=True)
class RoleModel:
    """Who plays a role, and with which settings.

    Attributes:
        name: As the engine names models; before it is bound, `file:PATH` too.
        settings: By the engine's names ("reasoning_effort").
    """

    name: str
    settings: Mapping[str, Any] = field(default_factory=dict[str, Any])

    def __str__(self) -> str:
        """As it is given on the command line: a name, or `{model: NAME, reasoning_effort: high}`."""
        if not self.settings:
            return self.name
        given = {"model": self.name, **dict(sorted(self.settings.items()))}
        return yaml.safe_dump(given, default_flow_style=True, sort_keys=False, width=float("inf")).strip()


def role_model(text: str) -> RoleModel:
    """Read a name, or the inline YAML that the engine's own `--model-role` takes.

    Raises:
        BadUsage: It begins like YAML and is no mapping with a model.
    """
    if not text.lstrip().startswith("{"):
        return RoleModel(text)
    try:
        read: object = yaml.safe_load(text)
    except (yaml.YAMLError, ValueError, RecursionError):
        read = None
    found = cast("dict[Any, Any]", read) if isinstance(read, dict) else {}
    model = found.pop("model", None)
    if not isinstance(model, str) or not model or not all(isinstance(name, str) for name in found):
        raise BadUsage(
            f"{text:.200} names no model. Write {{model: NAME, reasoning_effort: high}}, "
            "with a space after each colon."
        )
    return RoleModel(model, found)


def bare(shown: str) -> str:
    """The name in what stands for a role's model in a report; a text that is no role's model as it is."""
    try:
        return role_model(shown).name
    except BadUsage:
        return shown


_FIRST_WORD: Final = re.compile(r"(?:[a-z]+\.)*([a-z]+)")


def family(model: str) -> str:
    """The first word of a model's own name: "gpt" of `openai/gpt-4o`, "claude" of `anthropic/claude-3`.

    Who serves a model makes no family, since many serve the same one; so providers and routers before the
    last slash are left out (`openrouter/anthropic/claude-3`), and so are vendors before a dot
    (`bedrock/us.anthropic.claude-3`). It compares names and knows nothing else: models that one company
    sells under two names count as two families, and who was trained on whose replies cannot be seen.
    """
    name = model.rsplit("/", maxsplit=1)[-1].casefold()
    found = _FIRST_WORD.match(name)
    return found[1] if found else name
