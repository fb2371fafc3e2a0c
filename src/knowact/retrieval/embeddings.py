"""Likeness by a sentence encoder: any model of sentence-transformers (an optional extra).

The paper's encoder is `princeton-nlp/sup-simcse-roberta-large` (ICT); BGE and others do
as well. Nothing is loaded before it is asked for, and a model that is a folder is read from disk alone.
"""

import importlib
from collections.abc import Sequence
from typing import Protocol, cast

import numpy as np
from numpy.typing import NDArray

from knowact.core.errors import BadUsage
from knowact.retrieval.affinity import Matrix, unit_rows

PACKAGE = "sentence_transformers"


class _Encoder(Protocol):
    """What is used of a model of sentence-transformers."""

    def encode(
        self, sentences: list[str], *, convert_to_numpy: bool, show_progress_bar: bool
    ) -> NDArray[np.float32]: ...


class _Package(Protocol):
    """What is used of sentence-transformers."""

    def SentenceTransformer(self, model: str, *, device: str) -> _Encoder: ...  # noqa: N802 - its name


class Embedder:
    """A sentence encoder.

    Args:
        model: A model's name on the Hugging Face hub, or a folder with one.

    Raises:
        BadUsage: sentence-transformers is not installed, or the model cannot be loaded.
    """

    def __init__(self, model: str) -> None:
        if not model:
            raise BadUsage("An embedding needs a model: embeddings:MODEL, a name on the hub or a folder.")
        try:
            package = cast("_Package", importlib.import_module(PACKAGE))
        except ImportError as error:
            raise BadUsage(
                "Embeddings need the package sentence-transformers: pip install 'knowact[embeddings]'."
            ) from error
        try:
            # On a processor: graphics cards differ in last digits, and order would with them.
            self._model = package.SentenceTransformer(model, device="cpu")
        except (OSError, ValueError) as error:
            raise BadUsage(f"The model {model!r} cannot be loaded: {_first_line(error)}") from error
        self._known: dict[str, NDArray[np.float32]] = {}

    def vectors(self, texts: Sequence[str]) -> Matrix:
        """Return the embedding of each text, of length one, as the rows of a matrix.

        Args:
            texts: At least one. Each is encoded once, however often it is asked for.
        """
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        if new:
            rows = self._model.encode(new, convert_to_numpy=True, show_progress_bar=False)
            self._known |= zip(new, rows, strict=True)
        return unit_rows(np.array([self._known[text] for text in texts]))

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """Return the cosine of each text with the query, -1 to 1.

        Args:
            query: Any text.
            texts: The collection; none gives none.
        """
        if not texts:
            return []
        matrix = self.vectors([query, *texts])
        return [float(score) for score in matrix[1:] @ matrix[0]]


def _first_line(error: Exception) -> str:
    return str(error).strip().split("\n", 1)[0]
