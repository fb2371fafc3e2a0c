"""The extractor: what it is shown, and how its form is read. Pure; the calls are the engine's.

It sees the user's turns, the agent's words since the last of them, and the form: no tools, no results, no
facts and no condition. So it cannot tell a complete item from an incomplete one, nor right from wrong.
"""

import json
from dataclasses import dataclass
from functools import cache
from typing import Final

from knowact.core.declared import Declared
from knowact.core.prompts import Prompt, load_prompt
from knowact.core.record import Result, Status
from knowact.reading.answer_form import ACT_WORDS, AnswerForm, FormResults

BY_DECLARATION: Final = "declared"
"""Who fills the forms of built-in agents."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A reply that is to be extracted.

    Attributes:
        name: Unique in a trial: the probe's name.
        form: What is filled.
        request: What the user said, all turns.
        reply: What the agent said since the last of them.
        declared: What a built-in agent says of its own words; None for every other agent.
    """

    name: str
    form: AnswerForm
    request: str
    reply: str
    declared: Declared | None = None


@dataclass(frozen=True, slots=True)
class Extraction:
    """A filled form and what it comes to.

    Attributes:
        by: Who filled it: a model's name, `declared`, or "" where no words were to be read.
        results: What it comes to; invalid where the form was, even after one repair.
        filled: The form itself, for the log.
        repaired: Whether the first one was invalid.
    """

    by: str
    results: FormResults
    filled: object = None
    repaired: bool = False

    @property
    def usable(self) -> bool:
        """Whether anything can be scored by it."""
        return self.results.valid

    def result(self, value: bool, why: str = "") -> Result:  # noqa: FBT001 - the truth itself
        """A result that rests on this form; an error of the judge's kind where the form is invalid.

        The form of a reply without words was filled by nobody, so its results are by nobody.
        """
        by = "form" if self.by else ""
        if not self.usable:
            return Result(Status.JUDGE_ERROR, by=by, why=self.results.why)
        return Result.of(value, by=by, why=why)


NOT_EXTRACTED: Final = Result(Status.NOT_JUDGED, why="no extractor was bound")


@cache
def extraction_prompt() -> Prompt:
    """The versioned prompt of the role `extractor`; its hash goes into the log."""
    return load_prompt("knowact.roles", "extract")


def extraction_text(form: AnswerForm, request: str, reply: str) -> str:
    """What the extractor is asked."""
    acts = "\n".join(f"- {act}: {ACT_WORDS.get(act, act)}" for act in form.acts) if form.parts else "(none)"
    schema = json.dumps(form.schema(), ensure_ascii=False)
    values = {"acts": acts, "request": request, "reply": reply, "schema": schema}
    return extraction_prompt().fill(values)


def repair_text(results: FormResults) -> str:
    """What the extractor is told when its form is invalid."""
    problems = "\n".join(f"- {problem}" for problem in results.problems[:10])
    return f"This form cannot be used:\n{problems}\nAnswer with the whole form, mended: one JSON object."


def unread(form: AnswerForm) -> Extraction:
    """What an agent that said nothing comes to: an empty form, filled by nobody."""
    nothing = form.declared(Declared())
    return Extraction("", form.score("", nothing), nothing)


def by_declaration(reading: Reading, declared: Declared) -> Extraction:
    """Fill a form with what a built-in agent says of its own words, and take it through the same checks."""
    filled = reading.form.declared(declared)
    return Extraction(BY_DECLARATION, reading.form.score(reading.reply, filled), filled)
