"""From a seed to a data set: what a suite says about its data, and the stations that all data pass.

Plan, write, check, rate, freeze. A folder holds what is there by now: `plans.jsonl` says what was chosen,
`texts.jsonl` and `ratings.jsonl` are added to as answers come, so a killed command goes on; `items.jsonl`,
manifest and datasheet come last. The same plans and texts give the same bytes.
"""

import hashlib
import importlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Final, cast

from knowact.core.clean import append_line, dumps
from knowact.core.model import Noun, Row
from knowact.datasets.lines import parse, read_lines
from knowact.datasets.own import ITEMS, MANIFEST, Manifest, read_manifest
from knowact.forge.briefs import Answer, Brief, Written, brief_of
from knowact.forge.choose import Kind, Watch, candidates, chosen, unwatched
from knowact.forge.complete import Pairing, PairWishes, Source
from knowact.forge.drafts import Draft, Sketch, Unusable, drafted
from knowact.forge.figures import Finished, figures
from knowact.forge.ratings import Rating, Reading, decided, read_ratings, read_readings
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
        answers: The texts and refusals that are there, by brief.
        ratings: The votes that are there.
        readings: What readers said by now.
        drafts: What was chosen, in order.
        refused: What was chosen and refused.
        surplus: What was chosen for a larger data set than is wanted now.
        borrowed: Finished requests of other data sets, of the same world and seed.
    """

    recipe: Recipe
    material: Material
    seed: int
    order: Sequence[Kind]
    folder: Path
    watch: Watch = unwatched
    answers: dict[str, Answer] = field(default_factory=dict[str, Answer])
    ratings: list[Rating] = field(default_factory=list[Rating])
    readings: list[Reading] = field(default_factory=list[Reading])
    drafts: list[Draft] = field(default_factory=list[Draft])
    refused: list[Sketch] = field(default_factory=list[Sketch])
    surplus: list[Draft] = field(default_factory=list[Draft])
    borrowed: Sequence[Finished] = ()
    _briefs: dict[str, Brief] = field(default_factory=dict[str, Brief])
    _pool: list[Draft] = field(default_factory=list[Draft])

    def __post_init__(self) -> None:
        texts, plans = self.folder / TEXTS, self.folder / PLANS
        self.answers |= read_answers(texts) if texts.exists() else {}
        self.ratings += read_ratings(self.folder / RATINGS)
        self.readings += read_readings(self.folder / READINGS)
        for line in read_lines(plans) if plans.exists() else ():
            sketch = parse(Sketch, line)
            if sketch.refused:
                self.refused.append(sketch)
                continue
            # A plan that its scenario no longer yields, or that does not fit any more, is replaced.
            with suppress(Unusable):
                draft = drafted(sketch, self.material, self.seed)
                if self.recipe.fits(draft, self.material, self.seed):
                    self.drafts.append(draft)

    def choose(self) -> None:
        """Fill every place that is empty, or whose draft was refused, and write down what was chosen.

        Raises:
            BadUsage: The scenarios do not yield enough.
        """
        self.refused += [
            one.sketch.model_copy(update={"refused": True}) for one in self.drafts if self._is_refused(one)
        ]
        kept = [one for one in (*self.drafts, *self.surplus) if not self._is_refused(one)]
        if Counter(self.order) - Counter(one.kind for one in kept):
            self._pool = self._pool or [
                draft
                for draft in candidates(self.material, self.seed, self.watch)
                if draft.kind in self.recipe.sizes and self.recipe.fits(draft, self.material, self.seed)
            ]
        self.drafts = chosen(
            self._pool, self.order, self.material, self.seed, kept=kept, refused=self.refused
        )
        used = {one.sketch.key for one in self.drafts}
        self.surplus = [one for one in kept if one.sketch.key not in used]
        self.folder.mkdir(parents=True, exist_ok=True)
        every = (*(one.sketch for one in (*self.drafts, *self.surplus)), *self.refused)
        lines = (sketch.model_dump_json(exclude_defaults=True) for sketch in every)
        (self.folder / PLANS).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")

    def _is_refused(self, draft: Draft) -> bool:
        answer = self.answers.get(self.brief(draft).id)
        return answer is not None and bool(answer.refused)

    def brief(self, draft: Draft) -> Brief:
        """The brief of a draft."""
        if draft.sketch.key not in self._briefs:
            self._briefs[draft.sketch.key] = self.recipe.brief(draft, self.material, self.seed)
        return self._briefs[draft.sketch.key]

    def open(self) -> list[Draft]:
        """The drafts that have no text yet; refused ones are replaced first."""
        if any(self._is_refused(draft) for draft in self.drafts) or len(self.drafts) != len(self.order):
            self.choose()
        return [draft for draft in self.drafts if self.brief(draft).id not in self.answers]

    def complaints(self, draft: Draft, answer: Answer) -> list[str]:
        """What is wrong with an answer, a sentence each."""
        return complaints(self.brief(draft), answer, draft.task, tuple(self.material.tools))

    def keep(self, answer: Answer) -> None:
        """Keep an answer."""
        self.answers[answer.brief] = answer
        _add(self.folder / TEXTS, answer)

    def keep_rating(self, rating: Rating) -> None:
        """Keep a vote."""
        self.ratings.append(rating)
        _add(self.folder / RATINGS, rating)

    def keep_readings(self, readings: Iterable[Reading]) -> None:
        """Keep what readers said; a reading that is there already is passed over."""
        known = {(one.brief, one.text, one.reader) for one in self.readings}
        for one in readings:
            if (one.brief, one.text, one.reader) not in known:
                self.readings.append(one)
                _add(self.folder / READINGS, one)

    def take(self, answers: Iterable[Answer]) -> dict[str, list[str]]:
        """Keep the answers of a file that belong to open drafts and pass the checks.

        Returns:
            What is wrong with the others, by brief.
        """
        offered = {answer.brief: answer for answer in answers}
        wrong: dict[str, list[str]] = {}
        while due := [one for one in self.open() if self.brief(one).id in offered.keys() - wrong.keys()]:
            for draft in due:
                answer = offered[self.brief(draft).id]
                if found := self.complaints(draft, answer):
                    wrong[answer.brief] = found
                else:
                    self.keep(answer)
        return wrong

    def finished(self) -> list[Finished]:
        """Every draft with its texts, as far as they are there."""
        ratings: defaultdict[tuple[str, str], list[Rating]] = defaultdict(list)
        readings: defaultdict[tuple[str, str], list[Reading]] = defaultdict(list)
        for rating in self.ratings:
            ratings[rating.brief, rating.text].append(rating)
        for reading in self.readings:
            readings[reading.brief, reading.text].append(reading)
        found: list[Finished] = []
        for draft in self.drafts:
            brief = self.brief(draft)
            answer = self.answers.get(brief.id)
            if answer is None or answer.refused:
                continue
            read = {
                name: tuple(readings[brief.id, hash_of({name: written})])
                for name, written in answer.versions.items()
            }
            votes = tuple(ratings[brief.id, hash_of(answer.versions)])
            found.append(Finished(draft, brief, answer, votes, read))
        return found

    def repeated(self) -> dict[str, str]:
        """The briefs whose complete text repeats another one, each with that one's."""
        done = self.finished()
        kept = without_duplicates([one.text for one in done], ALIKE)
        return {done[place].brief.id: done[first].brief.id for place, first in kept.dropped.items()}


def load_recipe(reference: str) -> Recipe:
    """A suite's recipe by `Suite.forge` ("package.module:NAME")."""
    module, _, name = reference.partition(":")
    return cast("Recipe", getattr(importlib.import_module(module), name))


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


def hash_of(versions: Mapping[str, Written]) -> str:
    """Twelve hexadecimal digits of some versions' texts."""
    texts = {name: written.whole for name, written in sorted(versions.items())}
    return hashlib.sha256(dumps(texts).encode()).hexdigest()[:12]


def disputed_in(folder: Path) -> frozenset[str] | None:
    """The briefs about whose present texts the votes of judges differ in any point; None without votes."""
    texts = folder / TEXTS
    answers: Mapping[str, Answer] = read_answers(texts) if texts.exists() else {}
    now = {name: hash_of(answer.versions) for name, answer in answers.items()}
    votes: defaultdict[str, list[Rating]] = defaultdict(list)
    for rating in read_ratings(folder / RATINGS):
        if now.get(rating.brief, rating.text) == rating.text:
            votes[rating.brief].append(rating)
    if not votes:
        return None
    return frozenset(brief for brief, cast in votes.items() if "disputed" in decided(cast).values())


def freeze(work: Work) -> None:
    """Write the data set; the manifest comes last, so that half a data set is never taken for a whole one."""
    recipe, done = work.recipe, (*work.finished(), *work.borrowed)
    rows = recipe.rows(done, work.material, work.seed)
    items = "".join(f"{row.model_dump_json()}\n" for row in rows)
    # Of what is borrowed, not everything becomes a row; every row names its brief.
    used = [one for one in done if f'"brief":"{one.brief.id}"' in items]
    manifest = Manifest(
        name=work.material.short,
        version=recipe.version if work.seed == SEED else f"{recipe.version}.seed{work.seed}",
        sha256=hashlib.sha256(items.encode()).hexdigest(),
        seed=work.seed,
        world=recipe.world,
        generator=recipe.generator,
        licence="MIT",
        datasheet=DATASHEET,
        size=len(rows),
    )
    datasheet = resources.files(recipe.package).joinpath("datasheet.md").read_text("utf-8")
    texts = {
        ITEMS: items,
        DATASHEET: datasheet.replace("{figures}", figures(used)),
        MANIFEST: f"{manifest.model_dump_json(indent=2)}\n",
    }
    for name, text in texts.items():
        (work.folder / name).write_text(text, encoding="utf-8", newline="\n")


def _add(file: Path, row: Noun) -> None:
    """Add a line, whole or not at all where the process is killed."""
    file.parent.mkdir(parents=True, exist_ok=True)
    append_line(file, row.model_dump_json(exclude_defaults=True))
