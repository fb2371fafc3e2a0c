"""One sitting of one annotator: tasks and questions out, answers in, each kept before the next is asked."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import click

from knowact.cli import terminal

if TYPE_CHECKING:
    from knowact.core.suite import Audit, Plan, Question
    from knowact.core.task import Task
    from knowact.datasets.audit_file import AnswerFile, Answers
    from knowact.people.audit import Event, Sheet, Spot

HELP = (
    "Type the number of an answer, or how it begins.",
    "  s  skip this question: you cannot say (skipped questions are counted)",
    "  b  go back to the question before; what you say there replaces what you said",
    "  q  quit; the same command goes on where you stopped",
    "  ?  this help, how to decide, and the task once more",
)


class _Quit(Exception):  # noqa: N818 - a wish, not an error
    """The annotator wants to stop, or the input has ended."""


class Interview:
    """A sitting.

    Args:
        audit: What is asked.
        plan: The data set; it opens the worlds of which annotators see what an agent is shown.
        sheet: What was answered so far.
        file: Where answers are kept.
        kind: What it is, in the words that greet the annotator.
        details: Whether each parameter of the tools is explained.
    """

    def __init__(
        self,
        audit: "Audit",
        plan: "Plan",
        sheet: "Sheet",
        file: "AnswerFile",
        kind: str = "Audit",
        *,
        details: bool = False,
    ) -> None:
        self._audit, self._plan, self._sheet, self._file = audit, plan, sheet, file
        self._kind, self._details = kind, details
        self._items = {item.task.id: item for item in reversed(plan.items)}
        self._on_screen: tuple[str, bool] | None = None

    def hold(self) -> int:
        """Ask until all is answered or the annotator stops; return the exit code."""
        self._greet()
        try:
            while True:
                spot = self._sheet.here()
                if spot is None:
                    self._finish()
                    if self._sheet.here() is None:
                        return self._close("That was all. Thank you!")
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
        from knowact.core.clean import one_line
        from knowact.report.task_text import wrapped

        answers, wide = self._file.answers, terminal.width()
        size = len(self._sheet.order)
        said = len(self._sheet.answers)
        data = f"{answers.head.suite}/{answers.head.data}"
        click.echo(f"{self._kind} of {data}. Annotator: {one_line(answers.head.annotator)}")
        if size < answers.head.n:
            click.echo(f"The data set holds {size} tasks, so all of them are asked about.")
        if answers.torn:
            start = one_line(answers.torn.strip("\n"))[:60]
            click.echo(
                f"The last line of {answers.file} was cut off ({start!r}) and is removed; it is asked again."
            )
        if self._sheet.here() is None:
            return
        if said:
            total = size * len(self._audit.questions)
            click.echo(f"Welcome back: {said:,} of {total:,} questions are behind you.")
        terminal.say("", *wrapped(self._audit.about, wide, ""), "", *HELP)

    def _ask(self, spot: "Spot", question: "Question") -> None:
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
            click.echo(f"Type a number from 1 to {len(question.choices)}; ? for help.")

    def _confirm(self, spot: "Spot") -> None:
        """The last moment at which the blind answers to a task can be changed."""
        from knowact.people.audit import PlanShown

        if self._audit.blind:
            self._show(spot, with_plan=False)
            click.echo("\nNext you see the plan; then your answers about this task so far stand.")
            if self._enter("[Enter to see it, b, q] > ") == "b":
                return self._back()
        return self._keep(PlanShown(item=spot.task.id))

    def _finish(self) -> None:
        click.echo("\nEvery question is behind you.")
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
            click.echo("There is nothing before this that could still be changed.")

    def _keep(self, event: "Event") -> None:
        self._file.append(event)
        complaint = self._sheet.take(event)
        assert not complaint, complaint

    def _show(self, spot: "Spot", with_plan: bool) -> None:
        """Show the task, unless it is what was shown last."""
        from knowact.report.task_text import plan_lines, query_lines

        task, wide = spot.task, terminal.width()
        if self._on_screen == (task.id, with_plan):
            return
        if self._on_screen != (task.id, False):
            terminal.say("", "-" * wide, f"Task {spot.number} of {len(self._sheet.order)}", "")
            tools = self._items[task.id].tools
            terminal.say(*query_lines(task, self._context(task), tools, wide, details=self._details))
        if with_plan:
            terminal.say("", "The plan:", *plan_lines(task, wide, first=1))
        self._on_screen = (task.id, with_plan)

    def _context(self, task: "Task") -> Mapping[str, str]:
        from knowact.worlds.registry import open_world

        return open_world(task.world, self._plan.world_seed).context()

    def _close(self, said: str) -> int:
        sheet = self._sheet
        skipped = f", {sheet.skipped:,} of them skipped" if sheet.skipped else ""
        done = len(sheet.answers)
        what = "question" if done == 1 else "questions"
        click.echo(f"{said} {done:,} {what} done{skipped}; {sheet.left:,} left.")
        click.echo(f"Your answers are kept in {self._file.answers.file}.")
        if sheet.left:
            click.echo("The same command goes on.")
        return 1 if sheet.left else 0


def filled(sheet: "Sheet", answers: "Answers") -> "Sheet":
    """Enter what a file holds.

    Raises:
        BadData: An event does not fit the questions: the file was edited by hand.
    """
    from knowact.core.errors import BadData

    for event, line in zip(answers.events, answers.lines, strict=True):
        if complaint := sheet.take(event):
            raise BadData(complaint, line.place(), "restore the file, or remove the line")
    return sheet


def chosen(question: "Question", typed: str) -> str | None:
    """Return the choice that was meant: by its number, or by how it begins if only one begins so."""
    choices = list(question.choices)
    if typed.isdecimal():
        return choices[int(typed) - 1] if len(typed) < 3 and 0 < int(typed) <= len(choices) else None  # noqa: PLR2004
    plain = typed.replace(" ", "_").replace("-", "_")
    found = [choice for choice in choices if plain and choice.casefold().startswith(plain)]
    return found[0] if len(found) == 1 else None


def _answer(item: str, question: str, answer: str | None) -> "Event":
    from knowact.people.audit import Answer

    return Answer(item=item, question=question, answer=answer)


def _question_lines(question: "Question", before: str | None) -> list[str]:
    from knowact.report.task_text import wrapped

    wide = terminal.width()
    lines = wrapped(question.text, wide, "")
    for number, (choice, meaning) in enumerate(question.choices.items(), start=1):
        name = choice.replace("_", " ")
        lines += wrapped(f"{name}: {meaning}" if meaning else name, wide, f"  {number}  ")
    if before is not None:
        lines.append(f"You said: {before.replace('_', ' ')}")
    return lines


def _guide_lines(question: "Question") -> list[str]:
    from knowact.report.task_text import wrapped

    return ["", *wrapped(question.guide, terminal.width(), "")] if question.guide else []
