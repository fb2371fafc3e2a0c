"""The public surface of the package, frozen: adding to it is a decision, taking from it breaks somebody."""

import knowact


def test_these_names_are_public_and_load() -> None:
    assert sorted(knowact.__all__) == [
        *("AgentTool", "AgentUnavailable", "AnswerForm", "Comparison", "Fact", "Gate", "Item", "Record"),
        *("Reply", "Runs", "Suite", "__version__"),
        *("check", "compare", "load", "run", "run_async"),
    ]
    assert all(getattr(knowact, name) for name in knowact.__all__)
    form = knowact.AnswerForm.from_facts([knowact.Fact(kind="number", value=42, label="the answer")])
    filled = {"fact_1": {"value": "42", "quotes": ["42"]}}
    assert form.score("It is 42.", filled).passed
    assert not form.score("It is 41.", filled).passed
