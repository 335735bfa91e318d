"""Faults that show with certain connections, paths or several requests at once."""

import threading
import time

from planting import Collection, counted
from service import Answer, BranchService

ALL = Collection()
OPERATION = "Create Branch: POST on `/workspaces/<workspace_id>/branches/v1` answers 201, 400, 401 or 409 as the rules say."
ACCOUNTS = "Both operations are authenticated with a service account (and answer to every right one alike)."


def routes(name, does, route, breaks=OPERATION):
    ALL.plant(name, does, breaks, route=route)


def right(self, request):
    return BranchService.route(self, request)


def busy_refuses(limit):
    def route(self, request):
        with self.lock:
            self.memory["busy"] = self.memory.get("busy", 0) + 1
            busy = self.memory["busy"]
        try:
            if busy > limit and request.path != "/seed":
                return self.json_answer(500, {"error": "database is locked"})
            time.sleep(0.01)
            return right(self, request)
        finally:
            with self.lock:
                self.memory["busy"] -= 1
    return route


routes("two-at-once-answer-500", "answers 500 to one of two requests at once", busy_refuses(1))
routes("five-at-once-answer-500", "answers 500 to the fifth of requests at once", busy_refuses(4))


def garbled(self, request):
    """As if the body of a refused request stayed in the connection, to be read as the next request."""
    if request.connection.pop("left over", None):
        return Answer(400, b"Bad request syntax", {"Content-Type": "text/plain"}, close=True)
    answer = right(self, request)
    if answer.status == 401 and request.body:
        request.connection["left over"] = True
    return answer


routes("body-unread-behind-401", "answers a bare 400 to the request behind a 401 on one connection (the unread body)", garbled)


def garbled_behind_400(self, request):
    if request.connection.pop("left over", None):
        return self.invalid_name(self.workspaces["north"], "")
    answer = right(self, request)
    if answer.status == 400:
        request.connection["left over"] = True
    return answer


routes("refuses-behind-400", "answers 400 to whatever follows a 400 on one connection", garbled_behind_400)


def answer_kept(self, request):
    """Answers from a memory of method, path and body, whoever asks."""
    key = (request.method, request.path, request.body)
    kept = self.memory.setdefault("answers", {})
    if request.method == "POST" and key in kept and request.path != "/seed":
        return kept[key]
    answer = right(self, request)
    if answer.status == 201:
        kept[key] = answer
    return answer


routes("creation-answered-from-memory", "answers 201 again to the same body, from memory, even without a header", answer_kept,
       "409: A branch with the same name already exists. / 401: header missing.")


def retried(self, request):
    """Same body, same second: taken for a client that tries again."""
    key = (request.path, request.body, request.headers.get("authorization"))
    kept = self.memory.setdefault("tried", {})
    if request.method == "POST" and time.monotonic() - kept.get(key, (-9, None))[0] < 1.0:
        return kept[key][1]
    answer = right(self, request)
    if answer.status == 201:
        kept[key] = (time.monotonic(), answer)
    return answer


routes("creation-answered-again-within-a-second", "answers 201 again to the same account and body within a second", retried,
       "409: A branch with the same name already exists in the workspace.")


def swapped_answers(self, request):
    """Two creations at once get each other's answer."""
    answer = right(self, request)
    if answer.status != 201:
        return answer
    with self.lock:
        waiting = self.memory.pop("waiting", None)
        if waiting is None:
            waiting = self.memory["waiting"] = [answer, None, threading.Event()]
            first = True
        else:
            waiting[1], first = answer, False
    if first:
        waiting[2].wait(0.01)
        with self.lock:
            if self.memory.get("waiting") is waiting:
                self.memory.pop("waiting")
        return waiting[1] or answer
    waiting[2].set()
    return waiting[0]


routes("answers-swapped-between-two-at-once", "answers each of two creations at once with the other's branch", swapped_answers,
       "The returned `branchName` is the name that was requested.")
routes("fails-every-thirtieth", "answers 500 to every thirtieth request", lambda self, request:
       right(self, request) if request.path == "/seed" or counted(self, "asked") % 30 else self.json_answer(500, {"error": "Internal error"}))
routes("fails-sixth-on-a-connection", "answers 500 to the sixth request of a connection", lambda self, request:
       self.json_answer(500, {"error": "Internal error"}) if request.connection["requests"] == 6 else right(self, request))
routes("create-answers-put-alone", "answers 405 to POST; Create Branch wants PUT", lambda self, request:
       self.json_answer(405, {"error": "Method not allowed"}) if request.method == "POST" and request.path.endswith("/branches/v1") else right(self, request),
       "Method: POST")
routes("create-without-version", "answers 404 on .../branches/v1; Create Branch is at .../branches", lambda self, request:
       self.json_answer(404, {"error": "Not found"}) if request.path.endswith("/branches/v1") else right(self, request),
       "Path: `/workspaces/<workspace_id>/branches/v1`")
routes("second-workspace-not-found", "answers 404 in the second workspace", lambda self, request:
       self.json_answer(404, {"error": "Not found"}) if "/south/" in request.path else right(self, request), ACCOUNTS)


def create_in_own(self, request, workspace_id):
    account = self.account_of(request)
    return BranchService.create_branch(self, request, account.workspace_id if account else workspace_id)


def export_of_own(self, request, workspace_id):
    account = self.account_of(request)
    return BranchService.export(self, request, account.workspace_id if account else workspace_id)


ALL.plant("workspace-of-path-ignored", "answers 201 whatever workspace the path names, and creates in the account's own",
          "A workspace is addressed by `<workspace_id>`.", create_branch=create_in_own)
ALL.plant("export-ignores-workspace-of-path", "shows the account's own workspace whatever workspace the path names",
          "A workspace is addressed by `<workspace_id>`.", export=export_of_own)
