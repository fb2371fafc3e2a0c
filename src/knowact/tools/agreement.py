"""How often models say of own tools what people say: `proposed.yaml` held against `annotations.yaml`."""

from collections.abc import Iterable, Mapping

from knowact.core.table import Estimate
from knowact.core.task import Boundary, Step
from knowact.core.tool import Dimension
from knowact.measures.intervals import wilson
from knowact.tools.annotation import (
    ECHO,
    LABEL,
    NONE,
    PROPOSED,
    Annotated,
    Annotation,
    Annotations,
    annotated,
    read_annotations,
)
from knowact.tools.folder import ToolFolder
from knowact.tools.material import answered_calls, side_of


def agreement(folder: ToolFolder, people: Annotations, models: Annotations) -> Mapping[str, Estimate]:
    """How often models say what people say, by kind of claim, over what both speak of.

    Attributes have no right name, so needs and reports are compared by their links: two places carry the same
    attribute, or they do not. `links found` are those of people's that models have, `links right` those of
    models' that people have. `calls` are those recorded ones that people's conditions put on a side.

    Args:
        folder: The tools.
        people: Of `annotations.yaml`.
        models: Of `proposed.yaml`.
    """
    both = [own for own in folder.tools if own.name in people.tools and own.name in models.tools]
    pairs = [(people.tools[own.name], models.tools[own.name]) for own in both]
    alike: dict[str, list[bool]] = {}
    for mine, theirs in pairs:
        for name, claim, other in _compared(mine, theirs):
            alike.setdefault(name, []).append(claim == other)
    if compared := list(_compared_calls(folder, people, models)):
        alike["calls"] = compared
    rates = {name: wilson(sum(same), len(same)) for name, same in alike.items()}
    ours, made = (_links({own.name: of.tools[own.name] for own in both}) for of in (people, models))
    # Of places that people leave out nobody knows whether they link.
    spoken = {place for own, (mine, _) in zip(both, pairs, strict=True) for place in _places(own.name, mine)}
    made = {link for link in made if spoken.issuperset(link)}
    rates["links found"] = wilson(len(ours & made), len(ours))
    rates["links right"] = wilson(len(ours & made), len(made))
    return rates


def rests_on(folder: ToolFolder, steps: Iterable[Step]) -> tuple[str, ...]:
    """Say what the labels of steps rest on, and how far `tools annotate` alone would get with them.

    Args:
        folder: The tools.
        steps: Of the plans of a data set.

    Returns:
        Sentences for its datasheet and for reports.
    """
    done = list(steps)
    used = sorted({step.tool for step in done})
    by_people = {tool.own.name for tool in annotated(folder) if tool.people & {*LABEL}} & {*used}
    basis = f"Whether a step needs its tool: people say it of {len(by_people)} of the {len(used)} tools used"
    models = read_annotations(folder.path / PROPOSED)
    if not models.tools:
        return (f"{basis}; no model was asked.",)
    alone = {tool.own.name: tool for tool in annotated(folder, Annotations())}
    ready = sum(not alone[name].closed.keys() & {"capability", "label"} for name in used)
    sentences = [f"{basis}, models of the others." if len(by_people) < len(used) else f"{basis}."]
    sentences.append(f"On what models alone say, proofs would be open for {ready} of them.")
    if checked := [step for step in done if step.tool in by_people]:
        sides = [_side_alone(alone[step.tool], step) for step in checked]
        right = sum(side is step.boundary for side, step in zip(sides, checked, strict=True))
        given = sum(side is not None for side in sides)
        sentences.append(
            f"Of {len(checked):,} steps that people's words label, they label {given:,}, "
            f"{right:,} of them alike."
        )
    rates = agreement(folder, read_annotations(folder.annotations), models)
    shares = [
        f"{claim} {rate.value:.0%} of {rate.n:,}" for claim, rate in rates.items() if rate.value is not None
    ]
    checked_by = (
        f"Models say what people say: {', '.join(shares)}." if shares else "No person has checked them."
    )
    sentences.append(checked_by)
    if differ := sum(len(annotation.open) for annotation in models.tools.values()):
        sentences.append(
            f"Models did not agree among themselves on {differ:,} claims, which they leave open."
        )
    return tuple(sentences)


def _side_alone(tool: Annotated, step: Step) -> Boundary | None:
    """On which side a step lies for models alone; what the request says itself needs no tool."""
    side = None if "label" in tool.closed else side_of(tool.own, tool.said)(step.call_arguments).boundary
    return Boundary.INTERNAL if side and step.told else side


def _compared(mine: Annotation, theirs: Annotation) -> Iterable[tuple[str, object, object]]:
    for name in ("writes", "when", "by_person"):
        if getattr(mine, name) is not None:
            yield name, getattr(mine, name), getattr(theirs, name)
    if mine.fires is not None:
        for dimension in Dimension:
            # An open claim agrees with nothing.
            is_open = theirs.fires is None or dimension.value in theirs.open
            yield (
                dimension.value,
                dimension in mine.fires,
                None if is_open else dimension in (theirs.fires or ()),
            )
    if mine.about is not None:
        yield "about", {*mine.about}, None if theirs.about is None else {*theirs.about}


def _compared_calls(folder: ToolFolder, people: Annotations, models: Annotations) -> Iterable[bool]:
    """Of recorded calls on which people's conditions decide, whether models say the same."""
    sides = {
        own.name: (side_of(own, people.tools[own.name]), side_of(own, models.tools[own.name]))
        for own in folder.tools
        if own.name in models.tools and own.name in people.tools and people.tools[own.name].external_if
    }
    for (tool, arguments), _ in answered_calls(folder):
        if tool in sides:
            mine, theirs = (side(arguments).boundary for side in sides[tool])
            if mine is not None:
                yield mine is theirs


def _links(annotations: Mapping[str, Annotation]) -> set[tuple[str, str]]:
    """The pairs of places that carry one attribute."""
    places: dict[str, set[str]] = {}
    for tool, annotation in annotations.items():
        for place, attributes in _places(tool, annotation).items():
            for attribute in {*attributes} - {ECHO, NONE}:
                places.setdefault(attribute, set()).add(place)
    return {(a, b) for every in places.values() for a in every for b in every if a < b}


def _places(tool: str, annotation: Annotation) -> dict[str, tuple[str, ...]]:
    """What an annotation says of each parameter and field."""
    needs = {f"{tool}({name})": (attribute,) for name, attribute in annotation.needs.items()}
    return needs | {f"{tool}.{field}": names for field, names in annotation.reports.items()}
