"""Pairs of anybody's complete items: `knowact forge ict --from`.

A pair is tried: tools are replaced, or a value is taken out of the user's words. Where all tools declare what
they can do, the prover says whether that makes the item impossible; else a judge is shown one version at a
time, and most of its votes must name what was taken, and nothing for the complete version. The silence of a
text is always a judge's. What fails is tried otherwise, a few times, and counted by reason.

What has to be asked for follows from what is kept: `votes.jsonl` and `texts.jsonl` grow as answers come.
"""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from importlib import resources
from pathlib import Path
from typing import Any, Final, cast

from pydantic import JsonValue

from knowact.core.clean import append_line
from knowact.core.model import Noun
from knowact.core.prompts import load_prompt
from knowact.core.proof import PROOF, Possibility, Unprovable
from knowact.core.seeds import generator
from knowact.core.tool import Tool
from knowact.datasets.in_world import fact_missed
from knowact.datasets.lines import rows_of
from knowact.datasets.own import ITEMS, MANIFEST, Manifest, in_turn
from knowact.forge.alike import scorer
from knowact.forge.asking import NotYet, ToAsk, stop_if_hopeless
from knowact.forge.complete import BOTH, CompleteItem, PairWishes, Source
from knowact.probes.probe import context_as_text, tools_as_text
from knowact.roles.judge import Votes
from knowact.suites.ict.cases import Manipulation, Pair, Version
from knowact.suites.ict.proving import prove_complete, prove_incomplete, strength
from knowact.suites.ict.removing import Removable, Rewritten, complaints, read_texts, to_write
from knowact.suites.ict.replacing import Pools
from knowact.suites.ict.tries import NO_TEXT, Try, tries
from knowact.worlds.overlay import offered_under
from knowact.worlds.registry import open_world

GENERATOR: Final = "knowact forge ict --from 1"
VOTES, TEXTS, REJECTED, DATASHEET = "votes.jsonl", "texts.jsonl", "rejected.jsonl", "README.md"

POSSIBLE, PART, TOOL, INFORMATION = "possible", "part", "tool", "information"
VERDICTS: Final = (POSSIBLE, PART, TOOL, INFORMATION)
"""What a judge can say of one version."""

WANTED: Final[Mapping[Manipulation, str]] = {
    Manipulation.REPLACEMENT: TOOL,
    Manipulation.REMOVAL: INFORMATION,
}
"""What most votes must say of an incomplete version."""

NOTHING_TO_TRY: Final[Mapping[Manipulation, str]] = {
    Manipulation.REPLACEMENT: "no tool of the wanted level can stand there",
    Manipulation.REMOVAL: "no required value is said by the user, once and nowhere else",
}
STILL_POSSIBLE: Final[Mapping[Manipulation, str]] = {
    Manipulation.REPLACEMENT: "a tool that is left can serve it",
    Manipulation.REMOVAL: "it can be done without the value",
}
STILL_PARTLY: Final = "one of several requests can still be served"


class Vote(Noun):
    """One vote of a judge: `asked` is the hash of all that it was shown."""

    asked: str
    judge: str
    vote: int
    prompt: str
    verdict: str
    why: str = ""


class Rejection(Noun):
    """What was tried and cannot be used; `number` is 0 where there was nothing to try."""

    item: str
    way: Manipulation
    number: int
    reason: str
    detail: str = ""


class _Rejected(Exception):  # noqa: N818 - reads as a sentence where it is raised
    """This try makes no pair: the reason by which it is counted, and what else there is to say."""

    def __init__(self, reason: str, detail: str = "") -> None:
        self.reason, self.detail = reason, detail
        super().__init__(reason)


class _Waiting(Exception):  # noqa: N818 - likewise
    """An answer is needed first."""


class Making:
    """Pairs in the making; attributes as in `forge.complete.Pairing`.

    Args:
        source: The complete items.
        wishes: What is wanted of the pairs.
    """

    def __init__(self, source: Source, wishes: PairWishes) -> None:
        self.source, self.wishes = source, wishes
        self._pools = Pools(source.items, scorer(wishes.retriever))
        self._tries: dict[tuple[str, Manipulation], list[Try]] = {}
        self._texts: dict[str, Rewritten] = {}
        self._votes: defaultdict[str, defaultdict[str, dict[int, Vote]]] = defaultdict(
            lambda: defaultdict(dict[int, Vote])
        )
        self._looked: list[Pair] | None = None
        self._asked: dict[str, str] = {}
        self._wanted: dict[str, Removable] = {}
        self._rejected: list[Rejection] = []
        self._prompt = load_prompt("knowact.suites.ict", "suffices")
        if (file := wishes.folder / TEXTS).exists():
            self._texts = {one.brief: one for one in read_texts(file)}
        for vote in rows_of(Vote, wishes.folder / VOTES):
            self._count(vote)

    def questions(self) -> Sequence[ToAsk[object]]:
        """The votes that are open."""
        self._look()
        judge = self.wishes.judge
        return [
            ToAsk(
                f"{asked}.{number}",
                text,
                partial(self._vote, asked=asked, number=number),
                f"no usable vote on {asked}",
                told=False,
                seed=number,
            )
            for asked, text in self._asked.items()
            for number in range(1, self.wishes.votes + 1)
            if number not in self._votes[asked][judge]
        ]

    def _vote(self, reply: Mapping[str, Any], _: int, *, asked: str, number: int) -> Vote:
        if (verdict := reply.get("verdict")) not in VERDICTS:
            raise NotYet("the reply has none of the verdicts.")
        return Vote(
            asked=asked,
            judge=self.wishes.judge,
            vote=number,
            prompt=self._prompt.sha256,
            verdict=str(verdict),
            why=str(reply.get("why", "")),
        )

    def wanted(self, writer: str) -> Sequence[ToAsk[object]]:
        """The texts that are open."""
        self._look()
        return [to_write(one.brief, writer) for one in self._wanted.values()]

    def briefs(self) -> Sequence[str]:
        """The same for people."""
        self._look()
        return [one.brief.model_dump_json() for one in self._wanted.values()]

    def take(self, file: Path) -> Mapping[str, Sequence[str]]:
        """Keep the texts of a file that are wanted now; what is wrong with the others, by brief."""
        self._look()
        wrong: dict[str, Sequence[str]] = {}
        for answer in read_texts(file):
            one = self._wanted.get(answer.brief)
            if one is not None and (found := complaints(one.brief, answer)):
                wrong[answer.brief] = found
            elif one is not None:
                self.keep(answer)
        return wrong

    def keep(self, answer: object) -> None:
        """Keep a text or a vote, on the disk at once.

        Raises:
            BadUsage: The writer produces no valid text for most of them.
        """
        self._looked = None
        self.wishes.folder.mkdir(parents=True, exist_ok=True)
        if isinstance(answer, Rewritten):
            self._texts[answer.brief] = answer
            append_line(self.wishes.folder / TEXTS, answer.model_dump_json(exclude_defaults=True))
            if answer.failed:
                own = [one.failed for one in self._texts.values() if one.writer == answer.writer]
                stop_if_hopeless(answer.writer, own)
        elif isinstance(answer, Vote):
            self._count(answer)
            append_line(self.wishes.folder / VOTES, answer.model_dump_json(exclude_defaults=True))

    def _count(self, vote: Vote) -> None:
        self._votes[vote.asked][vote.judge][vote.vote] = vote

    def _look(self) -> list[Pair]:
        """Go through the items until enough pairs are made or under way; what is open is noted."""
        if self._looked is None:
            self._asked, self._wanted, self._rejected = {}, {}, []
            self._looked = [pair for way, size in self._shares() for pair in self._made(way, size)]
        return self._looked

    def _shares(self) -> Iterator[tuple[Manipulation, int]]:
        """How many pairs of which kind are wanted."""
        every = len(self.source.items)
        ways = [one for one in Manipulation if self.wishes.way in {BOTH, one.value.partition("_")[2]}]
        size = every * len(ways) if self.wishes.size is None else self.wishes.size
        for number, way in enumerate(ways):
            yield way, (size + len(ways) - 1 - number) // len(ways)

    def _made(self, way: Manipulation, size: int) -> Iterator[Pair]:
        """The pairs of one kind that are finished, of as many as are wanted."""
        items = list(self.source.items)
        generator(self.wishes.seed, "order").shuffle(items)
        # From both ends, so that no item is used twice while there are others.
        order = iter(items if way is Manipulation.REPLACEMENT else reversed(items))
        while size > 0 and (item := next(order, None)) is not None:
            try:
                pair = self._pair(item, way)
            except _Waiting:
                size -= 1
                continue
            if pair is not None:
                size -= 1
                yield pair

    def _pair(self, item: CompleteItem, way: Manipulation) -> Pair | None:
        """The first try that makes a pair; None where none does.

        Raises:
            _Waiting: An answer is needed first.
        """
        key = item.task.id, way
        if key not in self._tries:
            self._tries[key] = tries(item, way, self._pools, self.wishes)
        if not self._tries[key]:
            self._rejected.append(Rejection(item=key[0], way=way, number=0, reason=NOTHING_TO_TRY[way]))
        for number, one in enumerate(self._tries[key], start=1):
            try:
                return self._verified(one)
            except _Rejected as error:
                self._rejected.append(
                    Rejection(item=key[0], way=way, number=number, reason=error.reason, detail=error.detail)
                )
        return None

    def _verified(self, one: Try) -> Pair:
        """The pair of a try, proven or judged.

        Raises:
            _Rejected: It is not what it claims to be.
            _Waiting: An answer is needed first.
        """
        draft = one.pair()
        if not draft.incomplete_version.offered:
            raise _Rejected("no tool would be left")
        proved = self._proved(draft, one.tools)
        verified: dict[str, JsonValue] = {}
        if not proved:
            verified |= self._judged("complete", POSSIBLE, draft.complete_version, one.tools)
        text = NO_TEXT if one.removable is None else self._text(one.removable)
        if one.removable is not None or not proved:
            version = one.pair(text).incomplete_version
            verified |= self._judged("incomplete", WANTED[one.way], version, one.tools)
        made: dict[str, JsonValue] = {
            "generator": GENERATOR,
            "from": self.source.info.name,
            "from_sha256": self.source.info.sha256,
            "pair_seed": self.wishes.seed,
            PROOF: strength(one.item.task, proved=proved),
            "votes": verified,
        }
        if one.removable is not None:
            made["removal"] = text.model_dump(mode="json", include={"brief", "writer", "prompt", "attempts"})
        return one.pair(text, made)

    def _proved(self, pair: Pair, tools: Mapping[str, Tool]) -> bool:
        """Whether the prover says that the pair is what it claims; False where it can say nothing.

        Raises:
            _Rejected: It says something else.
        """
        names = {*pair.complete_version.offered, *pair.incomplete_version.offered}
        names |= {call.tool for call in pair.past}
        if any(name not in tools or tools[name].capability is None for name in names):
            return False
        try:
            complete, incomplete = prove_complete(pair, tools), prove_incomplete(pair, tools)
        except Unprovable:
            return False
        if complete.possibility is not Possibility.POSSIBLE:
            raise _Rejected("its complete version is not proven possible")
        if incomplete.possibility is Possibility.POSSIBLE:
            raise _Rejected(STILL_POSSIBLE[pair.manipulation])
        if incomplete.possibility is Possibility.PARTLY:
            raise _Rejected(STILL_PARTLY)
        if missed := fact_missed(pair.task, self.source.seed):
            raise _Rejected("its plan does not lead to its facts", missed)
        return True

    def _text(self, one: Removable) -> Rewritten:
        """The text of a removal.

        Raises:
            _Rejected: Its writer refused it, or never got it right.
            _Waiting: There is none yet.
        """
        text = self._texts.get(one.brief.id)
        if text is None:
            self._wanted[one.brief.id] = one
            raise _Waiting
        if text.refused:
            raise _Rejected("its writer refused it", text.refused)
        if text.failed:
            raise _Rejected("its writer produced no valid text", text.failed)
        return text

    def _judged(
        self, name: str, wanted: str, version: Version, tools: Mapping[str, Tool]
    ) -> dict[str, JsonValue]:
        """What the judge says of one version, as it is kept.

        Raises:
            _Rejected: Most votes say something else than is wanted.
            _Waiting: Votes are missing.
        """
        shown = offered_under(version.task.offered, tools, version.condition)
        context = context_as_text(open_world(version.task.world, self.source.seed).context())
        values = {
            "context": context or "(nothing)",
            "tools": tools_as_text(shown),
            "conversation": version.task.opening.text,
        }
        text = self._prompt.fill(values)
        asked = hashlib.sha256(text.encode()).hexdigest()[:12]
        by = self._votes[asked]
        judge = self.wishes.judge or max(by, key=lambda one: len(by[one]), default="")
        cast_ = [one for number, one in sorted(by[judge].items()) if number <= self.wishes.votes]
        if len(cast_) < self.wishes.votes:
            self._asked[asked] = text
            raise _Waiting
        found = tuple(one.verdict for one in cast_)
        winner = Votes(VERDICTS, found).winner
        if winner != wanted:
            left = {POSSIBLE: STILL_POSSIBLE[version.pair.manipulation], PART: STILL_PARTLY}
            said = f"the judge says of the {name} version: {winner or 'votes differ'}"
            raise _Rejected(said if name == "complete" else left.get(winner or "", said))
        return {name: {"judge": judge, "prompt": cast_[0].prompt, "verdicts": list(found)}}

    def freeze(self) -> tuple[int, Sequence[str]]:
        """Write what was rejected, and the data set, where there is any pair."""
        pairs = in_turn(self._look(), lambda pair: (pair.manipulation, pair.source))
        told = _told(pairs, self._rejected)
        texts = {REJECTED: "".join(f"{one.model_dump_json()}\n" for one in self._rejected)}
        if pairs:
            texts |= self._data_set(pairs, told)
        self.wishes.folder.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            (self.wishes.folder / name).write_text(text, encoding="utf-8", newline="\n")
        return len(pairs), told

    def _data_set(self, pairs: Sequence[Pair], told: Sequence[str]) -> dict[str, str]:
        """The files of the data set, the manifest last: half a data set is never taken for a whole one."""
        items = "".join(f"{pair.model_dump_json()}\n" for pair in pairs)
        manifest = Manifest(
            name=f"from-{self.source.info.name}",
            version=f"1-A.seed{self.wishes.seed}",
            sha256=hashlib.sha256(items.encode()).hexdigest(),
            seed=self.source.seed,
            world=", ".join(sorted({pair.task.world.name for pair in pairs})),
            generator=GENERATOR,
            licence=f"that of {self.source.info.name}",
            datasheet=DATASHEET,
            size=len(pairs),
            written_by=self.source.info.written_by,
        )
        sheet = resources.files("knowact.suites.ict").joinpath("datasheet_from.md").read_text("utf-8")
        figures = "\n".join(f"- {line}" for line in (*self._origin(), *told))
        return {
            ITEMS: items,
            DATASHEET: sheet.replace("{figures}", figures),
            MANIFEST: manifest.text(),
        }

    def _origin(self) -> Iterator[str]:
        """Where the items are from, and what made pairs of them."""
        info, wishes = self.source.info, self.wishes
        yield f"Items: {len(self.source.items):,} of {info.name}@{info.version} (sha256 {info.sha256})."
        for why, count in self.source.set_aside.items():
            yield f"Not used: {count:,} ({why})."
        yield f"Seed {wishes.seed}; similar tools by {wishes.retriever}; {wishes.votes} votes on a question."


def _told(pairs: Sequence[Pair], rejected: Sequence[Rejection]) -> list[str]:
    """What a data set is made of, a sentence each."""
    made = Counter(f"{pair.manipulation.value.replace('_', ' ')}{_level(pair)}" for pair in pairs)
    proofs = Counter(pair.proof for pair in pairs)
    told = (
        [f"{len(pairs):,} pairs: {_listed(made)}.", f"Proof: {_listed(proofs)}."] if pairs else ["No pair."]
    )
    removals = [pair.task.provenance.get("removal") for pair in pairs]
    writers = Counter(str(one["writer"]) for one in removals if isinstance(one, dict))
    if writers:
        told.append(f"Words taken out by: {_listed(writers)}.")
    judges, split = _judges(pairs)
    if judges:
        told.append(f"Judged by: {_listed(judges)} questions; on {split:,} of them the votes differed.")
    if both := writers.keys() & judges.keys():
        told.append(f"{', '.join(sorted(both))} judged texts of its own.")
    for reason, count in Counter(one.reason for one in rejected).most_common():
        told.append(f"Rejected: {count:,} ({reason}).")
    return told


def _level(pair: Pair) -> str:
    return f" ({pair.level.value})" if pair.level else ""


def _listed(counts: Counter[str]) -> str:
    return ", ".join(f"{count:,} {name}" for name, count in sorted(counts.items()))


def _judges(pairs: Sequence[Pair]) -> tuple[Counter[str], int]:
    """How many questions each judge settled, and on how many of them its votes differed."""
    every: list[Mapping[str, Any]] = [
        votes for pair in pairs for votes in cast("Mapping[str, Any]", pair.task.provenance["votes"]).values()
    ]
    return Counter(str(one["judge"]) for one in every), sum(len(set(one["verdicts"])) > 1 for one in every)
