"""A scripted annotator: describes tools as a list of declared ones does, as well as a test wants it to.

It answers the prompts of `knowact tools annotate` over HTTP (`doubles.endpoint`): it names attributes,
proposes, audits, and says which calls are external. With an error rate, each claim of each vote is wrong with
that chance, the same ones in every run.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, cast

from pydantic import JsonValue

from doubles.replies import Reply, Request, Say
from knowact.core.seeds import generator
from knowact.core.tool import Dimension, Tool
from knowact.tools.annotation import ECHO, NONE, Annotation, declared
from knowact.tools.claims import Form
from knowact.tools.folder import OwnTool
from knowact.tools.sides import INTERNAL, holding, options

Change = Callable[[str, str, int, dict[str, Any]], None]
"""Changes a form before it is sent: the tool, the model, the number of the vote, the form."""

_OTHER: Final = {"yes": "no", "no": "yes"}
_NAMING: Final = "You name"
"""How the prompt begins that asks for attributes."""


def unchanged(_tool: str, _model: str, _number: int, _form: dict[str, Any]) -> None:
    """Leave a form as it is."""


def filled(own: OwnTool, said: Annotation) -> dict[str, Any]:
    """The form of a tool as an annotation fills it; a field that it does not speak of reveals nothing."""
    form, fires, about = Form.of(own), said.fires or (), said.about or ()
    return {
        "writes": "yes" if said.writes else "no",
        "dimensions": {one.value: "yes" if one in fires else "no" for one in Dimension},
        "when": said.when,
        "by_person": "yes" if said.by_person else "no",
        "about": {name: "yes" if name in about else "no" for name in form.parameters},
        "needs": {name: said.needs[name] for name in form.told},
        "reports": {name: said.reports.get(name, (NONE,))[0] for name in form.fields},
        "changes": list(said.changes or ()),
        "why": said.why,
    }


def filled_on_calls(own: OwnTool, said: Annotation) -> dict[str, Any]:
    """The form of a tool's calls as an annotation fills it, by its conditions on one parameter alone."""
    calls = {
        name: {label: _side(said, name, schema) for label, schema in found.items()}
        for name, found in options(own).items()
    }
    return {"calls": calls, "why": said.why}


def _side(said: Annotation, name: str, option: JsonValue) -> str:
    for dimension, conditions in (said.external_if or {}).items():
        for condition in conditions:
            if {*condition} == {name} and _covers(condition[name], option):
                return dimension
    return INTERNAL


def _covers(schema: Any, option: JsonValue) -> bool:
    if isinstance(option, dict):
        return all(map(holding(schema), cast("list[JsonValue]", option["enum"])))
    return schema is option


@dataclass(slots=True)
class ScriptedAnnotator:
    """A script for an endpoint.

    Attributes:
        tools: The tools as they were read, by name.
        known: The same tools with what they declare.
        sides: Annotations that say of some of them which calls are external.
        errors: The chance of a wrong claim.
        change: Changes forms before they are sent.
        replies: Sent first, whatever is asked.
        asked: The tool of each question, in order; empty where attributes were asked for.
        prompts: The questions themselves.
    """

    tools: Mapping[str, OwnTool]
    known: Mapping[str, Tool]
    sides: Mapping[str, Annotation] = field(default_factory=dict[str, Annotation])
    errors: float = 0.0
    change: Change = unchanged
    replies: list[Reply] = field(default_factory=list[Reply])
    asked: list[str] = field(default_factory=list[str])
    prompts: list[str] = field(default_factory=list[str])

    def script(self, request: Request) -> Reply:
        """Answer one question."""
        text = request.conversation
        naming = text.startswith(_NAMING)
        shown, _, options = text.rpartition("The tool:\n\n")[2].partition("\n\nThe options:")
        name = "" if naming else json.loads(shown)["name"]
        self.asked.append(name)
        self.prompts.append(text)
        if self.replies:
            return self.replies.pop(0)
        if naming:
            return Say(json.dumps({"attributes": {one: f"what {one} is" for one in self._attributes()}}))
        number = int(request.body["seed"])
        vote = f"{request.model} {name} {number}"
        if options:
            form = filled_on_calls(self.tools[name], self.sides.get(name, Annotation()))
            self._err_on_calls(form["calls"], f"{vote} calls")
        else:
            form = filled(self.tools[name], declared(self.known[name]))
            self._err(form, vote)
        self.change(name, request.model, number, form)
        return Say(f"Here it is:\n{json.dumps(form)}")

    def _attributes(self) -> list[str]:
        said = [declared(self.known[name]) for name in self.tools]
        reported = (one for each in said for names in each.reports.values() for one in names)
        spoken: Iterable[str] = (
            one for each in said for one in (*each.needs.values(), *(each.changes or ()))
        )
        return sorted({*spoken, *reported} - {ECHO, NONE})

    def _err(self, form: dict[str, Any], vote: str) -> None:
        """Make some claims wrong."""
        if self.errors <= 0:
            return
        rng = generator(0, "annotator", vote)
        attributes = self._attributes()
        for key in ("writes", "by_person"):
            if rng.random() < self.errors:
                form[key] = _OTHER[form[key]]
        if rng.random() < self.errors:
            form["when"] = rng.choice([one for one in ("always", "never", "public") if one != form["when"]])
        for key in ("dimensions", "about", "needs", "reports"):
            for name, value in form[key].items():
                if rng.random() < self.errors:
                    form[key][name] = _OTHER.get(value) or rng.choice(attributes)

    def _err_on_calls(self, calls: dict[str, dict[str, str]], vote: str) -> None:
        """Make some claims on calls wrong."""
        rng = generator(0, "annotator", vote)
        for found in calls.values():
            for label, side in found.items():
                if rng.random() < self.errors:
                    found[label] = rng.choice([one for one in (INTERNAL, *Dimension) if one != side])
