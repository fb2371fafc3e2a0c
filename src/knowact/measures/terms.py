"""What the words in the heads of tables mean that several suites share, and which values are good."""

from collections.abc import Mapping
from typing import Final

from knowact.core.suite import load_terms
from knowact.core.table import Term

SHARED: Final[Mapping[str, Term]] = load_terms("knowact.measures")
