"""The roles `annotator` and `auditor`: what models say of tools (`knowact tools annotate`, `collect`)."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from pydantic import ValidationError

from knowact.core.prompts import Prompt
from knowact.engine.many import Progress
from knowact.engine.writing import ask_all
from knowact.forge.asking import ToAsk, not_as_asked
from knowact.tools.collection import Opinion, opinion_schema, shown
from knowact.tools.layouts import Collected


def sort_all(
    model: str,
    due: Iterable[Collected],
    prompt: Prompt,
    keep: Callable[[Opinion], None],
    tell: Callable[[Progress], None],
    *,
    scenario: bool,
    connections: int,
) -> Progress:
    """Have a model sort operations by the six dimensions; each opinion is kept as it comes.

    Args:
        model: Who is asked.
        due: The operations; taken one at a time.
        prompt: The stage's.
        keep: Keeps an opinion.
        tell: Told after each.
        scenario: Whether a scenario is asked for as well.
        connections: Questions at a time.
    """
    schema = opinion_schema(scenario=scenario)
    questions = (_to_sort(one, model, prompt, schema) for one in due)
    return ask_all(model, questions, keep, tell, connections=connections)


def _to_sort(one: Collected, model: str, prompt: Prompt, schema: Mapping[str, Any]) -> ToAsk[Opinion]:
    def read(reply: Mapping[str, Any], _: int) -> Opinion:
        says = {name: reply[name] for name in schema["required"] if name in reply}
        said = {name: says.pop(name) for name in ("why", "scenario") if name in says}
        known = {"id": one.id, "model": model, "prompt": prompt.sha256}
        try:
            return Opinion.model_validate({**known, **said, "says": says})
        except ValidationError as error:
            raise not_as_asked(error) from error

    text = prompt.fill({"tool": shown(one)})
    return ToAsk(one.id, text, read, f"no usable opinion of {one.name!r}", schema=schema)
