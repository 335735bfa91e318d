"""Drives schemas.py for `branchline conformance vectors`: a line of JSON in, a line of JSON out."""

import datetime
import decimal
import enum
import json
import sys
import uuid

from schemas import extract


class Unsupported(Exception):
    """What this language, or this library, has not. The case is skipped, with these words as the reason."""


def main():
    # One request a line; the reply goes out at once, since the next request comes only after it.
    for line in sys.stdin:
        request = json.loads(line)
        print(json.dumps(reply_to(request)), flush=True)
        # "stop" is the last request. The end of the input means the same.
        if request["do"] == "stop":
            return


def reply_to(request):
    try:
        # "extract" names a vector by its id and gives the properties as typed JSON.
        if request["do"] == "extract":
            return {"ok": True, "schema": extract(Values().value_of(request["input"]))}
        # "start" makes the library. It brings the endpoint, the key, the environment and a folder, for a library that sends.
        if request["do"] in ("start", "stop"):
            return {"ok": True}
        # "track" and "trackSchema" are for `branchline conformance sink`; this library sends nothing.
        raise Unsupported(f'this library has no "{request["do"]}"')
    except Unsupported as what:
        return {"ok": False, "unsupported": str(what)}
    # Anything else is a failure of the library, and fails the case.
    except Exception as fault:
        return {"ok": False, "error": repr(fault)}


class Colour(enum.Enum):
    """The constants that vectors name."""

    RED = 1

    def __str__(self):
        return self.name


class Record:
    """An object whose fields are set one by one."""


class FailingIterator:
    def __iter__(self):
        raise RuntimeError("as asked for")


class FailingMap(dict):
    def items(self):
        raise RuntimeError("as asked for")

    __len__ = items


class FailingText:
    def __str__(self):
        raise RuntimeError("as asked for")


class Values:
    """Makes the value that typed JSON stands for; conformance/library/vectors/README.md lists the kinds."""

    # Kinds that are made of one text each.
    OF_TEXT = {
        **dict.fromkeys(["byte", "short", "int", "long", "bigint"], int),
        **dict.fromkeys(["float", "double"], float),
        **dict.fromkeys(["date", "instant"], datetime.datetime.fromisoformat),
        "decimal": decimal.Decimal,
        "string": str,
        "enum": lambda name: Colour[name],
        "uuid": uuid.UUID,
    }
    FAILING = {"iterator": FailingIterator, "map": FailingMap, "toString": FailingText}

    def __init__(self):
        # The containers that are being filled, for "cycle", and the values that have names, for "same".
        self.open = []
        self.named = {}

    def value_of(self, typed):
        if "let" in typed:
            self.named = {name: self.value_of(value) for name, value in typed["let"].items()}
            return self.value_of(typed["in"])
        # Any other typed JSON has one key, the kind.
        [(kind, given)] = typed.items()
        if kind in self.OF_TEXT:
            return self.OF_TEXT[kind](given)
        make = getattr(self, f"make_{kind}", None)
        if make is None:
            raise Unsupported(f'Python has no "{kind}"')
        return make(given)

    def make_null(self, _):
        return None

    def make_boolean(self, given):
        return given

    def make_text(self, given):
        return given["character"] * given["times"]

    def make_list(self, given):
        return self.filling([], lambda made: made.extend(self.elements(given)))

    def make_set(self, given):
        return set(self.elements(given))

    def make_iterable(self, given):
        return iter(self.elements(given))

    def make_map(self, given):
        return self.filling({}, lambda made: made.update(self.pairs(given)))

    def make_object(self, given):
        if "static" in given:
            raise Unsupported("a class of its own for each object is more than this driver makes")
        fields = [field for group in given.values() for field in group]
        return self.filling(Record(), lambda made: [setattr(made, name, self.value_of(value)) for name, value in fields])

    def make_nested(self, given):
        value = self.value_of(given["value"])
        for _ in range(given["times"]):
            value = {given["key"]: value}
        return value

    def make_cycle(self, levels):
        return self.open[-levels]

    def make_same(self, name):
        return self.named[name]

    def make_throws(self, what):
        if what not in self.FAILING:
            raise Unsupported(f"in Python, {what} can not fail")
        return self.FAILING[what]()

    def filling(self, made, fill):
        self.open.append(made)
        fill(made)
        self.open.pop()
        return made

    def elements(self, given):
        for element in given:
            if "repeat" in element:
                for _ in range(element["repeat"]["times"]):
                    yield self.value_of(element["repeat"]["value"])
            else:
                yield self.value_of(element)

    def pairs(self, given):
        for pair in given:
            if isinstance(pair, dict):
                entries = pair["entries"]
                for index in range(entries["times"]):
                    yield f"{entries['prefix']}{index}", self.value_of(entries["value"])
            else:
                yield self.key_of(pair[0]), self.value_of(pair[1])

    def key_of(self, typed):
        if "boolean" in typed or "null" in typed:
            raise Unsupported("the text of True and None is another in Python")
        return self.value_of(typed)


if __name__ == "__main__":
    main()
