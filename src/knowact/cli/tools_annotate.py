"""`knowact tools annotate`: what own tools can do, said by models, corrected by people."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from knowact.cli import terminal
from knowact.cli.forge_asking import announce, ask
from knowact.cli.options import CONNECTIONS, HELP, connections_option, json_option, put_json, yes_option
from knowact.core.clean import one_line
from knowact.core.rounding import count
from knowact.core.table import Estimate
from knowact.core.task import Boundary
from knowact.running.roles import ANNOTATOR, AUDITOR, assigned
from knowact.tools.annotation import (
    PROOFS,
    PROPOSED,
    Annotated,
    Annotations,
    Effect,
    annotated,
    read_annotations,
    unknown_tools,
    write_proposed,
)
from knowact.tools.folder import ToolFolder, find
from knowact.tools.material import answered_calls, side_of

if TYPE_CHECKING:
    from knowact.core.prompts import Prompt
    from knowact.engine.annotating import ToVote
    from knowact.tools.claims import Question, Stage, Vote, Votes
    from knowact.tools.folder import OwnTool

OPEN_SHOWN: Final = 6
"""Claims that are named for a tool; how many there are is said."""


@click.command("annotate", context_settings=HELP)
@click.argument("name")
@click.option(
    "--role",
    multiple=True,
    metavar="annotator=MODEL|auditor=MODEL",
    help="The model that describes the tools, and the one that audits it [default: the same].",
)
@click.option(
    "--votes", type=click.IntRange(1), default=3, show_default=True, help="Votes per tool and stage."
)
@connections_option
@yes_option
@json_option
def command(name: str, role: tuple[str, ...], **given: Any) -> int:
    """Describe the tools of NAME for the proofs, beyond their schemas, and show what can be proven.

    A model proposes (--role annotator=MODEL) and audits its proposals blindly; what both stages agree on by
    majority goes into proposed.yaml, the rest stays open. Your own entries go into annotations.yaml, in the
    same form, and take precedence. Without --role, the command shows what is known. Interrupt it at any time;
    the same command resumes.
    """
    return annotate(name, assigned(role, (ANNOTATOR, AUDITOR)), **given)


def annotate(
    name: str,
    roles: Mapping[str, str],
    *,
    votes: int,
    max_connections: int = CONNECTIONS,
    yes: bool = False,
    json_file: Path | None = None,
) -> int:
    """Have tools described where an annotator is bound, and show what is known; return the exit code.

    Args:
        name: The tools'.
        roles: The model of each role.
        votes: Votes per tool and stage.
        max_connections: Concurrent calls.
        yes: Whether nobody is asked before calls that cost money.
        json_file: Where to write what is known as JSON; None shows it.

    Raises:
        KnowactError: There are no such tools, or a model cannot be used.
    """
    terminal.prepare()
    folder = find(name)
    lost = 0
    if ANNOTATOR in roles:
        asking = _asking(folder, roles[ANNOTATOR], roles.get(AUDITOR, roles[ANNOTATOR]))
        lost = asking.run(votes, max_connections, yes=yes)
    tools = annotated(folder)
    if json_file is not None:
        put_json(_as_json(folder, tools), json_file)
    else:
        _tell(folder, tools)
    if lost:
        click.echo(f"{count(lost, 'vote')} could not be obtained. Run the same command to resume.", err=True)
    return 1 if lost else 0


def announce_calls(votes: "Sequence[OwnTool]") -> None:
    """Say what more it may cost to ask about single calls.

    Args:
        votes: The tool of each vote that is due.
    """
    from knowact.tools.sides import options

    if more := sum(bool(options(own)) for own in votes):
        click.echo(
            "Tools that turn out to be external by their arguments are asked about once more: "
            f"at most {count(more, 'call')} beside these."
        )


@dataclass(frozen=True, slots=True)
class _Asking:
    """One run of the two stages over the tools of a folder.

    Attributes:
        folder: The tools.
        players: The model of each stage.
        prompts: The prompt of each question and stage.
        kept: What was said before, and is said now.
        people: What people say.
    """

    folder: ToolFolder
    players: "Mapping[Stage, str]"
    prompts: "Mapping[tuple[Question, Stage], Prompt]"
    kept: "Votes"
    people: Annotations

    @property
    def attributes(self) -> dict[str, str]:
        """What attributes there are; people's names come first."""
        return {**self.people.attributes, **self.kept.attributes}

    def run(self, votes: int, connections: int, *, yes: bool) -> int:
        """Ask for what is not there yet, and write what it comes to; how many votes are missing."""
        due = self._due(votes)
        unnamed = [own for own in self.folder.tools if own.name not in self.kept.named]
        self._announce(due, len(unnamed), yes=yes)
        lost = len(due)
        # Attributes are named once for all tools: a name that differs from tool to tool links nothing.
        if self._named(unnamed):
            lost = self._vote_all(due, connections)
            lost += self._vote_all(self._due_on_calls(votes), connections)
        write_proposed(self.folder, self._proposed())
        return lost

    def _proposed(self) -> Annotations:
        from knowact.tools.claims import proposed

        return proposed(self.folder, self.attributes, self._votes())

    def _votes(self) -> "list[Vote]":
        return self.kept.of(self.players, {asked: prompt.sha256 for asked, prompt in self.prompts.items()})

    def _due(self, votes: int) -> "list[ToVote]":
        return self._missing(votes, self.folder.tools, "tool")

    def _due_on_calls(self, votes: int) -> "list[ToVote]":
        """The votes on calls of tools that turned out to be external by their arguments."""
        from knowact.tools.sides import options

        proposed = self._proposed().tools
        by_argument = [
            own
            for own in self.folder.tools
            if own.name in proposed and proposed[own.name].when == "by_argument" and options(own)
        ]
        return self._missing(votes, by_argument, "calls")

    def _missing(self, votes: int, tools: "Sequence[OwnTool]", question: "Question") -> "list[ToVote]":
        from knowact.engine.annotating import ToVote
        from knowact.tools.claims import STAGES

        votes_cast = (vote for vote in self._votes() if vote.question == question)
        cast = {(vote.tool, vote.stage, vote.number) for vote in votes_cast}
        every = [
            ToVote(own, stage, number, question)
            for stage in STAGES
            for own in tools
            for number in range(1, votes + 1)
        ]
        return [due for due in every if (due.own.name, due.stage, due.number) not in cast]

    def _announce(self, due: "Sequence[ToVote]", unnamed: int, *, yes: bool) -> None:
        """Say what it will cost, by stage; ask where somebody is there to answer."""
        from knowact.tools.claims import AT_ONCE, STAGES, shown_tool

        announce_calls([vote.own for vote in due])
        for stage in STAGES:
            text = self.prompts["tool", stage].text
            every = [vote for vote in due if vote.stage == stage]
            size = sum(len(shown_tool(vote.own, hints=True)) + len(text) for vote in every)
            naming = -(-unnamed // AT_ONCE) if stage == "proposal" else 0
            if every or naming:
                role = ANNOTATOR if stage == "proposal" else AUDITOR
                announce(role, self.players[stage], len(every) + naming, size, yes=yes)

    def _named(self, tools: "Sequence[OwnTool]") -> bool:
        """Have the attributes of tools named, some tools at a time; whether that went well."""
        from knowact.core.prompts import load_prompt
        from knowact.engine.annotating import to_name
        from knowact.tools.claims import AT_ONCE

        prompt = load_prompt("knowact.tools", "attributes")
        for start in range(0, len(tools), AT_ONCE):
            batch = tools[start : start + AT_ONCE]
            model = self.players["proposal"]
            question = to_name(batch, prompt, model, self.attributes)
            if ask(model, [question], self.kept.name, 1).failures:
                return False
        return True

    def _vote_all(self, due: "Sequence[ToVote]", connections: int) -> int:
        """Have votes cast, stage by stage; how many are missing."""
        from knowact.tools.claims import STAGES

        return sum(
            self._vote(stage, every, connections)
            for stage in STAGES
            if (every := [vote for vote in due if vote.stage == stage])
        )

    def _vote(self, stage: "Stage", due: "Sequence[ToVote]", connections: int) -> int:
        """Have a stage's votes on one question cast; how many are missing."""
        from knowact.engine.annotating import to_vote

        model, prompt = self.players[stage], self.prompts[due[0].question, stage]
        questions = (to_vote(vote, prompt, model, self.attributes) for vote in due)
        return len(due) - ask(model, questions, self.kept.keep, connections).answered


def _asking(folder: ToolFolder, annotator: str, auditor: str) -> _Asking:
    from knowact.core.prompts import load_prompt
    from knowact.tools.claims import Votes

    return _Asking(
        folder,
        {"proposal": annotator, "audit": auditor},
        {
            ("tool", "proposal"): load_prompt("knowact.tools", "propose"),
            ("tool", "audit"): load_prompt("knowact.tools", "audit"),
            ("calls", "proposal"): load_prompt("knowact.tools", "propose-calls"),
            ("calls", "audit"): load_prompt("knowact.tools", "audit-calls"),
        },
        Votes(folder),
        read_annotations(folder.annotations),
    )


def _tell(folder: ToolFolder, tools: "Sequence[Annotated]") -> None:
    """Show what is said of each tool, and which proofs are closed."""
    width = min(40, max(len(tool.own.name) for tool in tools))
    recorded = [call for call, _ in answered_calls(folder)]
    for tool in tools:
        click.echo(
            f"  {one_line(tool.own.name):<{width}}  {_effect(tool):<14}  {tool.said.answer or 'not said'}"
        )
        for proof, why in tool.closed.items():
            click.echo(f"  {'':<{width}}  no proof of {PROOFS[proof]}: {one_line(why)}")
        if tool.said.when == "by_argument" and "label" not in tool.closed:
            click.echo(f"  {'':<{width}}  {_recorded_sides(tool, recorded)}")
        if tool.said.open:
            rest = len(tool.said.open) - OPEN_SHOWN
            more = f", and {rest} more" if rest > 0 else ""
            click.echo(f"  {'':<{width}}  open: {one_line(', '.join(tool.said.open[:OPEN_SHOWN]))}{more}")
    click.echo("\nOpen to proof:")
    for proof, meaning in PROOFS.items():
        ready = sum(proof not in tool.closed for tool in tools)
        click.echo(f"  {meaning}: {ready:,} of {count(len(tools), 'tool')}")
    for name in unknown_tools(folder):
        click.echo(f"annotations.yaml names {one_line(name)}, which {folder.name} does not have.", err=True)
    for note in (note for tool in tools for note in tool.notes):
        click.echo(f"{one_line(note)}.", err=True)
    for meaning, rate in _agreement(folder).items():
        if rate.value is not None:
            click.echo(
                f"  proposed.yaml agrees with annotations.yaml, {meaning}: {rate.value:.0%} of {rate.n:,}"
            )
    click.echo(f"\nWrite your corrections into {folder.annotations} (docs/annotating.md).")


def _recorded_sides(annotated_tool: Annotated, recorded: "Sequence[tuple[str, Mapping[str, Any]]]") -> str:
    """On which sides the recorded calls of a tool lie: conditions that miss what was meant show there."""
    of = side_of(annotated_tool.own, annotated_tool.said)
    sides = Counter(of(arguments).boundary for tool, arguments in recorded if tool == annotated_tool.own.name)
    return (
        f"recorded calls: {sides[Boundary.EXTERNAL]:,} external, {sides[Boundary.INTERNAL]:,} internal, "
        f"{sides[None]:,} on neither side"
    )


def _effect(tool: Annotated) -> str:
    """Whether a tool only reads, and whose word that is where it is not people's."""
    if tool.effect is not Effect.UNKNOWN:
        return str(tool.effect) if {"writes", "changes"} & tool.people else f"{tool.effect} (hint)"
    if tool.said.writes is None:
        return str(tool.effect)
    return f"{Effect.WRITES if tool.said.writes else Effect.READS} (model)"


def _agreement(folder: ToolFolder) -> Mapping[str, Estimate]:
    from knowact.tools.agreement import agreement

    return agreement(folder, read_annotations(folder.annotations), read_annotations(folder.path / PROPOSED))


def _as_json(folder: ToolFolder, tools: "Sequence[Annotated]") -> dict[str, Any]:
    rates = {
        label: {"value": rate.value, "n": rate.n, "low": rate.low, "high": rate.high}
        for label, rate in _agreement(folder).items()
    }
    return {
        "tools": [
            {
                "tool": tool.tool.model_dump(mode="json", exclude_none=True),
                "answer": tool.said.answer,
                "writes": tool.said.writes,
                "open": tool.said.open,
                "by_people": sorted(tool.people),
                "closed": tool.closed,
            }
            for tool in tools
        ],
        "agreement_with_people": rates,
    }
