"""A small library that derives the schemas of events: what somebody's Inspector library in Python may look like."""

import datetime
import decimal
import enum
import uuid
from collections.abc import Iterable, Mapping

MAX_DEPTH = 10
MAX_PROPERTIES = 500
MAX_ELEMENTS = 1_000

TEXT = (str, enum.Enum, uuid.UUID, datetime.date)


def extract(properties):
    """The schema of an event's properties: of a map's keys, or of an object's fields. None has an empty one."""
    return [] if properties is None else Reader().properties_of(properties, 1)


class Reader:
    """Reads one event; it knows how many properties there have been, and what it is inside of."""

    def __init__(self):
        self.left = MAX_PROPERTIES
        self.inside = []

    def properties_of(self, holder, level):
        found = []
        pairs = holder.items() if isinstance(holder, Mapping) else vars(holder).items()
        self.inside.append(holder)
        try:
            for key, value in list(pairs):
                try:
                    name = str(key)
                except Exception:  # A key that has no text costs its own property only.
                    continue
                if self.left == 0:
                    break
                self.left -= 1
                found.append({"name": name, **self.type_of(value, level)})
        finally:
            self.inside.pop()
        return found

    def type_of(self, value, level):
        try:
            return self.readable_type_of(value, level)
        except Exception:  # What can't be read is unknown, and what is beside it is not touched by that.
            return {"type": "unknown"}

    def readable_type_of(self, value, level):
        if value is None:
            return {"type": "null"}
        if isinstance(value, bool):  # Before int: for Python, True is one.
            return {"type": "boolean"}
        if isinstance(value, int):
            return {"type": "int"}
        if isinstance(value, (float, decimal.Decimal)):
            return {"type": "float"}
        if isinstance(value, TEXT):
            return {"type": "string"}
        if any(value is holder for holder in self.inside):
            return {"type": "unknown"}
        if isinstance(value, Iterable) and not isinstance(value, Mapping):
            return self.list_of(value, level + 1)
        return self.object_of(value, level + 1)

    def list_of(self, elements, level):
        found = []
        self.inside.append(elements)
        try:
            for index, element in enumerate(elements):
                if level > MAX_DEPTH:
                    return {"type": "unknown"}
                if index == MAX_ELEMENTS:
                    break
                element_type = self.type_of(element, level)
                if not any(is_same(element_type, other) for other in found):
                    found.append(element_type)
        finally:
            self.inside.pop()
        return {"type": "list", "items": found}

    def object_of(self, holder, level):
        is_empty = len(holder) == 0 if isinstance(holder, Mapping) else not vars(holder)
        if level > MAX_DEPTH and not is_empty:
            return {"type": "unknown"}
        return {"type": "object", "properties": self.properties_of(holder, level)}


def is_same(one, other):
    """Whether two types are the same: the order of properties, and of a list's types, means nothing."""
    return canonical(one) == canonical(other)


def canonical(one):
    inside = one.get("items", one.get("properties", []))
    return one.get("name"), one["type"], tuple(sorted((canonical(each) for each in inside), key=repr))
