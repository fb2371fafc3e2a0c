"""The sentence encoder: through a small double of the package, and with it where it is installed.

`sentence-transformers` is an optional extra (it brings PyTorch), so most machines that run these tests do
not have it. The last class makes a tiny model, saves it and loads it by its folder.
"""

import importlib
import importlib.util
import sys
import types
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

from knowact.core.errors import BadUsage
from knowact.retrieval.embeddings import PACKAGE, Embedder

INSTALLED = importlib.util.find_spec(PACKAGE) is not None
WORDS = ("weather", "train", "price", "mail", "note")


class Encoder:
    """Counts words: what a sentence-transformers model looks like from outside."""

    encoded: ClassVar[list[str]] = []

    def __init__(self, model: str, device: str) -> None:
        if model == "nowhere":
            raise OSError("nowhere is not a local folder\nand not a model on the hub")
        assert device == "cpu"
        self.encoded.clear()

    def encode(self, texts: list[str], *, convert_to_numpy: bool, show_progress_bar: bool) -> Any:
        assert convert_to_numpy
        assert not show_progress_bar
        self.encoded.extend(texts)
        return np.array([[text.split().count(word) for word in WORDS] for text in texts], np.float32)


@pytest.fixture
def double(monkeypatch: pytest.MonkeyPatch) -> None:
    module = types.ModuleType(PACKAGE)
    module.SentenceTransformer = Encoder  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, PACKAGE, module)


@pytest.mark.usefixtures("double")
class TestWithADouble:
    def test_gives_the_cosine_of_each_text_with_the_query(self) -> None:
        found = Embedder("any").scores("weather train", ["weather", "weather train", "mail"])
        assert found == pytest.approx([0.7071, 1.0, 0.0], abs=0.001)

    def test_gives_rows_of_length_one_and_zeros_for_what_has_nothing(self) -> None:
        rows = Embedder("any").vectors(["train train price", "unknown"])
        assert np.linalg.norm(rows, axis=1) == pytest.approx([1.0, 0.0], abs=0.001)

    def test_encodes_a_text_once_however_often_it_is_asked_for(self) -> None:
        embedder = Embedder("any")
        for _ in range(3):
            embedder.scores("mail", ["note", "mail", "note"])
        assert Encoder.encoded == ["mail", "note"]

    def test_has_no_scores_for_no_texts(self) -> None:
        assert Embedder("any").scores("mail", []) == []

    def test_a_model_that_cannot_be_loaded_is_one_sentence(self) -> None:
        with pytest.raises(BadUsage, match=r"^The model 'nowhere' cannot be loaded: .* folder$"):
            Embedder("nowhere")

    def test_a_model_needs_a_name(self) -> None:
        with pytest.raises(BadUsage, match="needs a model"):
            Embedder("")


def test_without_the_package_one_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, PACKAGE, None)
    with pytest.raises(BadUsage, match=r"pip install 'knowact\[embeddings\]'"):
        Embedder("any")


@pytest.mark.skipif(not INSTALLED, reason="the extra knowact[embeddings] is not installed")
class TestWithTheRealPackage:
    def test_loads_a_model_from_a_folder_and_ranks_by_it(self, tmp_path: Path) -> None:
        embedder = Embedder(str(tiny_model(tmp_path / "tiny")))
        near, same, far = embedder.scores("weather price", ["weather note", "price weather", "mail train"])
        assert same == pytest.approx(1.0, abs=0.001)
        assert near > far
        assert embedder.vectors(["mail"]).shape == (1, len(WORDS))

    def test_a_folder_without_a_model_is_one_sentence(self, tmp_path: Path) -> None:
        with pytest.raises(BadUsage, match="cannot be loaded"):
            Embedder(str(tmp_path / "empty"))


def tiny_model(folder: Path) -> Path:
    """Save a model whose embedding of a word is an axis of its own, and of a text their mean."""
    tokenizers: Any = importlib.import_module("tokenizers")
    package: Any = importlib.import_module(PACKAGE)
    # Version 6 moved them.
    newer = importlib.util.find_spec(f"{PACKAGE}.sentence_transformer")
    modules: Any = importlib.import_module(
        f"{PACKAGE}.{'sentence_transformer.modules' if newer else 'models'}"
    )
    vocabulary = {word: number for number, word in enumerate(WORDS)}
    tokenizer = tokenizers.Tokenizer(tokenizers.models.WordLevel(vocabulary, unk_token=WORDS[-1]))
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    axes = np.eye(len(WORDS), dtype=np.float32)
    static = modules.StaticEmbedding(tokenizer, embedding_weights=axes)
    package.SentenceTransformer(modules=[static], device="cpu").save(str(folder))
    return folder
