"""Tools and their parameters as people speak of them."""

from knowact.core.tool import Tool
from knowact.reading.askable import Job, Slot


def slot_of(tool: Tool, parameter: str) -> Slot:
    """A parameter as people speak of it."""
    needs = tool.capability.needs if tool.capability else ()
    attribute = next((need.attribute for need in needs if need.parameter == parameter), "")
    return Slot(parameter, str(tool.properties.get(parameter, {}).get("description", "")), attribute)


def job_of(tool: Tool) -> Job:
    """What a tool does, as people speak of it."""
    reports = tool.capability.reports if tool.capability else ()
    return Job(tool.name, tool.description, tuple(report.field for report in reports))
