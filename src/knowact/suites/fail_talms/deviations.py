"""The departures from the published layout (spec fail-talms.md, sections 5.5 and 7) that its loader knows.

Those in the descriptors of tools are `datasets.deviations.ToolKind`.
"""

from knowact.datasets.deviations import DeviationKind


class Kind(DeviationKind):
    """What departs. The values are what reports say."""

    # The files.
    FILE_NAME = "irregular file name"
    STRAY_FILE = "stray file"
    FOLDER_NAME = "folder name in another spelling"
    NOT_A_LIST = "one object in place of a list of one"
    DUPLICATE_NAME = "a member stands there twice"
    NO_JSON_VALUE = "a value that JSON does not have"
    ROW_WITHOUT_FILE = "only in the combined file"
    ROW_DIFFERS = "in the combined file with other functions"
    FILE_WITHOUT_ROW = "not in the combined file"

    # The members of a query.
    RELEVANT_MISSING = "'relevant APIs' missing"
    RELEVANT_FILLED = "'relevant APIs' filled"
    OFFERED_WITHOUT_TOOLS = "functions offered in the setting without tools"
    LISTED_TWICE = "the same function offered twice"
    SAME_NAME = "two functions of one name"

    # Tools.
    TOOL_NAME = "tool or function in another spelling"
    DESCRIPTOR_MISSING = "no descriptor"
    DESCRIPTOR_UNREADABLE = "descriptor cannot be read"
    SIGNATURE = "descriptor and function disagree"
    FUNCTION_MISSING = "a descriptor's function that its module does not have"
    REPLY_ELSEWHERE = "sketch of the reply under another name"

    # A query and the one that it was made from.
    UNALTERED = "not altered: query and functions are those of the original"
    NOTHING_DROPPED = "not altered: no function was dropped"
    CONTRADICTORY = "labelled replaceable and non-replaceable at once"
    REPEATED = "repeats another query of its setting"
    NO_ORIGINAL = "made from a query that is not there"
    ORIGINAL_BY_TEXT = "original told by its text"
    TEXT_DIFFERS = "text differs from the original's"
    FUNCTIONS_DIFFER = "other functions than the original's"
    SEVERAL_LEFT = "several functions left"
    ONE_TOOL = "all functions of one tool"

    # The records of a published run.
    RECORD_TWICE = "a record repeats an id"
    RECORD_UNKNOWN = "a record of an item that the benchmark does not have"
    RECORD_TEXT = "a record's query is not the benchmark's"
    ANSWER_ODD = "an answer that is no text"
    ANSWER_EMPTY = "an empty answer that was graded as passed"
    CALL_IN_ANSWER = "an answer with a call that was never made, graded as passed"
    SKIPPED_AND_PASSED = "a skipped record that was graded as passed"
    VERDICT_ODD = "no verdict of 0 or 1"
    RATING_ODD = "a question's rating that is neither 0 nor 1"
    LABEL_ODD = "no label of yes, no or idk"
