"""Faults in finding out whether a name is taken, and in what a refused creation leaves behind."""

import contextlib
import time

from planting import Collection, counted
from service import BranchService
from world import OPEN_STATUSES

ALL = Collection()
TAKEN = "Must not equal the name of any currently open branch in the workspace. / 409: A branch with the same name already exists."
FREE = "When the body is valid and the name is free, then a branch with that name is created and 201 is returned."
REFUSED = "400/401/409 are error statuses: only a valid body, a free name and a valid header create a branch."


def taken(self, workspace, name):
    return BranchService.is_taken(self, workspace, name)


def open_ones(workspace, name):
    return [branch for branch in workspace.by_name.get(name, []) if branch.status in OPEN_STATUSES]


def forgets(name, does, overlooked, **more):
    """Answers 201 to a taken name where `overlooked(self, workspace, name)`."""
    ALL.plant(name, does, TAKEN, is_taken=lambda self, workspace, wish:
              taken(self, workspace, wish) and not overlooked(self, workspace, wish), **more)


def age(branch, self):
    return (self.now() - branch.created).total_seconds()


forgets("never-conflicts", "answers 201 to every taken name", lambda s, w, n: True)
forgets("ignores-drafts", "answers 201 where the name belongs to a Draft",
        lambda s, w, n: all(b.status == "Draft" for b in open_ones(w, n)))
forgets("ignores-ready-for-review", "answers 201 where the name belongs to a branch ReadyForReview",
        lambda s, w, n: all(b.status == "ReadyForReview" for b in open_ones(w, n)))
forgets("ignores-branches-from-before", "answers 201 to the name of a branch older than a day",
        lambda s, w, n: all(age(b, s) > 86400 for b in open_ones(w, n)))
forgets("forgets-names-after-two-seconds", "answers 201 to a taken name two seconds after its creation",
        lambda s, w, n: all(age(b, s) > 2 for b in open_ones(w, n)))
forgets("conflicts-only-with-newest", "answers 201 to a taken name unless it is the newest branch's",
        lambda s, w, n: w.branches[-1].name != n)
forgets("looks-up-newest-100", "answers 201 to a taken name which is not among the newest 100 branches",
        lambda s, w, n: all(b.name != n for b in w.branches[-100:]))
forgets("looks-up-oldest-100", "answers 201 to a taken name which is not among the oldest 100 branches",
        lambda s, w, n: all(b.name != n for b in w.branches[:100]))
forgets("looks-up-newest-20", "answers 201 to a taken name which is not among the newest 20 branches",
        lambda s, w, n: all(b.name != n for b in w.branches[-20:]))
forgets("conflicts-only-for-the-creator", "answers 201 where another account made the branch of that name",
        lambda s, w, n: all(b.creator_id != f"user-of-{s.account_of(s.request).name}" for b in open_ones(w, n)))
forgets("conflicts-once", "answers 409 once for a name, and 201 the next time",
        lambda s, w, n: counted(s, ("conflict", w.id, n)) > 1)
forgets("conflict-forgotten-on-kept-connection", "answers 201 to a name taken on the same connection",
        lambda s, w, n: n in s.request.connection.get("names", ()),
        keep=lambda self, workspace, branch: (self.request.connection.setdefault("names", set()).add(branch.name),
                                              workspace.keep(branch)))
forgets("no-conflict-for-long-names", "answers 201 to a taken name of more than 50 characters", lambda s, w, n: len(n) > 50)
forgets("no-conflict-for-digits", "answers 201 to a taken name of digits alone", lambda s, w, n: n.isdigit())
forgets("no-conflict-in-south", "answers 201 to a taken name in the second workspace", lambda s, w, n: w.id == "south")
forgets("no-conflict-after-status-change", "answers 201 to a name whose branch changed its status, though it is open",
        lambda s, w, n: n in s.memory.get("moved", ()),
        enter_status=lambda self, branch, status: (self.memory.setdefault("moved", set()).add(branch.name),
                                                   BranchService.enter_status(self, branch, status)))
forgets("older-namesake-merged-frees-name", "answers 201 to an open branch's name if an older one of that name was merged or closed",
        lambda s, w, n: any(b.status not in OPEN_STATUSES for b in w.by_name[n]))


def slow_look(pause):
    def is_taken(self, workspace, name):
        found = taken(self, workspace, name)
        time.sleep(pause)
        return found
    return is_taken


ALL.plant("races-on-one-name", "answers 201 to each of two creations of one name that come within 50 ms", TAKEN,
          creation_guard=lambda self: contextlib.nullcontext(), is_taken=slow_look(0.05))
ALL.plant("races-narrowly-on-one-name", "answers 201 to each of two creations of one name that come within 2 ms", TAKEN,
          creation_guard=lambda self: contextlib.nullcontext(), is_taken=slow_look(0.002))


def guard_of_account(self):
    with self.lock:
        return self.memory.setdefault(("guard", self.account_of(self.request).name), type(self.lock)())


ALL.plant("races-between-accounts", "answers 201 to two accounts that create one name at once (locks for each account)", TAKEN,
          creation_guard=guard_of_account, is_taken=slow_look(0.04))


def too_strict(name, does, same):
    ALL.plant(name, does, FREE, is_taken=lambda self, workspace, wish:
              taken(self, workspace, wish) or same(self, workspace, wish))


too_strict("conflicts-across-workspaces", "answers 409 to a name that is taken in the other workspace only",
           lambda s, w, n: any(taken(s, other, n) for other in s.workspaces.values()))
too_strict("conflicts-without-hyphens", "answers 409 to ab-c where abc exists",
           lambda s, w, n: any(b.name.replace("-", "") == n.replace("-", "") for b in w.branches))
too_strict("conflicts-by-start-of-older", "answers 409 to a name with which an older name begins",
           lambda s, w, n: any(b.name.startswith(n) for b in w.branches))
too_strict("conflicts-by-older-as-start", "answers 409 to a name that begins with an older name",
           lambda s, w, n: any(n.startswith(b.name) for b in w.branches))
too_strict("conflicts-by-30-characters", "answers 409 where the first 30 characters are an older name's",
           lambda s, w, n: len(n) > 30 and any(b.name[:30] == n[:30] for b in w.branches))
too_strict("conflicts-by-number-value", "answers 409 to 007 where 7 exists",
           lambda s, w, n: n.isdigit() and any(b.name.isdigit() and int(b.name) == int(n) for b in w.branches))
too_strict("conflicts-with-branch-id", "answers 409 to a name that is the id of a branch in small letters",
           lambda s, w, n: any(b.id.lower() == n for b in w.branches))
too_strict("conflicts-by-letters-of-words", "answers 409 to b-a where a-b exists",
           lambda s, w, n: any(sorted(b.name.split("-")) == sorted(n.split("-")) for b in w.branches))


def remembering(outcome):
    """Takes a name for taken once it came in a request that had this outcome."""
    def create_branch(self, request, workspace_id):
        answer = BranchService.create_branch(self, request, workspace_id)
        name = self.name_in(request)
        if answer.status == outcome and isinstance(name, str):
            self.memory.setdefault("burnt", set()).add((workspace_id, name))
        return answer
    return create_branch


ALL.plant("name-burnt-by-401", "answers 409 to a free name that came before in a request without right to it", FREE,
          create_branch=remembering(401), is_taken=lambda self, workspace, name:
          taken(self, workspace, name) or (workspace.id, name) in self.memory.get("burnt", ()))


def proposal_reserved(self, workspace, name):
    proposal = BranchService.suggestion(self, workspace, name)
    self.memory.setdefault("proposed", set()).add(proposal)
    return proposal


ALL.plant("proposal-is-reserved", "answers 409 to the name that it has just proposed", FREE, suggestion=proposal_reserved,
          is_taken=lambda self, workspace, name: taken(self, workspace, name) or name in self.memory.get("proposed", ()))


def leaves(name, does, method, wish_of):
    """The refusal is answered rightly, and yet a branch comes into being."""
    def replaced(self, *arguments):
        answer = getattr(BranchService, method)(self, *arguments)
        wish = wish_of(self, *arguments)
        workspace = self.workspaces.get(self.request.path.split("/")[2])
        if isinstance(wish, str) and workspace and self.request.method == "POST":
            self.add_branch(workspace, wish, self.accounts[0])
        return answer
    ALL.plant(name, does, REFUSED, **{method: replaced})


leaves("conflict-adds-a-row", "answers 409, but adds a second branch of the name", "conflict", lambda s, w, n: n)
leaves("bad-name-adds-a-row", "answers 400, but adds a branch of the invalid name", "invalid_name", lambda s, w, n: n)
leaves("bad-name-adds-proposal", "answers 400, but creates the branch that it proposes", "invalid_name",
       lambda s, w, n: s.suggestion(w, n))
leaves("unauthorized-adds-a-row", "answers 401, but creates the branch", "unauthorized", lambda s: s.name_in(s.request))


def conflict_renames(self, workspace, name):
    for branch in open_ones(workspace, name):
        branch.creator_id = f"user-of-{self.account_of(self.request).name}"
        branch.created = self.now()
    return BranchService.conflict(self, workspace, name)


ALL.plant("conflict-touches-the-branch", "answers 409, but gives the old branch a new creation date",
          "creationDate: UTC timestamp of branch creation.", conflict=conflict_renames)


def conflict_closes(self, workspace, name):
    for branch in open_ones(workspace, name):
        branch.status = "Closed"
    return BranchService.conflict(self, workspace, name)


ALL.plant("conflict-closes-the-branch", "answers 409, but shows the old branch as Closed from then on",
          "branchStatus: Current status.", conflict=conflict_closes, disputable=True)
