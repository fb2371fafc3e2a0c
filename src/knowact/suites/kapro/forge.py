"""How `kapro/everyday` is made: how many tasks of which kind, and what a finished draft becomes.

KAPRO, table 1: external 310, hybrid 368, internal 398. The split by topology is
ours: the paper's cannot be recovered.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from knowact import authoring as ka
from knowact.forge.briefs import COMPLETE
from knowact.forge.choose import Kind
from knowact.forge.recipe import Finished, Recipe
from knowact.worlds.material import Material

GENERATOR: Final = "knowact forge kapro 2"
SIZES: Final[Mapping[tuple[ka.Boundary, ka.Topology], int]] = {
    (ka.Boundary.EXTERNAL, ka.Topology.SINGLE_HOP): 110,
    (ka.Boundary.EXTERNAL, ka.Topology.PARALLEL): 100,
    (ka.Boundary.EXTERNAL, ka.Topology.MULTI_HOP): 100,
    (ka.Boundary.HYBRID, ka.Topology.PARALLEL): 184,
    (ka.Boundary.HYBRID, ka.Topology.MULTI_HOP): 184,
    (ka.Boundary.INTERNAL, ka.Topology.SINGLE_HOP): 140,
    (ka.Boundary.INTERNAL, ka.Topology.PARALLEL): 129,
    (ka.Boundary.INTERNAL, ka.Topology.MULTI_HOP): 129,
}
_THREE_STEPS: Final = 0.25
"""Of the tasks with several steps, so many have three; the others have two."""


def sizes() -> dict[Kind, int]:
    """How many tasks of each boundary, topology and number of steps the whole data set has."""
    found: dict[Kind, int] = {}
    for (boundary, topology), size in SIZES.items():
        if topology is ka.Topology.SINGLE_HOP:
            found[boundary, topology, 1] = size
        else:
            three = round(size * _THREE_STEPS)
            found |= {(boundary, topology, 2): size - three, (boundary, topology, 3): three}
    return found


def rows(done: Sequence[Finished], material: Material, seed: int) -> list[ka.Task]:
    """Make the tasks of finished drafts, named and numbered by kind."""
    numbers: Counter[tuple[ka.Boundary, ka.Topology]] = Counter()
    found: list[ka.Task] = []
    for one in done:
        task = one.draft.task
        numbers[task.boundary, task.topology] += 1
        number = numbers[task.boundary, task.topology]
        name = f"{material.short}-{task.boundary.value}-{task.topology.value}-{number:03}"
        provenance = {
            **one.provenance(GENERATOR, seed),
            "said": dict(one.answer.versions[COMPLETE].words),
            **material.proof,
        }
        changes = {"id": name, "cluster": name, "opening": ka.Query(text=one.text), "provenance": provenance}
        found.append(task.model_copy(update=changes))
    return found


def kind(row: ka.Task) -> str:
    """What a task is, for counting."""
    return f"{row.boundary.value} {row.topology.value.replace('_', ' ')}"


RECIPE: Final = Recipe("everyday", "2-A", sizes(), rows, GENERATOR, "knowact.suites.kapro", kind=kind)
"""What the forge knows of this suite."""
