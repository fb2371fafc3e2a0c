"""One session with one annotator: shows tasks, asks questions, and saves each answer before the next."""

from collections.abc import Callable, Sequence

import click

from knowact.cli import terminal
from knowact.core import screen
from knowact.core.clean import one_line
from knowact.core.errors import BadData
from knowact.core.rounding import count
from knowact.core.screen import wrapped
from knowact.core.suite import Audit, AuditQuestion, Item, Plan, Section
from knowact.datasets.audit_file import AnswerFile, Answers
from knowact.report.task_text import plan_lines, query_lines, section_lines
from knowact.roles.audit import AuditAnswer, Event, PlanShown, Sheet, Spot
from knowact.worlds.registry import open_world

HELP = (
    "Type the number of an answer, or its first letters.",
    "  s  skip this question because you cannot tell (skips are counted)",
    "  b  go back one question and answer it again",
    "  q  quit; the same command resumes here",
    "  ?  show this help, the guidance and what is asked about again",
)


class _Quit(Exception):  # noqa: N818 - no error
    """The annotator quits, or the input ends."""


class Interview:
    """One session.

    Args:
        audit: The questions.
        plan: The data set, with the seed of its worlds: annotators see what agents are shown.
        sheet: The answers so far.
        file: Where to save answers.
        kind: The name of the session in its greeting.
        details: Whether to explain each parameter of the tools.
        sections: What the suite has to say of an item in place of its plan.
    """

    def __init__(
        self,
        audit: Audit,
        plan: Plan,
        sheet: Sheet,
        file: AnswerFile,
        kind: str = "Audit",
        *,
        details: bool = False,
        sections: Callable[[Item], Sequence[Section]] = lambda _: (),
    ) -> None:
        self._audit, self._plan, self._sheet, self._file = audit, plan, sheet, file
        self._kind, self._details, self._sections = kind, details, sections
        self._items = {item.task.id: item for item in reversed(plan.items)}
        self._on_screen: tuple[str, bool] | None = None

    def hold(self) -> int:
        """Ask until every question is answered or the annotator quits; return the exit code."""
        self._greet()
        try:
            while True:
                spot = self._sheet.here()
                if spot is None:
                    self._finish()
                    if self._sheet.here() is None:
                        return self._close("All done. Thank you!")
                elif spot.question is None:
                    self._confirm(spot)
                else:
                    self._ask(spot, spot.question)
        except _Quit:
            return self._close("Stopped.")
        except KeyboardInterrupt:
            click.echo("")
            self._close("Stopped.")
            raise

    def _greet(self) -> None:
        answers, wide = self._file.answers, screen.width()
        size = len(self._sheet.order)
        answered = len(self._sheet.answers)
        data = f"{answers.head.suite}/{answers.head.data}"
        click.echo(f"{self._kind} of {data}. Annotator: {one_line(answers.head.annotator)}")
        if size < answers.head.n:
            click.echo(f"There are only {count(size, self._audit.thing)}. You are asked about all of them.")
        if answers.torn:
            start = one_line(answers.torn.strip("\n"))[:60]
            click.echo(f"The last line of {answers.file} was cut off ({start!r}). You are asked again.")
        if self._sheet.here() is None:
            return
        if answered:
            total = size * len(self._audit.questions)
            click.echo(f"Welcome back. You have answered {answered:,} of {total:,} questions.")
        terminal.say("", *wrapped(self._audit.about, wide, ""), "", *HELP)

    def _ask(self, spot: Spot, question: AuditQuestion) -> None:
        self._show(spot, question.id not in self._audit.blind)
        terminal.say("", *_question_lines(question, spot.answer))
        while True:
            typed = self._typed(f"[1-{len(question.choices)}, s, b, q, ?] > ")
            if typed == "b":
                return self._back()
            if typed == "?":
                self._on_screen = None
                terminal.say(*HELP, *_guide_lines(question))
                return None
            answer = None if typed == "s" else chosen(question, typed)
            if typed == "s" or answer is not None:
                return self._keep(_answer(spot.task.id, question.id, answer))
            click.echo(f"Type a number from 1 to {len(question.choices)}, or ? for help.")

    def _confirm(self, spot: Spot) -> None:
        """The last chance to change the blind answers to a task."""
        if self._audit.blind:
            self._show(spot, with_plan=False)
            click.echo("\nThe plan comes next. After that you cannot change your answers so far.")
            if self._enter("[Enter to see the plan, b, q] > ") == "b":
                return self._back()
        return self._keep(PlanShown(item=spot.task.id))

    def _finish(self) -> None:
        click.echo("\nThat was the last question.")
        if self._enter("[Enter to finish, b to go back] > ") == "b":
            self._back()

    def _enter(self, prompt: str) -> str:
        while (typed := self._typed(prompt)) not in {"", "b"}:
            terminal.say(*HELP) if typed == "?" else click.echo("Press Enter, or type b or q.")
        return typed

    def _typed(self, prompt: str) -> str:
        typed = terminal.ask(prompt)
        if typed is None or typed.casefold() == "q":
            raise _Quit
        return typed.casefold()

    def _back(self) -> None:
        if not self._sheet.back():
            click.echo("There is no earlier answer that you can still change.")

    def _keep(self, event: Event) -> None:
        self._file.append(event)
        complaint = self._sheet.take(event)
        assert not complaint, complaint

    def _show(self, spot: Spot, with_plan: bool) -> None:
        """Show the task (or what else is asked about), unless it is on the screen."""
        task, wide = spot.task, screen.width()
        if self._on_screen == (task.id, with_plan):
            return
        if self._on_screen != (task.id, False):
            place = f"{self._audit.thing.capitalize()} {spot.number} of {len(self._sheet.order)}"
            terminal.say("", "-" * wide, place, "", *self._before_the_plan(self._items[task.id], wide))
        if with_plan and (sections := self._sections(self._items[task.id])):
            terminal.say("", *section_lines(sections, wide))
        elif with_plan:
            terminal.say("", "The plan:", *plan_lines(task, wide, first=1))
        self._on_screen = (task.id, with_plan)

    def _before_the_plan(self, item: Item, wide: int) -> list[str]:
        if self._audit.sections is not None:
            return section_lines(self._audit.sections(item), wide)[:-1]
        context = open_world(item.task.world, self._plan.world_seed).context()
        return query_lines(item.task, context, item.tools, wide, details=self._details)

    def _close(self, farewell: str) -> int:
        sheet = self._sheet
        skipped = f" ({sheet.skipped:,} skipped)" if sheet.skipped else ""
        done = count(len(sheet.answers), "question")
        click.echo(f"{farewell} {done} done{skipped}, {sheet.left:,} left.")
        click.echo(f"Your answers are in {self._file.answers.file}.")
        if sheet.left:
            click.echo("The same command resumes.")
        return 1 if sheet.left else 0


def filled(sheet: Sheet, answers: Answers) -> Sheet:
    """Enter a file's answers.

    Raises:
        BadData: An event does not fit the questions, so the file was edited by hand.
    """
    for event, line in zip(answers.events, answers.lines, strict=True):
        if complaint := sheet.take(event):
            raise BadData(complaint, line.place(), "restore the file, or remove the line")
    return sheet


def chosen(question: AuditQuestion, typed: str) -> str | None:
    """Return the choice with this number, or the only one that begins with these letters."""
    choices = list(question.choices)
    if typed.isdecimal():
        return choices[int(typed) - 1] if len(typed) < 3 and 0 < int(typed) <= len(choices) else None  # noqa: PLR2004
    plain = typed.replace(" ", "_").replace("-", "_")
    fitting = [choice for choice in choices if plain and choice.casefold().startswith(plain)]
    return fitting[0] if len(fitting) == 1 else None


def _answer(item: str, question: str, answer: str | None) -> Event:
    return AuditAnswer(item=item, question=question, answer=answer)


def _question_lines(question: AuditQuestion, before: str | None) -> list[str]:
    wide = screen.width()
    lines = wrapped(question.text, wide, "")
    for number, (choice, meaning) in enumerate(question.choices.items(), start=1):
        name = choice.replace("_", " ")
        lines += wrapped(f"{name}: {meaning}" if meaning else name, wide, f"  {number}  ")
    if before is not None:
        lines.append(f"Your answer: {before.replace('_', ' ')}")
    return lines


def _guide_lines(question: AuditQuestion) -> list[str]:
    return ["", *wrapped(question.guide, screen.width(), "")] if question.guide else []
