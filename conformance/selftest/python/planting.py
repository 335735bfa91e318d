"""How faults and variants are written down: a name, sentences about it, and the methods it replaces."""

from dataclasses import dataclass

from service import BranchService


@dataclass
class Planted:
    name: str
    does: str
    why: str           # for a fault the sentence it breaks, for a variant why it is lawful
    service: type
    disputable: bool   # a reader of the document might judge otherwise


class Collection(list):
    def plant(self, name, does, why, disputable=False, **replaced):
        service = type(name, (BranchService,), replaced)
        self.append(Planted(name, does, why, service, disputable))


def after(method, change):
    """Replaces a method: calls the correct one and hands its result to `change(self, result, *arguments)`."""
    correct = getattr(BranchService, method)
    return lambda self, *arguments: change(self, correct(self, *arguments), *arguments)


def cell(column, change):
    """Replaces `cells`: one cell becomes `change(self, branch, text)`."""
    return after("cells", lambda self, cells, branch:
                 {**cells, column: change(self, branch, cells[column])})


def field(name, change):
    """Replaces `created_fields`: one field becomes `change(self, branch, value)`."""
    return after("created_fields", lambda self, fields, branch:
                 {**fields, name: change(self, branch, fields[name])})


def counted(self, key):
    """How many times this was asked for this key, counting this time."""
    with self.lock:
        self.memory[key] = self.memory.get(key, 0) + 1
        return self.memory[key]
