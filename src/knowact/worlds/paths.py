"""Dotted paths into JSON: `a.b` leads into an object, `events[].title` into every element of a list."""

from collections.abc import Callable, Mapping, Sequence

from pydantic import JsonValue


def members(value: JsonValue) -> Mapping[str, JsonValue]:
    """Return what an object has, by name; nothing of any other value."""
    return value if isinstance(value, dict) else {}


def elements(value: JsonValue) -> Sequence[JsonValue]:
    """Return what a list has, in order; nothing of any other value."""
    return value if isinstance(value, list) else ()


def joined(path: str, name: str) -> str:
    """Return the path of a member of what stands at a path; the whole has an empty one."""
    return f"{path}.{name}" if path else name


def is_within(path: str, outer: str) -> bool:
    """Whether a path is another one or leads inside it."""
    return path == outer or path.startswith((f"{outer}.", f"{outer}[]"))


def without_field(value: JsonValue, path: str) -> JsonValue:
    """Return a copy of a value without what stands at a path."""
    return _edited(value, path, lambda holder, name: holder.pop(name))


def replaced(value: JsonValue, path: str, by: JsonValue) -> JsonValue:
    """Return a copy of a value with something else at a path, wherever that exists."""
    return _edited(value, path, lambda holder, name: holder.update({name: by}))


def _edited(value: JsonValue, path: str, edit: Callable[[dict[str, JsonValue], str], object]) -> JsonValue:
    """Return a copy of a value after an edit of each object that has the last name of a path."""
    step, _, rest = path.partition(".")
    name = step.removesuffix("[]")
    if not name and isinstance(value, list):
        return [_edited(element, rest, edit) for element in value]
    if not isinstance(value, dict) or name not in value:
        return value
    holder, inner = dict(value), value[name]
    if not rest:
        edit(holder, name)
    elif step.endswith("[]") and isinstance(inner, list):
        holder[name] = [_edited(element, rest, edit) for element in inner]
    else:
        holder[name] = _edited(inner, rest, edit)
    return holder


def supplied(value: JsonValue | Mapping[str, JsonValue], path: str) -> bool:
    """Whether a value has something at a path; in lists, whether any element has."""
    step, _, rest = path.partition(".")
    name = step.removesuffix("[]")
    if not isinstance(value, Mapping) or name not in value:
        return False
    inner = value[name]
    if not rest:
        return True
    if step.endswith("[]"):
        return any(supplied(element, rest) for element in elements(inner))
    return supplied(inner, rest)


def schema_leaves(schema: Mapping[str, JsonValue], path: str = "") -> list[str]:
    """Return the paths of a schema's leaves, as `core.tool.Report.field` spells them."""
    items, properties = schema.get("items"), schema.get("properties")
    if isinstance(items, dict):
        return schema_leaves(items, f"{path}[]")
    if not isinstance(properties, dict):
        return [path]
    return [
        leaf
        for name, inner in properties.items()
        for leaf in schema_leaves(members(inner), joined(path, name))
    ]


def schema_without(schema: Mapping[str, JsonValue], path: str) -> dict[str, JsonValue]:
    """Return a copy of an object's schema without the property at a path."""
    step, _, rest = path.partition(".")
    name = step.removesuffix("[]")
    properties = dict(members(schema.get("properties")))
    if name not in properties:
        return dict(schema)
    inner = members(properties[name])
    if not rest:
        del properties[name]
        required = [other for other in elements(schema.get("required")) if other != name]
        return {**schema, "properties": properties, "required": required}
    if not step.endswith("[]"):
        properties[name] = schema_without(inner, rest)
    elif isinstance(inner.get("items"), dict):
        properties[name] = {**inner, "items": schema_without(members(inner["items"]), rest)}
    return {**schema, "properties": properties}
