"""The departures from the published layout (spec ict.md, section 5) that its loader knows.

Those in the descriptors of tools are `datasets.deviations.ToolKind`.
"""

from knowact.datasets.deviations import DeviationKind


class Kind(DeviationKind):
    """What departs, or is not said by the published card. The values are what reports say."""

    # Files and columns.
    BOTH_FORMATS = "the same file as JSON Lines and as parquet"
    FILE_MISSING = "a published file that is not there"
    COLUMN_UNKNOWN = "a column that the card does not name"
    TYPE_IN_WORDS = "a manipulation named in words that the card does not show"
    SOURCE_UNKNOWN = "a source named in words that the card does not show"
    THOUGHT = "'corruption_thought' filled"

    # The conversation.
    NO_SPEAKER = "words without a speaker"
    CUE = "a cue to generate a request"
    TRAILING = "the assistant has the last word"
    RESULT_MISSING = "an earlier request without a result"
    CALL_LOOSE = "a call that Python could not read"
    CALL_UNREADABLE = "an earlier request that is no call"

    # The tools and the answer.
    OTHER_COLUMN = "the tools stand in another column"
    LISTED_TWICE = "the same tool offered twice"
    SAME_NAME = "two tools of one name"
    ANSWER_MISSING = "no answer"
    ANSWER_UNREADABLE = "an answer that is no call"
    ANSWER_NOT_OFFERED = "the answer calls a tool that the complete item does not offer"

    # The two of a pair.
    ORIGINAL_SHARED = "one original for several manipulated rows"
    TEXT_DIFFERS = "tools replaced, but the conversation differs too"
    TOOLS_DIFFER = "words removed, but the tools differ too"
    NO_ORIGINAL = "manipulated without an original"
    NO_MANIPULATED = "an original without anything manipulated"
    AMBIGUOUS = "manipulated rows and originals do not match up"
    UNALTERED = "not altered: shows the same as its original"
    STILL_THERE = "not altered: every tool that the answer calls is still offered"
    ENDS_WITH_CALL = "ends with a result, not with the user"
