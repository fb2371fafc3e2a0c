"""What the words in the heads of tables mean that several suites share, and which values are good."""

from collections.abc import Mapping
from typing import Final

from knowact.core.suite import load_terms
from knowact.core.table import Term
from knowact.core.traits import MEANING

SHARED: Final[Mapping[str, Term]] = {
    **load_terms("knowact.measures"),
    **{str(trait): Term(f"{said.capitalize()}.", "higher") for trait, said in MEANING.items()},
}
