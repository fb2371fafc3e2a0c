"""The words and keys by which a reply decides about a tool. Data only."""

WRAPPERS = frozenset({"tool_decisions", "tools_decisions", "tool_decision", "tooldecisions", "decisions"})
"""Keys that hold the decisions, in lower case with underscores."""

NEEDED_LISTS = frozenset({
    "needed", "needed_tools", "tools_needed", "required", "required_tools", "tools_required", "essential",
    "essential_tools", "necessary", "necessary_tools", "tools_to_use", "must_use",
})  # fmt: skip
"""Keys under which a bare list names the tools that are needed."""

UNNEEDED_LISTS = frozenset({
    "not_needed", "unneeded", "not_needed_tools", "unneeded_tools", "tools_not_needed", "not_required",
    "not_required_tools", "unnecessary", "unnecessary_tools", "not_essential", "unused",
})  # fmt: skip
"""Keys under which a bare list names the tools that are not needed."""

NAME_KEYS = frozenset({"name", "tool", "tool_name", "function", "function_name"})
"""Keys that name the tool in an object about one tool."""

DECISION_KEYS = frozenset({
    "needed", "required", "essential", "necessary", "is_needed", "is_required", "is_essential", "decision",
    "need", "needs_tool", "value", "use",
})  # fmt: skip
"""Keys that carry the decision in an object about one tool."""

REMARK_KEYS = frozenset({
    "reason", "reasons", "reasoning", "explanation", "rationale", "confidence", "note", "notes", "comment",
    "comments", "summary", "thought", "thoughts", "analysis", "final", "done", "complete", "valid",
})  # fmt: skip
"""Keys beside the decisions that are no tools, unless a tool of that name is offered."""

ARGUMENT_KEYS = frozenset({"arguments", "args", "parameters", "input", "inputs", "kwargs", "params"})
"""Keys that hold the arguments of a call: what stands there is no decision."""

YES_WORDS = frozenset({
    "true", "yes", "y", "needed", "required", "essential", "necessary", "1", "on", "need", "✅", "✓", "✔",
    "☑", "ja", "oui", "sí", "si", "sim",
})  # fmt: skip
NO_WORDS = frozenset({
    "false", "no", "n", "not needed", "not required", "not essential", "not necessary", "unnecessary",
    "unneeded", "0", "off", "❌", "✗", "✘", "nein", "non", "não", "nee",
})  # fmt: skip

CALL_PATTERN = (
    r"(?:<(?:function|invoke|tool_call|tool_use|function_call|tool)\b[^<>\n]{0,80}>|\b\w{2,}\()\s*\Z"
)
"""What stands before the arguments of a call that was written into the text."""
