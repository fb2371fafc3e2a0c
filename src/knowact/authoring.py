"""What a suite of your own is made from: docs/own-suite.md builds one step by step.

These names stay. All other modules may change from one version to the next. None of these loads the engine.
"""

from pydantic import JsonValue

from knowact.conditions.removal import without_tool
from knowact.core.condition import CLEAN, Condition
from knowact.core.conversation import Called, Said, Trial
from knowact.core.errors import BadData, BadUsage
from knowact.core.model import Noun, Row
from knowact.core.option import Bare, ForOthers, Least, Options, Treatment
from knowact.core.parts import Part, job_part
from knowact.core.prompts import Prompt, load_prompt, prompts_under
from knowact.core.reach import reach, without
from knowact.core.record import NOT_APPLICABLE, Decided, Outcome, Record, Result, Status
from knowact.core.seeds import generator
from knowact.core.suite import Dataset, Item, Plan, Scene, Viewed, load_audit, load_terms
from knowact.core.table import Estimate, Figure, Headline, Run, Table, Term
from knowact.core.task import Argument, Boundary, Fact, Query, Step, Task, Topology, WorldRef
from knowact.core.tool import Tool
from knowact.core.world import Call, WorldState
from knowact.datasets.own import Rows, chosen_rows, data_folder, load_rows, shipped
from knowact.measures.run_tables import means_table
from knowact.measures.summary import mean_estimate
from knowact.probes.probe import (
    Message,
    Probe,
    Question,
    context_as_text,
    conversation,
    opening_messages,
    tools_as_text,
)
from knowact.probes.response import Judged, Response
from knowact.probes.strategies import Strategy, refuse_without_acting, told, under
from knowact.probes.suite import Suite
from knowact.probes.talk import PersonPart, Phases, Player, Talk, UserPart
from knowact.probes.transfer import Transferred
from knowact.reading.answer_form import AnswerForm
from knowact.roles.extractor import NOT_EXTRACTED, Reading
from knowact.roles.gold_plan import GoldAction, GoldPlan
from knowact.roles.judge import NOT_VOTED, Ballot, Votes, reference_of, result_of
from knowact.roles.ruling import account
from knowact.roles.script import Script
from knowact.roles.simulated_user import SCRIPT_REFUSES, USER_OPTION, ScriptedUser, proposal
from knowact.roles.termination import Ruling, TerminationRules
from knowact.roles.user_brief import Setting, user_prompt
from knowact.worlds.functions import FunctionWorld, Refusal
from knowact.worlds.overlay import offered_under
from knowact.worlds.registry import WorldEntry, open_world

__all__ = [
    "CLEAN",
    "NOT_APPLICABLE",
    "NOT_EXTRACTED",
    "NOT_VOTED",
    "SCRIPT_REFUSES",
    "USER_OPTION",
    "AnswerForm",
    "Argument",
    "BadData",
    "BadUsage",
    "Ballot",
    "Bare",
    "Boundary",
    "Call",
    "Called",
    "Condition",
    "Dataset",
    "Decided",
    "Estimate",
    "Fact",
    "Figure",
    "ForOthers",
    "FunctionWorld",
    "GoldAction",
    "GoldPlan",
    "Headline",
    "Item",
    "JsonValue",
    "Judged",
    "Least",
    "Message",
    "Noun",
    "Options",
    "Outcome",
    "Part",
    "PersonPart",
    "Phases",
    "Plan",
    "Player",
    "Probe",
    "Prompt",
    "Query",
    "Question",
    "Reading",
    "Record",
    "Refusal",
    "Response",
    "Result",
    "Row",
    "Rows",
    "Ruling",
    "Run",
    "Said",
    "Scene",
    "Script",
    "ScriptedUser",
    "Setting",
    "Status",
    "Step",
    "Strategy",
    "Suite",
    "Table",
    "Talk",
    "Task",
    "Term",
    "TerminationRules",
    "Tool",
    "Topology",
    "Transferred",
    "Treatment",
    "Trial",
    "UserPart",
    "Viewed",
    "Votes",
    "WorldEntry",
    "WorldRef",
    "WorldState",
    "account",
    "chosen_rows",
    "context_as_text",
    "conversation",
    "data_folder",
    "generator",
    "job_part",
    "load_audit",
    "load_prompt",
    "load_rows",
    "load_terms",
    "mean_estimate",
    "means_table",
    "offered_under",
    "open_world",
    "opening_messages",
    "prompts_under",
    "proposal",
    "reach",
    "reference_of",
    "refuse_without_acting",
    "result_of",
    "shipped",
    "told",
    "tools_as_text",
    "under",
    "user_prompt",
    "without",
    "without_tool",
]
