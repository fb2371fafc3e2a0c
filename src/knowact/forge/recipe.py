"""From a seed to a data set: what a suite says about its data, and the stations that all data pass.

Plan, write, check, rate, freeze. A folder holds what is there by now: `plans.jsonl` says what was chosen,
`texts.jsonl` and `ratings.jsonl` are added to as answers come, so a killed command goes on; `items.jsonl`,
manifest and datasheet come last. The same plans and texts give the same bytes.
"""

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any, Final

from knowact.core.clean import append_line, dumps
from knowact.core.model import Noun, Row
from knowact.core.role_model import family
from knowact.core.suite import AnySuite
from knowact.datasets.lines import rows_of
from knowact.datasets.own import ITEMS, MANIFEST, Manifest, read_manifest
from knowact.forge.asking import stop_if_hopeless
from knowact.forge.briefs import Brief, BriefAnswer, Discard, Written, brief_of
from knowact.forge.choose import Kind, Watch, candidates, chosen, unwatched
from knowact.forge.complete import Pairing, PairWishes, Source
from knowact.forge.drafts import Draft, Sketch, Unusable, drafted
from knowact.forge.figures import Finished, discards, figures
from knowact.forge.flat import FLAT, flat
from knowact.forge.ratings import BlindReading, Rating, decided, discarded
from knowact.forge.texts import complaints, read_answers
from knowact.retrieval.duplicates import without_duplicates
from knowact.worlds import registry
from knowact.worlds.material import Material

PLANS: Final = "plans.jsonl"
TEXTS: Final = "texts.jsonl"
RATINGS: Final = "ratings.jsonl"
READINGS: Final = "readings.jsonl"
DATASHEET: Final = "README.md"
SEED: Final = 27
"""The seed of the shipped data; others are named in the version."""
_OF_THE_SHIPPED_SET: Final = re.compile(r"<!-- shipped -->\n(.*?)<!-- /shipped -->\n", re.DOTALL)
REWRITES: Final = 2
"""How often a model writes a text again that judges discarded, before its brief is given up."""
ALIKE: Final = 0.8
"""Texts with a similarity from here on count as one written twice (retrieval.duplicates)."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """What a suite says about its data.

    Attributes:
        world: The world that they are made in, by name.
        version: Of the data made with the shipped seed.
        sizes: How many of each kind the whole data set has.
        rows: Makes the rows of finished drafts, in order, given the world and its seed.
        generator: What makes the rows, with the data's version.
        package: The suite's; its `datasheet.md` has `{figures}` where the figures are to stand.
        brief: Makes the brief of a draft, given the world and its seed.
        fits: Whether a draft can be used, given the world and its seed.
        borrows: Suites whose finished requests its rows are made of as well, by the names that people type.
        pairing: Makes pairs of complete items that somebody else wrote; None where it can't.
        kind: What a row is in words, for counting.
        own_tools: What takes its place for somebody's own tools; None where it serves them itself.
    """

    world: str
    version: str
    sizes: Mapping[Kind, int]
    rows: Callable[[Sequence[Finished], Material, int], Sequence[Row]]
    generator: str
    package: str
    brief: Callable[[Draft, Material, int], Brief] = brief_of
    fits: Callable[[Draft, Material, int], bool] = lambda _draft, _material, _seed: True
    borrows: Sequence[str] = ()
    pairing: Callable[[Source, PairWishes], Pairing] | None = None
    kind: Callable[[Any], str] = lambda _row: "items"
    own_tools: "Recipe | None" = None


@dataclass(slots=True)
class Work:
    """A data set in the making.

    Attributes:
        recipe: The suite's.
        material: The world.
        seed: The world's seed.
        order: The kind of draft that each place wants.
        folder: Where everything is kept.
        watch: Told how far the scenarios are drawn.
        writer: Who writes now; what somebody else never got right is open to them.
        without: The keys of sketches that are not drawn anew.
        answers: The texts and refusals that are there, by brief.
        ratings: The votes that are there.
        readings: What readers said by now.
        drafts: What was chosen, in order.
        refused: What was chosen, then refused or given up.
        empty: How many places have stayed empty, because no other draft was left.
        surplus: What was chosen for a larger data set than is wanted now.
        borrowed: Finished requests of other data sets, of the same world and seed.
    """

    recipe: Recipe
    material: Material
    seed: int
    order: Sequence[Kind]
    folder: Path
    watch: Watch = unwatched
    writer: str = ""
    without: Collection[str] = ()
    answers: dict[str, BriefAnswer] = field(default_factory=dict[str, BriefAnswer])
    ratings: list[Rating] = field(default_factory=list[Rating])
    readings: list[BlindReading] = field(default_factory=list[BlindReading])
    drafts: list[Draft] = field(default_factory=list[Draft])
    refused: list[Sketch] = field(default_factory=list[Sketch])
    empty: int = 0
    surplus: list[Draft] = field(default_factory=list[Draft])
    borrowed: Sequence[Finished] = ()
    _briefs: dict[str, Brief] = field(default_factory=dict[str, Brief])
    _pool: list[Draft] | None = None

    def __post_init__(self) -> None:
        texts = self.folder / TEXTS
        self.answers |= read_answers(texts) if texts.exists() else {}
        self.ratings += rows_of(Rating, self.folder / RATINGS)
        self.readings += rows_of(BlindReading, self.folder / READINGS)
        for sketch in rows_of(Sketch, self.folder / PLANS):
            if sketch.refused:
                self.refused.append(sketch)
                continue
            # A plan that its scenario no longer yields, or that does not fit any more, is replaced.
            with suppress(Unusable):
                draft = drafted(sketch, self.material, self.seed)
                if self.recipe.fits(draft, self.material, self.seed):
                    self.drafts.append(draft)

    def choose(self) -> None:
        """Fill every place that is empty, or whose draft was dropped, and write down what was chosen.

        Where no other draft is left for one that was dropped, its place stays empty.

        Raises:
            BadUsage: The scenarios do not yield enough.
        """
        dropped = {draft.sketch.key for draft in self.drafts if self._is_dropped(draft)}
        written = {draft.sketch.key for draft in self.drafts if self._is_written(draft)}
        self._fill(dropped)
        # Which of a stranger's tools find partners shows when it is tried. What is written stays: it may yet.
        while not self.material.seeded and (idle := self.idle() - written):
            self._fill(idle)
        self.folder.mkdir(parents=True, exist_ok=True)
        every = (*(draft.sketch for draft in (*self.drafts, *self.surplus)), *self.refused)
        lines = (sketch.model_dump_json(exclude_defaults=True) for sketch in every)
        (self.folder / PLANS).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")

    def _fill(self, dropped: Collection[str]) -> None:
        """Set the drafts of these keys aside for good, and fill every place that is empty."""
        self.refused += [
            draft.sketch.model_copy(update={"refused": True})
            for draft in self.drafts
            if draft.sketch.key in dropped
        ]
        every = (*self.drafts, *self.surplus)
        kept = [draft for draft in every if draft.sketch.key not in dropped and not self._is_dropped(draft)]
        if self._pool is None and Counter(self.order) - Counter(draft.kind for draft in kept):
            self._pool = [
                draft
                for draft in candidates(self.material, self.seed, self.watch)
                if draft.kind in self.recipe.sizes
                and draft.sketch.key not in self.without
                and self.recipe.fits(draft, self.material, self.seed)
            ]
        self.drafts = chosen(
            self._pool or (),
            self.order,
            self.material,
            self.seed,
            kept=kept,
            refused=self.refused,
            spare=len(self.refused),
        )
        self.empty = len(self.order) - len(self.drafts)
        used = {draft.sketch.key for draft in self.drafts}
        self.surplus = [draft for draft in kept if draft.sketch.key not in used]

    def rehearsed(self) -> Sequence[Row]:
        """The rows that come of the drafts, with makeshift texts where there are none yet."""
        done = {draft.draft.sketch.key: draft for draft in self.finished()}
        every = [done.get(draft.sketch.key) or _makeshift(draft, self.brief(draft)) for draft in self.drafts]
        return self.recipe.rows(every, self.material, self.seed)

    def idle(self) -> set[str]:
        """The drafts of which no row would come, by their sketches' keys."""
        briefs = {draft.sketch.key: self.brief(draft) for draft in self.drafts}
        return _idle(briefs, self.rehearsed())

    def _is_dropped(self, draft: Draft) -> bool:
        answer = self.answers.get(self.brief(draft).id)
        return answer is not None and bool(answer.refused or (answer.failed and answer.writer == self.writer))

    def _is_written(self, draft: Draft) -> bool:
        answer = self.answers.get(self.brief(draft).id)
        return answer is not None and bool(answer.versions)

    def brief(self, draft: Draft) -> Brief:
        """The brief of a draft."""
        if draft.sketch.key not in self._briefs:
            self._briefs[draft.sketch.key] = self.recipe.brief(draft, self.material, self.seed)
        return self._briefs[draft.sketch.key]

    def open(self) -> list[Draft]:
        """The drafts that have no text yet; dropped ones are replaced first."""
        whole = len(self.drafts) + self.empty == len(self.order)
        if not whole or any(self._is_dropped(draft) for draft in self.drafts):
            self.choose()
        return [draft for draft in self.drafts if not self._is_written(draft)]

    def due(self, writer: str | None) -> list[Draft]:
        """The drafts that have no text yet; this writer's texts that repeat another are given up first."""
        for brief, other in self.repeated().items():
            if writer is not None and self.answers[brief].writer == writer:
                self.keep(
                    BriefAnswer(
                        brief=brief, writer=writer, failed=f"It says the same as the text of {other!r}."
                    )
                )
        return self.open()

    @property
    def given_up(self) -> list[str]:
        """What was wrong in the end with each text that its writer never got right."""
        return [answer.failed for answer in self.answers.values() if answer.failed]

    def complaints(self, draft: Draft, answer: BriefAnswer) -> list[str]:
        """What is wrong with an answer, a sentence each."""
        brief = self.brief(draft)
        now = hash_of(answer.versions)
        same = [discard for discard in self.discarded(brief) if hash_of(discard.versions) == now]
        return [
            *(f"the same text was discarded before. {discard.reason}" for discard in same),
            *complaints(brief, answer, draft.task, tuple(self.material.tools)),
        ]

    def discarded(self, brief: Brief) -> tuple[Discard, ...]:
        """The texts of a brief that judges failed, in order."""
        answer = self.answers.get(brief.id)
        return answer.discarded if answer is not None else ()

    def discard(self, votes: int) -> list[Discard]:
        """Discard every text that judges fail: its brief is open again, or given up by the writer at work.

        Args:
            votes: A text that has fewer is not decided yet.

        Raises:
            BadUsage: The writer produces no valid text for most briefs.
        """
        discards: list[Discard] = []
        for request in self.finished():
            discard = discarded(request.answer, request.ratings) if len(request.ratings) >= votes else None
            if discard is not None:
                discards.append(discard)
                history = (*request.answer.discarded, discard)
                self.keep(
                    BriefAnswer(
                        brief=request.brief.id,
                        writer=discard.writer,
                        failed=discard.reason if self._has_tried(history) else "",
                        attempts=request.answer.attempts,
                        discarded=history,
                    )
                )
        return discards

    def _has_tried(self, history: Sequence[Discard]) -> bool:
        """Whether the model at work gives up a brief of which judges discarded these texts.

        It gives up only what it wrote itself. What people wrote stays open, for it and for them.
        """
        own = sum(discard.writer == self.writer for discard in history)
        # The flat writer has one text for a brief.
        most = 0 if self.writer == FLAT else REWRITES
        return bool(self.writer) and history[-1].writer == self.writer and own > most

    def keep(self, answer: BriefAnswer) -> None:
        """Keep an answer, with the texts of its brief that were discarded before.

        Raises:
            BadUsage: Its writer produces no valid text for most briefs.
        """
        if not answer.discarded and (before := self.answers.get(answer.brief)):
            answer = answer.model_copy(update={"discarded": before.discarded})
        self.answers[answer.brief] = answer
        _add(self.folder / TEXTS, answer)
        if answer.failed:
            own = [each.failed for each in self.answers.values() if each.writer == answer.writer]
            stop_if_hopeless(answer.writer, own)

    def keep_rating(self, rating: Rating) -> None:
        """Keep a vote."""
        self.ratings.append(rating)
        _add(self.folder / RATINGS, rating)

    def keep_readings(self, readings: Iterable[BlindReading]) -> None:
        """Keep what readers said; a reading that is there already is passed over."""
        known = {(reading.brief, reading.text, reading.reader) for reading in self.readings}
        for reading in readings:
            if (reading.brief, reading.text, reading.reader) not in known:
                self.readings.append(reading)
                _add(self.folder / READINGS, reading)

    def take(self, answers: Iterable[BriefAnswer]) -> dict[str, list[str]]:
        """Keep the answers of a file that belong to open drafts and pass the checks.

        Returns:
            What is wrong with the others, by brief.
        """
        offered = {answer.brief: answer for answer in answers}
        wrong: dict[str, list[str]] = {}
        while due := [
            draft for draft in self.open() if self.brief(draft).id in offered.keys() - wrong.keys()
        ]:
            for draft in due:
                answer = offered[self.brief(draft).id]
                if problems := self.complaints(draft, answer):
                    wrong[answer.brief] = problems
                else:
                    self.keep(answer)
        return wrong

    def finished(self) -> list[Finished]:
        """Every draft with its texts, as far as they are there."""
        ratings: defaultdict[tuple[str, str], list[Rating]] = defaultdict(list)
        readings: defaultdict[tuple[str, str], list[BlindReading]] = defaultdict(list)
        for rating in self.ratings:
            ratings[rating.brief, rating.text].append(rating)
        for reading in self.readings:
            readings[reading.brief, reading.text].append(reading)
        finished: list[Finished] = []
        for draft in self.drafts:
            brief = self.brief(draft)
            answer = self.answers.get(brief.id)
            if answer is None or not answer.versions:
                continue
            read = {
                name: tuple(readings[brief.id, hash_of({name: written})])
                for name, written in answer.versions.items()
            }
            votes = tuple(ratings[brief.id, hash_of(answer.versions)])
            finished.append(Finished(draft, brief, answer, votes, read))
        return finished

    def repeated(self) -> dict[str, str]:
        """The briefs whose complete text repeats another one, each with that one's."""
        done = self.finished()
        kept = without_duplicates([request.text for request in done], ALIKE)
        return {done[place].brief.id: done[first].brief.id for place, first in kept.dropped.items()}


def recipe_of(suite: AnySuite) -> Recipe | None:
    """The recipe that a suite's data are made by; None where there is none.

    Raises:
        TypeError: The suite gives something else.
    """
    recipe = suite.recipe()
    if not isinstance(recipe, Recipe | None):
        raise TypeError(f"{suite.name}.recipe() must give a Recipe, not {recipe!r}")
    return recipe


def finished_in(folder: Path, recipe: Recipe) -> list[Finished]:
    """The finished requests of a data set's folder; none where it does not keep its plans.

    Raises:
        BadData: A file is not as it should be.
        UnknownName: There is no world of the recipe's name.
    """
    if not (folder / PLANS).exists():
        return []
    material = registry.find(recipe.world).material
    assert material is not None, "a recipe's world has scenarios"
    return Work(recipe, material(), read_manifest(folder).seed, (), folder).finished()


def used_in(folder: Path, done: Iterable[Finished]) -> list[Finished]:
    """Those of some finished requests that a data set's items are made of."""
    items = (folder / ITEMS).read_text(encoding="utf-8")
    return [request for request in done if _stands_in(items, request.brief)]


def hash_of(versions: Mapping[str, Written]) -> str:
    """Twelve hexadecimal digits of some versions' texts."""
    texts = {name: written.whole for name, written in sorted(versions.items())}
    return hashlib.sha256(dumps(texts).encode()).hexdigest()[:12]


def disputed_in(folder: Path) -> frozenset[str] | None:
    """The briefs of whose present texts a judge's vote denies a point; None without votes."""
    texts = folder / TEXTS
    answers: Mapping[str, BriefAnswer] = read_answers(texts) if texts.exists() else {}
    now = {name: hash_of(answer.versions) for name, answer in answers.items()}
    votes: defaultdict[str, list[Rating]] = defaultdict(list)
    for rating in rows_of(Rating, folder / RATINGS):
        if now.get(rating.brief, rating.text) == rating.text:
            votes[rating.brief].append(rating)
    if not votes:
        return None
    return frozenset(brief for brief, cast in votes.items() if {*decided(cast).values()} != {"passed"})


def freeze(work: Work) -> None:
    """Write the data set; the manifest comes last, so that half a data set is never taken for a whole one."""
    recipe, done = work.recipe, (*work.finished(), *work.borrowed)
    rows = recipe.rows(done, work.material, work.seed)
    items = "".join(f"{row.model_dump_json()}\n" for row in rows)
    # Of what is borrowed, not everything becomes a row.
    used = [request for request in done if _stands_in(items, request.brief)]
    digest = hashlib.sha256(items.encode()).hexdigest()
    version = recipe.version if work.seed == SEED else f"{recipe.version}.seed{work.seed}"
    package = resources.files(recipe.package)
    first = package.joinpath("data", f"{work.material.short}@{version}", MANIFEST)
    ours = Manifest.model_validate_json(first.read_text("utf-8")) if first.is_file() else None
    # What readers said of the shipped set is true of no other, nor who its authors are.
    shipped = ours if ours and ours.sha256 == digest else None
    manifest = Manifest(
        name=work.material.short,
        version=version,
        sha256=digest,
        seed=work.seed,
        world=recipe.world,
        generator=recipe.generator,
        licence="MIT",
        datasheet=DATASHEET,
        size=len(rows),
        labels=tuple(work.material.labels(step for request in used for step in request.draft.task.plan)),
        written_by=shipped.written_by if shipped else _families(used),
    )
    template = package.joinpath("datasheet.md").read_text("utf-8")
    datasheet = _OF_THE_SHIPPED_SET.sub(r"\1" if shipped else "", template)
    findings = "\n\n".join([figures(used), *discards(work.answers.values()), *manifest.labels])
    if work.given_up:
        count = len(work.given_up)
        findings += f"\n\nGiven up: {count:,} briefs for which the writer produced no valid text."
    texts = {
        ITEMS: items,
        DATASHEET: datasheet.replace("{figures}", findings),
        MANIFEST: manifest.text(),
    }
    for name, text in texts.items():
        (work.folder / name).write_text(text, encoding="utf-8", newline="\n")


def _families(used: Iterable[Finished]) -> tuple[str, ...]:
    """The families of the models that wrote; people, files and the flat writer have none."""
    return tuple(sorted({family(request.answer.writer) for request in used if "/" in request.answer.writer}))


def idle_of(drafts: Sequence[Draft], recipe: Recipe, material: Material, seed: int) -> set[str]:
    """The drafts of which no row would come, whatever their texts, by their sketches' keys."""
    briefs = {draft.sketch.key: recipe.brief(draft, material, seed) for draft in drafts}
    makeshift = [_makeshift(draft, briefs[draft.sketch.key]) for draft in drafts]
    return _idle(briefs, recipe.rows(makeshift, material, seed))


def _idle(briefs: Mapping[str, Brief], rows: Sequence[Row]) -> set[str]:
    written = "".join(row.model_dump_json() for row in rows)
    return {key for key, brief in briefs.items() if not _stands_in(written, brief)}


def _makeshift(draft: Draft, brief: Brief) -> Finished:
    """A draft with texts that nobody would write."""
    answer = flat(brief)
    return Finished(draft, brief, answer, readings=dict.fromkeys(answer.versions, ()))


def _stands_in(rows: str, brief: Brief) -> bool:
    """Whether a row was made of a brief; every row names its own."""
    return f'"brief":"{brief.id}"' in rows


def _add(file: Path, row: Noun) -> None:
    """Add a line, whole or not at all where the process is killed."""
    file.parent.mkdir(parents=True, exist_ok=True)
    append_line(file, row.model_dump_json(exclude_defaults=True))
