"""Faults in the answer to a successful creation, in ids, and in what is stored."""

import contextlib
import hashlib
import json
import re
import time

from planting import Collection, after, counted, field
from service import Answer, BranchService

ALL = Collection()
SUCCESS = "Success status: 201 Created."
BODY = "Success body: JSON object with string fields `branchId`, `branchName`, `branchUrl`."
NAME = "The returned `branchName` is the name that was requested."
URL = "branchUrl: of the form `https://<web_host>/schemas/<workspace_segment>/branches/<branch_id>`."
ID = "branchId: Id of the new branch."
STORED = "When the body is valid and the name is free, then a branch with that name is created."


def status_of(change):
    def changed(self, answer, branch):
        answer.status = change(self, branch)
        return answer
    return {"created": after("created", changed)}


def body_of(change):
    return {"created": lambda self, branch: Answer(201, change(self.created_fields(branch)).encode(),
                                                   {"Content-Type": "application/json"})}


def fields_of(change):
    return {"created_fields": after("created_fields", lambda self, fields, branch: change(fields))}


def many(self, key, limit):
    return counted(self, key) > limit


for name, does, replaced in [
    ("created-answers-200", "answers 200 to a creation", status_of(lambda s, b: 200)),
    ("created-answers-202", "answers 202 to a creation", status_of(lambda s, b: 202)),
    ("created-answers-200-after-first", "answers 201 to the first creation, 200 to all others",
     status_of(lambda s, b: 200 if many(s, "created", 1) else 201)),
    ("created-answers-200-on-kept-connection", "answers 200 to the third creation on a connection",
     status_of(lambda s, b: 200 if s.request.connection["requests"] > 2 else 201)),
    ("created-answers-200-in-south", "answers 200 to creations in the second workspace",
     status_of(lambda s, b: 200 if b.workspace_id == "south" else 201)),
    ("created-answers-200-for-reused-name", "answers 200 where a merged or closed branch had the name",
     status_of(lambda s, b: 200 if len(s.workspaces[b.workspace_id].by_name[b.name]) > 1 else 201)),
    ("created-answers-500-at-150", "answers 500 to creations from the 150th of a workspace on",
     status_of(lambda s, b: 500 if len(s.workspaces[b.workspace_id].branches) > 150 else 201)),
]:
    ALL.plant(name, does, SUCCESS, **replaced)

for name, does, replaced in [
    ("created-without-body", "answers 201 without a body", body_of(lambda fields: "")),
    ("created-in-a-list", "answers 201 with a list of one object", body_of(lambda fields: json.dumps([fields]))),
    ("created-encoded-twice", "answers 201 with JSON in a JSON string", body_of(lambda fields: json.dumps(json.dumps(fields)))),
    ("created-in-data", "answers 201 with the fields below `data`", fields_of(lambda f: {"data": f})),
    ("created-snake-case", "answers 201 with branch_id, branch_name, branch_url",
     fields_of(lambda f: {re.sub("[A-Z]", lambda m: "_" + m[0].lower(), key): f[key] for key in f})),
    ("created-small-keys", "answers 201 with keys in small letters", fields_of(lambda f: {key.lower(): f[key] for key in f})),
    ("created-url-capital-key", "answers 201 with branchURL for branchUrl",
     fields_of(lambda f: {key.replace("Url", "URL"): f[key] for key in f})),
    ("created-id-capital-key", "answers 201 with branchID for branchId",
     fields_of(lambda f: {key.replace("Id", "ID"): f[key] for key in f})),
    ("created-without-id", "answers 201 without branchId", fields_of(lambda f: {k: f[k] for k in f if k != "branchId"})),
    ("created-without-name", "answers 201 without branchName", fields_of(lambda f: {k: f[k] for k in f if k != "branchName"})),
    ("created-without-url", "answers 201 without branchUrl", fields_of(lambda f: {k: f[k] for k in f if k != "branchUrl"})),
    ("created-id-null", "answers 201 with null in branchId", {"created_fields": field("branchId", lambda s, b, v: None)}),
    ("created-url-null", "answers 201 with null in branchUrl", {"created_fields": field("branchUrl", lambda s, b, v: None)}),
    ("created-digits-name-as-number", "answers 201 with a number in branchName where the name has digits alone",
     {"created_fields": field("branchName", lambda s, b, v: int(v) if v.isdigit() else v)}),
    ("created-with-comma-too-many", "answers 201 with a comma before the closing brace",
     body_of(lambda fields: json.dumps(fields)[:-1] + ",}")),
]:
    ALL.plant(name, does, BODY, **replaced)

ALL.plant("created-id-number", "answers 201 with a number in branchId", BODY,
          new_id=lambda self, workspace, name: str(1000 + counted(self, "id")), **{
              "created_fields": after("created_fields", lambda self, f, b: {**f, "branchId": int(b.id)})})

for name, does, change in [
    ("name-returned-in-capitals", "answers 201 with branchName in capitals", lambda s, b, v: v.upper()),
    ("name-returned-cut-at-40", "answers 201 with branchName cut behind 40 characters", lambda s, b, v: v[:40]),
    ("name-returned-cut-at-100", "answers 201 with branchName cut behind 100 characters", lambda s, b, v: v[:100]),
    ("name-returned-hyphens-merged", "answers 201 with runs of hyphens as one", lambda s, b, v: re.sub("-+", "-", v)),
    ("name-returned-hyphens-trimmed", "answers 201 without the hyphens at the ends", lambda s, b, v: v.strip("-") or v),
    ("name-returned-zeros-trimmed", "answers 201 without leading zeros", lambda s, b, v: v.lstrip("0") or v),
    ("name-returned-with-workspace", "answers 201 with north/name in branchName", lambda s, b, v: f"{b.workspace_id}/{v}"),
    ("name-returned-with-blanks", "answers 201 with blanks for hyphens in branchName", lambda s, b, v: v.replace("-", " ")),
]:
    ALL.plant(name, does, NAME, created_fields=field("branchName", change))


def name_of_another(self, branch):
    self.memory["newest"] = branch.name
    time.sleep(0.005)
    return {**BranchService.created_fields(self, branch), "branchName": self.memory["newest"]}


ALL.plant("name-returned-of-another", "answers 201 with the other one's branchName to two creations at once", NAME,
          created_fields=name_of_another)
ALL.plant("stores-name-cut-at-60", "answers 201 with a name cut behind 60 characters, and stores it so", NAME,
          name_in=after("name_in", lambda self, name, request: name[:60] if isinstance(name, str) and len(name) < 200 else name))
ALL.plant("stores-name-with-suffix-when-merged-before", "answers 201 with name-2 where a merged or closed branch had the name", NAME,
          add_branch=lambda self, workspace, name, account: BranchService.add_branch(
              self, workspace, name + "-2" if name in workspace.by_name else name, account))
ALL.plant("taken-name-gets-suffix", "answers 201 with name-2 to a taken name", NAME, is_taken=lambda *_: False,
          add_branch=lambda self, workspace, name, account: BranchService.add_branch(
              self, workspace, name if name not in workspace.by_name else f"{name}-{len(workspace.by_name[name]) + 1}", account))

for name, does, change in [
    ("url-http", "has http for https in branchUrl", lambda s, b, v: v.replace("https", "http")),
    ("url-relative", "has a path alone in branchUrl", lambda s, b, v: v.replace("https://app.example.com", "")),
    ("url-without-scheme", "has no scheme in branchUrl", lambda s, b, v: v.replace("https://", "")),
    ("url-without-host", "has an empty host in branchUrl", lambda s, b, v: v.replace("app.example.com", "")),
    ("url-placeholder-host", "has the host `<web_host>` in branchUrl", lambda s, b, v: v.replace("app.example.com", "<web_host>")),
    ("url-schema-singular", "has /schema/ in branchUrl", lambda s, b, v: v.replace("schemas", "schema")),
    ("url-workspaces", "has /workspaces/ for /schemas/ in branchUrl", lambda s, b, v: v.replace("schemas", "workspaces")),
    ("url-branch-singular", "has /branch/ in branchUrl", lambda s, b, v: v.replace("branches", "branch")),
    ("url-without-workspace", "has no workspace in branchUrl", lambda s, b, v: v.replace(f"/{b.workspace_id}/", "/")),
    ("url-empty-workspace", "has an empty workspace in branchUrl", lambda s, b, v: v.replace(f"/{b.workspace_id}/", "//")),
    ("url-with-name", "has the name for the id in branchUrl", lambda s, b, v: v.replace(b.id, b.name)),
    ("url-without-id", "ends branchUrl at /branches/", lambda s, b, v: v.replace(b.id, "")),
    ("url-id-cut", "lacks the last character of the id in branchUrl", lambda s, b, v: v[:-1]),
    ("url-id-small", "has the id in small letters in branchUrl", lambda s, b, v: v.replace(b.id, b.id.lower())),
    ("url-with-other-id", "has another id in branchUrl", lambda s, b, v: v.replace(b.id, "before0aQ")),
    ("url-slash-behind", "has a slash behind branchUrl", lambda s, b, v: v + "/"),
    ("url-more-behind", "has /events behind branchUrl", lambda s, b, v: v + "/events"),
    ("url-prefix-before-schemas", "has /app before /schemas in branchUrl", lambda s, b, v: v.replace("/schemas", "/app/schemas")),
    ("url-double-slash", "has // before schemas in branchUrl", lambda s, b, v: v.replace("/schemas", "//schemas")),
    ("url-blank-behind", "has a blank behind branchUrl", lambda s, b, v: v + " "),
    ("url-of-previous-branch", "has the id of the branch created before in branchUrl",
     lambda s, b, v: v.replace(b.id, s.workspaces[b.workspace_id].branches[-2].id)),
]:
    ALL.plant(name, f"answers 201, but {does}", URL, created_fields=field("branchUrl", change))

ALL.plant("url-with-query", "answers 201, but has ?ref=api behind branchUrl", URL, True, created_fields=field("branchUrl", lambda s, b, v: v + "?ref=api"))
ALL.plant("url-of-other-workspace", "answers 201, but always has the first workspace in branchUrl",
          "In the web application, this id is the path segment that follows `/schemas/` in the URL.",
          created_fields=field("branchUrl", lambda s, b, v: v.replace("/south/", "/north/")))
ALL.plant("url-workspace-capitals", "answers 201, but has the workspace in capitals in branchUrl",
          "In the web application, this id is the path segment that follows `/schemas/` in the URL.",
          created_fields=field("branchUrl", lambda s, b, v: v.replace(f"/{b.workspace_id}/", f"/{b.workspace_id.upper()}/")))

for name, does, make in [
    ("id-empty", "answers 201 with an empty branchId", lambda s, w, n: ""),
    ("id-constant", "answers 201 always with the same branchId", lambda s, w, n: "Q7f3kZ"),
    ("id-of-workspace", "answers 201 with the workspace id as branchId", lambda s, w, n: w.id),
    ("id-from-20-characters", "gives names with the same first 20 characters the same id",
     lambda s, w, n: hashlib.md5(n[:20].encode()).hexdigest()[:12]),
    ("id-from-clock-seconds", "gives branches created in the same second the same id", lambda s, w, n: f"b{int(time.time())}"),
    ("id-from-clock-10-ms", "gives branches created in the same 10 ms the same id", lambda s, w, n: f"b{int(time.time() * 100)}"),
    ("id-from-small-hash", "gives one id to several of some hundred branches (a hash of 12 bits)",
     lambda s, w, n: hashlib.md5(n.encode()).hexdigest()[:3]),
    ("id-from-letters-without-order", "gives names of the same letters the same id", lambda s, w, n: "x" + "".join(sorted(n))),
    ("id-wraps-at-100", "gives the 101st branch the id of the first", lambda s, w, n: f"n{counted(s, w.id) % 100}"),
    ("id-from-name", "gives two branches of one name the same id (after a merge)",
     lambda s, w, n: hashlib.md5(n.encode()).hexdigest()[:12]),
    ("id-of-existing-branch", "gives the third new branch the id of one from before",
     lambda s, w, n: w.branches[0].id if counted(s, w.id) == 3 else BranchService.new_id(s, w, n)),
]:
    ALL.plant(name, does, ID, new_id=make)

ALL.plant("id-returned-is-not-stored", "answers 201 with an id other than the export's", ID,
          created_fields=after("created_fields", lambda self, f, b: {**f, "branchId": "x" + b.id, "branchUrl": f["branchUrl"].replace(b.id, "x" + b.id)}))


def keeps(name, does, keep, breaks=STORED):
    ALL.plant(name, does, breaks, keep=keep)


keeps("created-is-not-stored", "answers 201, but stores nothing", lambda self, workspace, branch: None)
keeps("every-tenth-is-not-stored", "answers 201, but does not store every tenth branch",
      lambda self, workspace, branch: None if counted(self, "kept") % 10 == 0 else workspace.keep(branch))
keeps("stored-in-first-workspace", "answers 201, but stores all branches in the first workspace",
      lambda self, workspace, branch: self.workspaces["north"].keep(branch))
keeps("stored-twice", "answers 201, but stores the branch twice",
      lambda self, workspace, branch: (workspace.keep(branch), workspace.branches.append(branch)),
      "One CSV row per branch of the workspace.")
keeps("replaces-namesake", "answers 201, but drops an older, merged or closed branch of the same name",
      lambda self, workspace, branch: (setattr(workspace, "branches", [b for b in workspace.branches if b.name != branch.name]),
                                       workspace.keep(branch)), "statistics of all branches of the workspace")
keeps("pushes-out-oldest-at-200", "keeps 200 branches and drops the oldest beyond",
      lambda self, workspace, branch: (workspace.keep(branch), workspace.branches.__delitem__(slice(0, -200))),
      "statistics of all branches of the workspace")


def lost_update(self, workspace, branch):
    """The index knows the branch at once; the list is read, and written back a little later."""
    workspace.by_name.setdefault(branch.name, []).append(branch)
    workspace.by_id[branch.id] = branch
    before = list(workspace.branches)
    time.sleep(0.01)
    workspace.branches = before + [branch]


ALL.plant("loses-one-of-two-at-once", "answers 201 to both of two creations at once, but stores one", STORED,
          keep=lost_update, creation_guard=lambda self: contextlib.nullcontext())
