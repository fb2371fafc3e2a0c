"""The sentences around the parts of a request: read from `frames.yaml`.

Openers set the scene of a topic; frames hold clauses; closers end a request. `{}` is where clauses go, in
`mixed` frames `{do}` and `{tell}`. They say nothing that a tool would need to know.
"""

from collections.abc import Mapping
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Literal

import yaml
from pydantic import ValidationError

from knowact.core.errors import BadData, Place
from knowact.core.model import Noun
from version_1.words import Register, Topic

Kind = Literal["tell", "do", "mixed", "also_tell", "also_do", "then_tell", "then_do"]


class Frames(Noun):
    """All frames.

    Attributes:
        frames: By kind, then by register. `tell` and `do` open a request, `also_*` add to one, `then_*` go on
            from what the sentence before asked for.
        openers: By topic, then by register: a sentence before the request.
        closers: By register: a sentence after it.
    """

    frames: Mapping[Kind, Mapping[Register, tuple[str, ...]]]
    openers: Mapping[Topic, Mapping[Register, tuple[str, ...]]]
    closers: Mapping[Register, tuple[str, ...]]


@lru_cache(maxsize=1)
def frames() -> Frames:
    """Read the frames.

    Raises:
        BadData: The file is not as it should be.
    """
    name = "frames.yaml"
    text = resources.files("version_1").joinpath(name).read_text("utf-8")
    try:
        return Frames.model_validate(yaml.safe_load(text))
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise BadData(first["msg"], Place(Path(name), field=where), "correct the entry") from None
