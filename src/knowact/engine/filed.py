"""A file in a role: `--role extractor=file:FORMS.jsonl`. It answers by key, whatever it is asked.

Each line is a JSON object with `id` and what is answered: a `form`, a `ruling`, or a `reply` as text. So
people can fill forms, and a measurement can be repeated without any model.
"""

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, cast

from inspect_ai.model import ChatMessage, GenerateConfig, ModelAPI, ModelOutput, ModelUsage, modelapi
from inspect_ai.tool import ToolChoice, ToolInfo

from knowact.core.errors import BadData, Place
from knowact.core.role_model import RoleModel
from knowact.datasets.lines import read_text
from knowact.engine.own_model import OwnModel
from knowact.engine.roles import role_keys

PREFIX: Final = "file:"
PROVIDER: Final = "filed"
ANSWERS: Final = ("form", "ruling", "reply")
"""Under which key of a line the answer stands."""


def as_model(given: RoleModel) -> RoleModel:
    """The same under the engine's name, which differs for a file in a role."""
    name = given.name
    return (
        replace(given, name=f"{PROVIDER}/{name.removeprefix(PREFIX)}") if name.startswith(PREFIX) else given
    )


def shown(player: RoleModel) -> str:
    """A model in a role as people gave it."""
    name, start = player.name, f"{PROVIDER}/"
    named = f"{PREFIX}{name.removeprefix(start)}" if name.startswith(start) else name
    return str(replace(player, name=named))


@lru_cache(maxsize=8)
def answers(path: Path) -> Mapping[str, str]:
    """Every answer of a file, by its id.

    Raises:
        BadData: The file cannot be read, or a line is of another shape.
    """
    found: dict[str, str] = {}
    for number, line in enumerate(read_text(path).splitlines(), 1):
        if line.strip():
            name, answer = _entry(line, Place(path, number))
            if name in found:
                raise BadData(f"the id {name!r} occurs twice", Place(path, number), "remove one of the lines")
            found[name] = answer
    return found


def _entry(line: str, place: Place) -> tuple[str, str]:
    try:
        read: object = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise BadData("the line is not JSON", place, "write one JSON object per line") from error
    entry = cast("dict[str, Any]", read) if isinstance(read, dict) else {}
    given = [key for key in ANSWERS if key in entry]
    if not isinstance(entry.get("id"), str) or len(given) != 1:
        what = "a line takes an 'id' and one of 'form', 'ruling' and 'reply'"
        raise BadData(what, place, "write the answer so")
    answer = entry[given[0]]
    return entry["id"], answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)


class Filed(OwnModel):
    """Answers from a file by the key of the call that is under way."""

    def __init__(self, model_name: str, **given: Any) -> None:
        super().__init__(model_name, **given)
        self.answers = answers(Path(model_name))

    async def generate(
        self,
        input: list[ChatMessage],  # noqa: A002, ARG002 - the engine's name
        tools: list[ToolInfo],  # noqa: ARG002
        tool_choice: ToolChoice,  # noqa: ARG002
        config: GenerateConfig,  # noqa: ARG002
    ) -> ModelOutput:
        """Return the answer to the current keys; an empty reply where the file has none."""
        answer = next((self.answers[key] for key in role_keys() if key in self.answers), "")
        output = ModelOutput.from_content(f"{PROVIDER}/{self.model_name}", answer)
        output.usage = ModelUsage()
        return output


@modelapi(name=PROVIDER)
def filed() -> type[ModelAPI]:
    """Register the provider."""
    return Filed
