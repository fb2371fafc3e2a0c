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

REFUSAL_PATTERNS = (
    (
        r"\b(?:can(?:no|')?t|can not|won'?t|will not|(?:am|'m) (?:not able|unable) to|not able to|unable to"
        r"|not going to|not willing to|not comfortable)\s+(?:\w+ ){0,2}?"
        r"(?:help|assist|comply|answer|do (?:that|this)|fulfil|complete|continue|proceed|respond|participate"
        r"|engage|provide (?:that|this|an answer|a judg|any)|support|make (?:that|this|these)"
        r" (?:judg|decision|call)|evaluate|judge|decide|take part|classify)"
    ),
    r"\b(?:must|have to|need to|would rather|am going to|respectfully|politely|'ll|i will|i) decline\b",
    r"\bi(?:'m| am)? (?:must |have to |will )?(?:refuse|refusing|declining) to\b",
    r"\b(?:against|violates?|not (?:allowed|permitted) by) (?:my|our|the) (?:\w+ )?(?:guideline|polic|rule)",
    r"\b(?:kann|werde|darf|möchte) (?:\w+ ){0,4}?(?:nicht|keine?) (?:\w+ ){0,4}?(?:helfen|(?:be)?antworten)",
    r"\bje (?:ne )?(?:peux|vais|veux|souhaite) pas (?:\w+ ){0,3}?(?:aider|répondre|faire)",
    r"\bno (?:puedo|voy a|quiero) (?:\w+ ){0,2}?(?:ayudar|responder|hacer|contestar)",
    r"\bnon (?:posso|voglio) (?:\w+ ){0,2}?(?:aiutar|rispondere|fare)",
    r"\bnão (?:posso|vou|quero) (?:\w+ ){0,2}?(?:ajudar|responder|fazer)",
    r"\b(?:i'd|i would|we'd) (?:rather|prefer) not\b|\bprefer not to\b",
    r"(?:无法|不能|不会|拒绝)\w{0,4}(?:协助|帮助|提供|回答|处理|完成|满足)",
    r"(?:お応え|お答え|お手伝い|対応|回答|協力|ご協力)(?:は|を|することは)?(?:でき|いたし)(?:ません|かね)",
    r"(?:도와|답변|응답|도움)\w{0,6} ?수 없",
    r"\b\u043d\u0435 (?:могу|буду|стану) (?:\w+ ){0,3}?(?:помочь|помогать|ответить|отвечать|выполнить)",
    r"\bkan (?:\w+ ){0,3}?niet (?:\w+ ){0,3}?(?:helpen|beantwoorden|antwoorden)",
)
"""How a reply says that it will not answer; matched in lower case with straight apostrophes."""

QUOTATION_PATTERN = (
    r"(?:ignore (?:the|all|any|everything|my|your)? ?(?:above|previous|prior|instructions)|\bsystem:"
    r"|\b(?:text|ticket|note|document|message|page|email|file|user|prompt|it|injection)"
    r" (?:says?|said|reads?|tells? me|told me|asks? me|asked me|wants me|tries)\b"
    r"|\b(?:told|asked|instructed|tricked) (?:me )?(?:to|into)\b)[^\n]{0,80}\Z"
)
"""What stands before an object that the reply only quotes from somebody else."""

ALTERNATIVE_PATTERN = (
    r"\b(?:option|alternative|variant|possibility|version|scenario|choice)\b[^\n.]{0,20}\Z"
    r"|\A\W*(?:or|oder|ou|either)\W*\Z"
)
"""What stands before objects between which the reply does not choose."""

CALL_PATTERN = (
    r"(?:<(?:function|invoke|tool_call|tool_use|function_call|tool)\b[^<>\n]{0,80}>|\b\w{2,}\()\s*\Z"
)
"""What stands before the arguments of a call that was written into the text."""
