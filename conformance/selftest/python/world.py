"""The things a service keeps: accounts, workspaces and branches, and those that were there before."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone

COLUMNS = [
    "branchName", "branchId", "branchCreatorId", "branchCreatorEmail", "creationDate",
    "branchStatus", "collaborators", "lastPublishedDate", "markedReadyForReviewDate",
    "markedReadyForReviewerUserEmail", "branchMergedDate", "branchMergedUserEmail",
]
STATUSES = ["Merged", "Closed", "Approved", "Draft", "ReadyForReview"]
OPEN_STATUSES = {"Draft", "ReadyForReview", "Approved"}


@dataclass
class Account:
    workspace_id: str
    name: str
    secret: str

    @property
    def pair(self):
        return f"{self.name}:{self.secret}"


@dataclass
class Branch:
    workspace_id: str
    name: str
    id: str
    creator_id: str
    creator_email: str
    created: datetime
    status: str = "Draft"
    collaborators: list = field(default_factory=list)
    published: datetime = None
    ready: datetime = None
    ready_email: str = None
    merged: datetime = None
    merged_email: str = None

    def enter(self, status, moment, email):
        """Put the branch into a status, with the dates and persons that go with it."""
        self.status = status
        if status == "ReadyForReview" and self.ready is None:
            self.ready, self.ready_email = moment, email
        if status == "Merged":
            self.merged, self.merged_email = moment, email
            self.published = moment


@dataclass
class Workspace:
    id: str
    branches: list = field(default_factory=list)
    by_name: dict = field(default_factory=dict)
    by_id: dict = field(default_factory=dict)

    def keep(self, branch):
        self.branches.append(branch)
        self.by_name.setdefault(branch.name, []).append(branch)
        self.by_id[branch.id] = branch


def all_accounts():
    return [
        Account("north", "north-bot", "s3cret:with:Colons-9fK2"),
        Account("north", "north-second", "Plain-secret-77-xQ"),
        Account("south", "south-bot", "Other-secret-41-zR"),
    ]


def all_workspaces():
    """Two workspaces with branches from before: every status and every column is filled somewhere."""
    workspaces = {"north": Workspace("north"), "south": Workspace("south")}
    start = datetime.now(timezone.utc) - timedelta(days=30)
    helpers = ["\"lee, ann\"@example.com", "jürgen@example.com", "zoe@example.com"]
    plan = [("north", "checkout-events", "Merged"), ("north", "old-experiment", "Closed"),
            ("north", "signup-v2", "Approved"), ("north", "search-filters", "Draft"),
            ("north", "payment-retry", "ReadyForReview"), ("north", "checkout-refunds", "Merged"),
            ("south", "push-opt-in", "Merged"), ("south", "map-zoom", "Draft")]
    for number, (workspace_id, name, status) in enumerate(plan):
        created = start + timedelta(days=number, minutes=7 * number)
        branch = Branch(workspace_id, name, f"before{number}aQ", f"user-{number % 3 + 1}",
                        f"person{number % 3 + 1}@example.com", created,
                        collaborators=helpers[: number % 4])
        if status != "Draft":
            branch.enter("ReadyForReview", created + timedelta(hours=5), "rita@example.com")
        branch.enter(status, created + timedelta(hours=30), "max@example.com")
        workspaces[workspace_id].keep(branch)
    return workspaces
