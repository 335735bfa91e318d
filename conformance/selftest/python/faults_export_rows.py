"""Faults in which branches the export shows, and when."""

import time

from planting import Collection, after, counted
from service import BranchService
from world import OPEN_STATUSES

ALL = Collection()
EVERY = "The export holds the statistics of all branches of the workspace. One CSV row per branch."
CURRENT = "branchStatus: Current status."


def shows(name, does, choose, breaks=EVERY):
    """The export shows `choose(self, branches, workspace, account)`."""
    ALL.plant(name, does, breaks, exported=lambda self, workspace, account:
              choose(self, list(workspace.branches), workspace, account))


for status in ("Merged", "Closed", "Approved", "Draft", "ReadyForReview"):
    shows(f"export-hides-{status.lower()}", f"leaves out the branches that are {status}",
          lambda s, bs, w, a, hidden=status: [b for b in bs if b.status != hidden])
shows("export-shows-open-alone", "leaves out merged and closed branches", lambda s, bs, w, a: [b for b in bs if b.status in OPEN_STATUSES])
shows("export-shows-newest-100", "shows the newest 100 branches alone", lambda s, bs, w, a: bs[-100:])
shows("export-shows-oldest-100", "shows the oldest 100 branches alone", lambda s, bs, w, a: bs[:100])
shows("export-shows-oldest-25", "shows the oldest 25 branches alone", lambda s, bs, w, a: bs[:25])
shows("export-shows-newest-256", "shows the newest 256 branches alone", lambda s, bs, w, a: bs[-256:])
shows("export-lacks-last", "leaves out the newest branch", lambda s, bs, w, a: bs[:-1])
shows("export-lacks-first", "leaves out the oldest branch", lambda s, bs, w, a: bs[1:])
shows("export-lacks-row-at-page-end", "leaves out each 50th branch", lambda s, bs, w, a: [b for n, b in enumerate(bs, 1) if n % 50])
shows("export-doubles-row-at-page-end", "shows each 50th branch twice", lambda s, bs, w, a: [b for n, b in enumerate(bs, 1) for _ in range(1 + (n % 50 == 0))])
shows("export-doubles-last", "shows the newest branch twice", lambda s, bs, w, a: bs + bs[-1:])
shows("export-is-empty", "shows no branch", lambda s, bs, w, a: [])
shows("export-shows-own-alone", "shows what the asking account created, and what was there before", lambda s, bs, w, a:
      [b for b in bs if b.creator_id == f"user-of-{a.name}" or not b.creator_id.startswith("user-of-")])
shows("export-shows-both-workspaces", "shows the branches of both workspaces", lambda s, bs, w, a: [b for v in s.workspaces.values() for b in v.branches])
shows("export-shows-first-workspace", "shows the first workspace's branches in each", lambda s, bs, w, a: s.workspaces["north"].branches)
shows("export-shows-one-of-a-name", "shows the newest of several branches with one name alone", lambda s, bs, w, a: list({b.name: b for b in bs}.values()))
shows("export-lacks-branches-from-before", "leaves out the branches older than a day", lambda s, bs, w, a: [b for b in bs if (s.now() - b.created).days < 1])
shows("export-lacks-new-branches-for-20-seconds", "shows branches 20 seconds after their creation", lambda s, bs, w, a:
      [b for b in bs if (s.now() - b.created).total_seconds() > 20])
shows("export-lacks-long-names", "leaves out branches with names of more than 64 characters", lambda s, bs, w, a: [b for b in bs if len(b.name) <= 64])
shows("export-lacks-double-hyphens", "leaves out branches with -- in the name", lambda s, bs, w, a: [b for b in bs if "--" not in b.name])
shows("export-lacks-untouched-in-south", "leaves out the branches of the second workspace that have no collaborators", lambda s, bs, w, a:
      [b for b in bs if w.id == "north" or b.collaborators])
shows("export-second-on-connection-is-empty", "shows no branch in the second export of a connection", lambda s, bs, w, a:
      [] if s.request.connection.setdefault("exports", []) or s.request.connection["exports"].append(1) else bs)
shows("export-second-page-first", "shows each export another hundred of the branches", lambda s, bs, w, a:
      bs if len(bs) <= 100 else bs[(counted(s, w.id) * 100) % len(bs):][:100])


def two_at_once(self, branches, workspace, account):
    """Both requests gather their rows in one list."""
    shared = self.memory.setdefault("rows", [])
    self.memory["busy"] = self.memory.get("busy", 0) + 1
    shared.extend(branches)
    time.sleep(0.01)
    rows = list(shared)
    self.memory["busy"] -= 1
    if self.memory["busy"] == 0:
        shared.clear()
    return rows


shows("export-mixes-two-at-once", "shows rows twice where two exports come at once", two_at_once)


def other_workspace_at_once(self, branches, workspace, account):
    self.memory["asked"] = workspace
    time.sleep(0.01)
    return list(self.memory["asked"].branches)


shows("export-of-other-workspace-at-once", "shows the other workspace's branches where both are asked for at once", other_workspace_at_once)


def cached(name, does, seconds, key, forgetting=None):
    """The text of an export is kept for some seconds; `forgetting` names what empties the cache."""
    def export_text(self, workspace, account):
        place, now = key(self, workspace, account), time.monotonic()
        kept = self.memory.setdefault("exports", {})
        if place not in kept or now - kept[place][0] > seconds:
            kept[place] = (now, BranchService.export_text(self, workspace, account))
        return kept[place][1]
    replaced = {"export_text": export_text}
    if forgetting:
        replaced[forgetting] = after(forgetting, lambda self, result, *_: (self.memory.pop("exports", None), result)[1])
    ALL.plant(name, does, EVERY + " / " + CURRENT, **replaced)


cached("export-cached-for-ever", "shows the first export again and again", 1e9, lambda s, w, a: w.id)
cached("export-cached-for-30-seconds", "shows exports up to 30 seconds old", 30, lambda s, w, a: w.id)
cached("export-cached-until-creation", "shows the old statuses until a branch is created", 1e9, lambda s, w, a: w.id, "add_branch")
cached("export-cached-until-status-change", "shows the old branches until a status changes", 1e9, lambda s, w, a: w.id, "enter_status")
cached("export-cached-across-workspaces", "shows one workspace's export in the other one for 10 seconds", 10, lambda s, w, a: "all", "add_branch")
cached("export-cached-by-number-of-branches", "shows the old export while the number of branches is the same", 1e9, lambda s, w, a: (w.id, len(w.branches)))
cached("export-cached-for-second-account", "shows the second account old exports for 60 seconds", 60, lambda s, w, a:
       w.id if a.name == "north-second" else time.monotonic())
cached("export-cached-on-connection", "shows the same export on one connection", 1e9, lambda s, w, a: id(s.request.connection))
cached("export-cached-from-100-branches-on", "shows exports up to 60 seconds old from 100 branches on", 60, lambda s, w, a:
       w.id if len(w.branches) > 100 else time.monotonic())


def first_status(self, cells, branch):
    seen = self.memory.setdefault("statuses", {})
    return {**cells, "branchStatus": seen.setdefault(branch.id, branch.status)}


ALL.plant("status-stays-as-first-shown", "shows each branch's status as it was in the first export", CURRENT, cells=after("cells", first_status))


def previous_status(self, branch, status):
    self.memory[branch.id] = branch.status
    BranchService.enter_status(self, branch, status)


ALL.plant("status-before-the-current", "shows the status before the current one", CURRENT, enter_status=previous_status,
          cells=after("cells", lambda self, cells, branch: {**cells, "branchStatus": self.memory.get(branch.id, branch.status)}))


def status_upwards(self, branch, status):
    order = ["Draft", "ReadyForReview", "Approved", "Merged", "Closed"]
    if order.index(status) >= order.index(branch.status):
        BranchService.enter_status(self, branch, status)


ALL.plant("status-never-goes-back", "shows ReadyForReview although a branch went back to Draft", CURRENT, True, enter_status=status_upwards)


def export_on_path(name, does, pattern, breaks):
    def route(self, request):
        if request.method == "GET" and pattern(request):
            return self.json_answer(404, {"error": "Not found"})
        return BranchService.route(self, request)
    ALL.plant(name, does, breaks, route=route)


def sample_path(self, request):
    """Only the path of the sample request works."""
    if request.path.endswith("/branches/export/v1"):
        return self.json_answer(404, {"error": "Not found"})
    request.path = request.path.replace("/export/v1", "/branches/export/v1")
    return BranchService.route(self, request)


ALL.plant("export-on-sample-path-alone", "answers 404 on the documented path; the export is at /workspaces/<id>/export/v1",
          "The path with the `branches` segment is the documented endpoint.", route=sample_path)
export_on_path("export-needs-content-type", "answers 404 to exports without Content-Type", lambda r: "content-type" not in r.headers,
               "Request headers of the export: `authorization`; request body: none.")
export_on_path("export-needs-accept-csv", "answers 404 to exports without Accept: text/csv", lambda r: "csv" not in r.headers.get("accept", ""),
               "Request headers of the export: `authorization` alone.")
export_on_path("export-once-on-a-connection", "answers 404 to exports that are not the first request of a connection", lambda r: r.connection["requests"] > 1,
               "Export Branch Stats: GET on the documented path answers the CSV string.")


def export_by_post(self, request):
    if request.path.endswith("/export/v1"):
        request.method = {"GET": "none", "POST": "GET"}.get(request.method, request.method)
    return BranchService.route(self, request)


ALL.plant("export-by-post-alone", "answers 405 to GET; the export wants POST", "Method: GET", route=export_by_post)


def export_empties(self, workspace, account):
    text = BranchService.export_text(self, workspace, account)
    workspace.branches = [b for b in workspace.branches if b.status not in ("Closed",)]
    return text


ALL.plant("export-removes-closed", "shows closed branches once, and drops them then", EVERY, export_text=export_empties)
