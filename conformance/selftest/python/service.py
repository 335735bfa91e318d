"""The correct service. Every step is a method of its own, so that a fault can replace just one."""

import base64
import binascii
import hmac
import json
import re
import secrets
import threading
from dataclasses import dataclass, field
from datetime import datetime, timezone
from urllib.parse import quote, unquote

from world import COLUMNS, OPEN_STATUSES, STATUSES, Branch, all_accounts, all_workspaces

ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
CREATE_PATH = re.compile(r"/workspaces/([^/]+)/branches/v1")
EXPORT_PATH = re.compile(r"/workspaces/([^/]+)/branches/export/v1")


@dataclass
class Request:
    method: str
    path: str
    query: str
    headers: object
    body: bytes
    connection: dict  # lives as long as the TCP connection; "requests" counts from 1


@dataclass
class Answer:
    status: int
    body: bytes = b""
    headers: dict = field(default_factory=dict)
    close: bool = False        # close the connection afterwards
    chunked: bool = False      # send the body in chunks
    until_close: bool = False  # send no length: the end of the connection ends the body
    length: int = None         # a Content-Length other than the true one


def refuse_constant(word):
    raise ValueError(f"{word} is not JSON")


class BranchService:
    def __init__(self):
        self.accounts = all_accounts()
        self.workspaces = all_workspaces()
        self.lock = threading.RLock()
        self.memory = {}  # what a fault or variant remembers
        self.local = threading.local()

    # --- finding the operation ---

    def answer(self, request):
        self.local.request = request
        return self.route(request)

    @property
    def request(self):
        return self.local.request

    def route(self, request):
        if request.path == "/seed" and request.method == "POST":
            return self.seed(request)
        for pattern, method, operation in ((CREATE_PATH, "POST", self.create_branch),
                                           (EXPORT_PATH, "GET", self.export)):
            match = pattern.fullmatch(request.path)
            if match and request.method == method:
                return operation(request, unquote(match[1]))
            if match:
                return self.json_answer(405, {"error": "Method not allowed"})
        return self.json_answer(404, {"error": "Not found"})

    def seed(self, request):
        wish = json.loads(request.body)
        workspace = self.workspaces.get(wish["workspaceId"])
        branch = workspace and workspace.by_id.get(wish["branchId"])
        if not branch or wish["branchStatus"] not in STATUSES:
            return self.json_answer(404, {"error": "No such branch or status"})
        with self.lock:
            self.enter_status(branch, wish["branchStatus"])
        return Answer(204)

    def enter_status(self, branch, status):
        branch.enter(status, self.now(), "seeder@example.com")

    # --- authentication ---

    def authorization(self, request):
        return request.headers.get("authorization")

    def decode(self, encoded):
        return base64.b64decode(encoded, validate=True).decode("utf-8")

    def credentials(self, request):
        """The text name:secret of the header, or None where the header is missing or invalid."""
        header = self.authorization(request)
        if header is None or not header.startswith("Basic "):
            return None
        try:
            return self.decode(header[len("Basic "):])
        except (binascii.Error, ValueError):
            return None

    def same_account(self, account, given):
        return hmac.compare_digest(account.pair.encode(), given.encode())

    def account_of(self, request):
        given = self.credentials(request)
        if given is None:
            return None
        return next((account for account in self.accounts if self.same_account(account, given)), None)

    def refusal(self, account, workspace_id):
        """What the document leaves open: an account that asks for a workspace not its own."""
        if workspace_id not in self.workspaces:
            return self.json_answer(404, {"error": "Not found"})
        if account.workspace_id != workspace_id:
            return self.json_answer(403, {"error": "Forbidden"})
        return None

    # --- Create Branch ---

    def create_branch(self, request, workspace_id):
        account = self.account_of(request)
        if account is None:
            return self.unauthorized()
        refused = self.refusal(account, workspace_id)
        if refused:
            return refused
        workspace = self.workspaces[workspace_id]
        name = self.name_in(request)
        if not self.name_is_valid(name):
            return self.invalid_name(workspace, name)
        with self.creation_guard():
            if self.is_taken(workspace, name):
                return self.conflict(workspace, name)
            branch = self.add_branch(workspace, name, account)
        return self.created(branch)

    def creation_guard(self):
        return self.lock

    def parse(self, body):
        return json.loads(body.decode("utf-8"), parse_constant=refuse_constant)

    def name_in(self, request):
        """The field `name` of the body; None where the body is malformed."""
        try:
            body = self.parse(request.body)
        except (ValueError, RecursionError):
            return None
        return body.get("name") if isinstance(body, dict) else None

    def name_is_valid(self, name):
        return isinstance(name, str) and re.fullmatch("[a-z0-9-]+", name) is not None

    def is_taken(self, workspace, name):
        return any(branch.status in OPEN_STATUSES for branch in workspace.by_name.get(name, []))

    def add_branch(self, workspace, name, account):
        branch = Branch(workspace.id, name, self.new_id(workspace, name), f"user-of-{account.name}",
                        f"{account.name}@example.com", self.now())
        self.keep(workspace, branch)
        return branch

    def keep(self, workspace, branch):
        workspace.keep(branch)

    def new_id(self, workspace, name):
        return "".join(secrets.choice(ALPHABET) for _ in range(12))

    def created(self, branch):
        return self.json_answer(201, self.created_fields(branch))

    def created_fields(self, branch):
        return {"branchId": branch.id, "branchName": branch.name, "branchUrl": self.branch_url(branch)}

    def branch_url(self, branch):
        segment, last = quote(branch.workspace_id, safe=""), quote(branch.id, safe="")
        return f"https://app.example.com/schemas/{segment}/branches/{last}"

    # --- errors ---

    def json_answer(self, status, value):
        return Answer(status, json.dumps(value).encode(), {"Content-Type": "application/json"})

    def unauthorized(self):
        return self.json_answer(401, {"error": "Unauthorized"})

    def conflict(self, workspace, name):
        return self.json_answer(409, {"error": "Branch with this name already exists"})

    def invalid_name(self, workspace, name):
        return self.json_answer(400, {"error": self.invalid_name_text(workspace, name)})

    def invalid_name_text(self, workspace, name):
        return f'Invalid branch name, try "{self.suggestion(workspace, name)}" instead'

    def suggestion(self, workspace, name):
        wish = name.lower() if isinstance(name, str) else ""
        wish = re.sub("[^a-z0-9]+", "-", wish).strip("-") or "new-branch"
        number, proposal = 2, wish
        while proposal in workspace.by_name:
            number, proposal = number + 1, f"{wish}-{number}"
        return proposal

    # --- Export Branch Stats ---

    def export(self, request, workspace_id):
        account = self.account_of(request)
        if account is None:
            return self.unauthorized()
        return self.refusal(account, workspace_id) or self.export_for(self.workspaces[workspace_id], account)

    def export_for(self, workspace, account):
        return self.export_answer(self.export_text(workspace, account))

    def export_text(self, workspace, account):
        branches = self.exported(workspace, account)
        return self.csv([self.header()] + [self.row(branch) for branch in branches])

    def exported(self, workspace, account):
        return list(workspace.branches)

    def header(self):
        return list(COLUMNS)

    def row(self, branch):
        cells = self.cells(branch)
        return [cells[column] for column in self.header()]

    def cells(self, branch):
        values = [branch.name, branch.id, branch.creator_id, branch.creator_email,
                  self.moment(branch.created), branch.status, self.array(branch.collaborators),
                  self.moment(branch.published), self.moment(branch.ready), branch.ready_email or "",
                  self.moment(branch.merged), branch.merged_email or ""]
        return dict(zip(COLUMNS, values))

    def array(self, emails):
        return json.dumps(emails, ensure_ascii=False)

    def moment(self, moment):
        return moment.strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z" if moment else ""

    def csv(self, rows):
        return "".join(",".join(self.quoted(cell) for cell in row) + "\r\n" for row in rows)

    def quoted(self, cell):
        return '"' + cell.replace('"', '""') + '"' if re.search('[",\r\n]', cell) else cell

    def export_answer(self, text):
        return Answer(200, text.encode("utf-8", "replace"), {"Content-Type": "text/csv; charset=utf-8"})

    def now(self):
        return datetime.now(timezone.utc)
