"""Faults that show when a branch lives on, or when two requests share what they should not."""

import hashlib
import time

from planting import Collection, after, cell, counted
from service import BranchService
from world import OPEN_STATUSES

ALL = Collection()
TAKEN = "Must not equal the name of any currently open branch in the workspace."
READY = "markedReadyForReviewerUserEmail: E-mail of the user who first marked the branch ReadyForReview."
FIRST = "markedReadyForReviewDate: the date of the first ReadyForReview event."
ID = "branchId: Id of the branch."
NAME = "branchName: Name of the branch."
CREATOR = "branchCreatorEmail: E-mail of the branch creator."
FREE = "When the body is valid and the name is free, then a branch with that name is created and 201 is returned."


def moving(name, does, breaks, enter_status, **more):
    ALL.plant(name, does, breaks, enter_status=enter_status, **more)


def enter(self, branch, status):
    BranchService.enter_status(self, branch, status)


def drop_from_index(self, branch, status):
    """Leaves the index of open names when closed, and never comes back."""
    enter(self, branch, status)
    if status not in OPEN_STATUSES:
        self.memory.setdefault("left", set()).add(branch.id)


moving("reopened-branch-not-in-index", "answers 201 to the name of a branch that was closed and is open again", TAKEN, drop_from_index,
       is_taken=lambda self, workspace, name: any(b.status in OPEN_STATUSES and b.id not in self.memory.get("left", ())
                                                  for b in workspace.by_name.get(name, [])))


def free_one_of_two(self, branch, status):
    """Closing one branch frees its name, though a younger one of that name may be open."""
    enter(self, branch, status)
    if status not in OPEN_STATUSES:
        self.workspaces[branch.workspace_id].by_name.pop(branch.name, None)


moving("closing-older-namesake-frees-name", "answers 201 to an open branch's name once an older branch of that name is closed again", TAKEN, free_one_of_two)
moving("ready-email-of-last-event", "shows who marked the branch ReadyForReview last", READY, lambda self, branch, status: (
    enter(self, branch, status), setattr(branch, "ready_email", "seeder@example.com") if status == "ReadyForReview" else None))
moving("ready-date-lost-in-draft", "shows no date of the first review once the branch is a Draft again, and a new one after that", FIRST,
       lambda self, branch, status: (setattr(branch, "ready", None) if status == "Draft" else None, enter(self, branch, status)))
moving("ready-date-moves-on-approval", "shows the date of the approval as that of the first review", FIRST,
       lambda self, branch, status: (enter(self, branch, status), setattr(branch, "ready", self.now()) if status == "Approved" and branch.ready else None))
moving("creation-date-moves-with-any-status", "shows the date of the last change of status as creation", "creationDate: UTC timestamp of branch creation.",
       lambda self, branch, status: (enter(self, branch, status), setattr(branch, "created", self.now())))
moving("creator-becomes-merger", "shows who merged the branch as its creator", CREATOR,
       lambda self, branch, status: (enter(self, branch, status), setattr(branch, "creator_email", branch.merged_email or branch.creator_email)))
moving("status-of-namesake-changes-too", "changes the status of all branches of one name", "branchStatus: Current status.",
       lambda self, branch, status: [enter(self, b, status) for b in self.workspaces[branch.workspace_id].branches if b.name == branch.name])
moving("status-of-neighbour-changes", "changes the status of the branch created before too", "branchStatus: Current status.",
       lambda self, branch, status: [enter(self, b, status) for b in neighbours(self.workspaces[branch.workspace_id].branches, branch)])


def neighbours(branches, branch):
    at = branches.index(branch)
    return branches[max(0, at - 1):at + 1]


for name, does, column, change, breaks in [
    ("id-changes-with-each-export", "shows another id in each export", "branchId",
     lambda s, b, t: hashlib.md5(f"{t}{counted(s, 'ids')}".encode()).hexdigest()[:12], ID),
    ("id-changes-with-status", "shows another id once a branch is merged", "branchId", lambda s, b, t: t + "-m" if b.merged else t, ID),
    ("name-marked-when-closed", "shows `name (closed)` for closed branches", "branchName", lambda s, b, t: t + " (closed)" if b.status == "Closed" else t, NAME),
    ("name-marked-when-not-unique", "shows `name-2` for the second branch of a name", "branchName",
     lambda s, b, t: t if s.workspaces[b.workspace_id].by_name[t][0] is b else t + "-2", NAME),
    ("creator-is-the-asking-account", "shows the account that asks as creator of new branches", "branchCreatorEmail",
     lambda s, b, t: f"{s.account_of(s.request).name}@example.com" if "-of-" in b.creator_id else t, CREATOR),
    ("status-draft-when-unknown", "shows Draft for every branch made by the API", "branchStatus",
     lambda s, b, t: "Draft" if "-of-" in b.creator_id else t, "branchStatus: Current status."),
]:
    ALL.plant(name, does, breaks, cells=cell(column, change))


def alternating(self, name):
    """Like a pattern that remembers where it stopped: behind a success it fails once."""
    if not BranchService.name_is_valid(self, name):
        return False
    self.memory["stopped"] = not self.memory.get("stopped", False)
    return self.memory["stopped"]


ALL.plant("refuses-every-second-good-name", "answers 400 to every second valid name", FREE, name_is_valid=alternating)


def shared_verdict(self, request):
    """Verdict and account are kept where all requests see them."""
    account = BranchService.account_of(self, request)
    self.memory["account"] = account
    time.sleep(0.01)
    return self.memory["account"]


ALL.plant("account-mixed-up-at-once", "lets a wrong header in, or refuses a right one, where both come at once",
          "When the header is missing or invalid, then Create Branch answers 401.", account_of=shared_verdict)


def shared_name(self, request):
    self.memory["name"] = BranchService.name_in(self, request)
    time.sleep(0.005)
    return self.memory["name"]


ALL.plant("name-mixed-up-at-once", "creates (and judges) the other one's name where two creations come at once", FREE, name_in=shared_name)
ALL.plant("creator-mixed-up-at-once", "shows the other account as creator where two accounts create at once", CREATOR,
          account_of=lambda self, request: BranchService.account_of(self, request) and self.memory.__setitem__(
              "newest", BranchService.account_of(self, request)) or BranchService.account_of(self, request),
          add_branch=lambda self, workspace, name, account: (time.sleep(0.005), BranchService.add_branch(
              self, workspace, name, self.memory["newest"] if self.memory["newest"].workspace_id == workspace.id else account))[1])
ALL.plant("conflict-only-behind-export", "answers 409 only for names that an export has shown", TAKEN,
          is_taken=lambda self, workspace, name: BranchService.is_taken(self, workspace, name) and (workspace.id, name) in self.memory.get("shown", ()),
          exported=after("exported", lambda self, branches, workspace, account: (self.memory.setdefault("shown", set()).update(
              (workspace.id, branch.name) for branch in branches), branches)[1]))
