"""Lawful choices in authentication, rights, rates and transport."""

import re
import time

from planting import Collection
from service import Answer, BranchService

ALL = Collection()
FOREIGN = "What permissions a service account carries, and the answer about other workspaces: not shown."
EXPORT_ERRORS = "Error statuses of Export Branch Stats: not shown."
RATE = "The response when the rate limit is exceeded: not shown; 1 request per second, soft-enforced."
SCHEME = "HTTP takes the scheme without regard to case; the document does not say that others are refused."
HTTP = "HTTP/1.1 leaves this to the server."
TIME = "No time is promised."


def foreign(name, does, unknown, other, why=FOREIGN):
    def refusal(self, account, workspace_id):
        if workspace_id not in self.workspaces:
            return unknown(self)
        return other(self) if account.workspace_id != workspace_id else None
    ALL.plant(name, does, why, refusal=refusal)


def says(status, text):
    return lambda self: self.json_answer(status, {"error": text})


foreign("foreign-404", "answers 404 to foreign and unknown workspaces", says(404, "Not found"), says(404, "Not found"))
foreign("foreign-403", "answers 403 to foreign and unknown workspaces", says(403, "Forbidden"), says(403, "Forbidden"))
foreign("foreign-401", "answers 401 to foreign and unknown workspaces", says(401, "Unauthorized"), says(401, "Unauthorized"))
foreign("foreign-400", "answers 400 to unknown workspaces, 403 to foreign ones", says(400, "Unknown workspace"), says(403, "Forbidden"))
foreign("foreign-plain-text", "answers 404 in plain text", lambda self: Answer(404, b"not found\n", {"Content-Type": "text/plain"}),
        lambda self: Answer(404, b"not found\n", {"Content-Type": "text/plain"}))
foreign("accounts-reach-all-workspaces", "lets each account into both workspaces", says(404, "Not found"), lambda self: None)


def name_before_rights(self, request, workspace_id):
    account, name = self.account_of(request), self.name_in(request)
    if account and not self.name_is_valid(name):
        return self.invalid_name(self.workspaces[account.workspace_id], name)
    return BranchService.create_branch(self, request, workspace_id)


ALL.plant("name-judged-before-workspace", "answers 400 to an invalid name in a foreign workspace", FOREIGN, create_branch=name_before_rights)


def export_refused(name, does, answer):
    def unauthorized(self):
        return answer if self.request.path.endswith("/export/v1") else BranchService.unauthorized(self)
    ALL.plant(name, does, EXPORT_ERRORS, unauthorized=unauthorized)


export_refused("export-unauthorized-403", "answers 403 to exports without a right header", Answer(403, b"Forbidden", {"Content-Type": "text/plain"}))
export_refused("export-unauthorized-404", "answers 404 to exports without a right header", Answer(404))
export_refused("export-unauthorized-400", "answers 400 to exports without a right header", Answer(400, b'{"message": "no header"}', {"Content-Type": "application/json"}))
export_refused("export-unauthorized-html", "answers 401 with a page to exports without a right header", Answer(401, b"<h1>401</h1>", {"Content-Type": "text/html"}))
export_refused("export-unauthorized-redirect", "answers 302 to a page of login to exports without a right header", Answer(302, b"", {"Location": "https://app.example.com/login"}))


def header(self, request):
    return request.headers.get("authorization")


ALL.plant("scheme-case-free", "accepts `basic` and `BASIC`", SCHEME, authorization=lambda self, request: re.sub(
    "^basic ", "Basic ", header(self, request) or "x", flags=re.I))
ALL.plant("scheme-blanks-free", "accepts several blanks behind `Basic`", "RFC 9110: one or more blanks stand behind the scheme.", True,
          authorization=lambda self, request: re.sub("^Basic +", "Basic ", header(self, request) or "x"))
ALL.plant("base64-padding-free", "accepts Base64 without its = signs", "Whether padding is part of the encoding is not said.", True,
          decode=lambda self, encoded: BranchService.decode(self, encoded.rstrip("=") + "=" * (-len(encoded.rstrip("=")) % 4)))


def challenged(self):
    answer = BranchService.unauthorized(self)
    answer.headers["WWW-Authenticate"] = 'Basic realm="branches", charset="UTF-8"'
    return answer


ALL.plant("unauthorized-with-challenge", "answers 401 with WWW-Authenticate", HTTP, unauthorized=challenged)


def limited(name, does, allowance, over):
    """A bucket for each account and operation: `allowance` at once, one more each second."""
    def route(self, request):
        account = request.path != "/seed" and self.account_of(request)
        if account:
            with self.lock:
                key, now = (account.name, request.method), time.monotonic()
                left, since = self.memory.get(key, (allowance, now))
                left = min(allowance, left + now - since)
                self.memory[key] = (max(left - 1, -8), now)
            if left < 1:
                refused = over(self, left)
                if refused:
                    with self.lock:
                        self.memory[key] = (left, now)
                    return refused
        return BranchService.route(self, request)
    ALL.plant(name, does, RATE, route=route)


def too_many(status, body, headers):
    return lambda self, left: Answer(status, body, {"Content-Type": "application/json", **headers})


limited("rate-429-from-second", "answers 429 with Retry-After: 1 to the second request within a second", 1, too_many(429, b'{"error": "Too many requests"}', {"Retry-After": "1"}))
limited("rate-429-burst-of-five", "answers 429 with Retry-After: 1 behind five at once", 5, too_many(429, b'{"error": "Too many requests"}', {"Retry-After": "1"}))
limited("rate-429-burst-of-fifty", "answers 429 with Retry-After: 1 behind fifty at once", 50, too_many(429, b'{"error": "Too many requests"}', {"Retry-After": "1"}))
limited("rate-429-without-retry-after", "answers 429 without Retry-After and without a body, behind ten at once", 10, lambda self, left: Answer(429))
limited("rate-503", "answers 503 with Retry-After: 1 behind ten at once", 10, too_many(503, b'{"error": "Busy"}', {"Retry-After": "1"}))
limited("rate-slows-down", "answers late (up to a second) whom is too quick, and refuses nobody", 20, lambda self, left: time.sleep(min(1, (1 - left) / 8)))


def answered(name, does, change, why=HTTP, disputable=False):
    """Every answer but that of /seed becomes `change(self, answer)`."""
    def answer(self, request):
        usual = BranchService.answer(self, request)
        return usual if request.path == "/seed" else change(self, usual)
    ALL.plant(name, does, why, disputable, answer=answer)


def with_headers(**headers):
    return lambda self, a: Answer(a.status, a.body, {**a.headers, **{k.replace("_", "-"): v for k, v in headers.items()}}, a.close)


def renamed(change):
    return lambda self, a: Answer(a.status, a.body, {change(k): v for k, v in a.headers.items()}, a.close)


def slow(seconds):
    return lambda self, a: time.sleep(seconds) or a


answered("connection-closed-each-time", "closes the connection behind each answer", lambda self, a: Answer(a.status, a.body, a.headers, close=True))
answered("connection-closed-behind-errors", "closes the connection behind each error", lambda self, a: Answer(a.status, a.body, a.headers, close=a.status >= 400))
answered("connection-closed-after-five", "closes the connection behind five answers", lambda self, a: Answer(
    a.status, a.body, a.headers, close=self.request.connection["requests"] % 5 == 0))
answered("chunked", "sends all bodies in chunks", lambda self, a: Answer(a.status, a.body, a.headers, chunked=True))
answered("until-closed", "sends bodies without a length, to the end of the connection", lambda self, a: Answer(a.status, a.body, a.headers, close=True, until_close=True))
answered("small-header-names", "writes header names in small letters", renamed(str.lower))
answered("capital-header-names", "writes header names in capitals", renamed(str.upper))
answered("many-headers", "adds headers of caches, cookies and security", with_headers(
    Cache_Control="no-store", Set_Cookie="sid=1; HttpOnly", X_Request_Id="r-1", Strict_Transport_Security="max-age=1", Vary="Origin"))
answered("location-of-created", "adds Location to what was created", lambda self, a: with_headers(Location="https://app.example.com/somewhere")(self, a) if a.status == 201 else a)
answered("rate-headers", "tells the rate in headers", with_headers(RateLimit_Limit="1", RateLimit_Remaining="0", RateLimit_Reset="1"), RATE)
answered("slow-300-ms", "answers behind 300 ms", slow(0.3), TIME)
answered("slow-first-of-connection", "answers the first request of a connection behind 800 ms", lambda self, a: slow(0.8 if self.request.connection["requests"] == 1 else 0)(self, a), TIME)


def eventual(seconds):
    return lambda self, workspace, account: [b for b in workspace.branches if (self.now() - b.created).total_seconds() > seconds]


ALL.plant("export-a-second-late", "shows new branches a second after their creation", "When a new branch is seen in the export is not said.", True, exported=eventual(1))
ALL.plant("export-two-seconds-late", "shows new branches two seconds after their creation", "When a new branch is seen in the export is not said.", True, exported=eventual(2))


def rewrite(name, does, route, why, disputable=False):
    ALL.plant(name, does, why, disputable, route=route)


def sample_path_too(self, request):
    if not request.path.endswith("/branches/export/v1"):
        request.path = re.sub("/export/v1$", "/branches/export/v1", request.path)
    return BranchService.route(self, request)


rewrite("sample-path-works-too", "answers the export on /workspaces/<id>/export/v1 too", sample_path_too, "Whether the other path also works is unspecified.")


def slash_free(self, request):
    request.path = request.path.rstrip("/") or "/"
    return BranchService.route(self, request)


rewrite("slash-behind-path-accepted", "answers on paths with a slash behind too", slash_free, "Other paths are not shown.")


def export_redirected(self, request):
    if request.path.endswith("/branches/export/v1") and request.method == "GET" and self.account_of(request):
        return Answer(307, b"", {"Location": request.path.replace("/branches/export/v1", "/branches/export/v1/file")})
    if request.path.endswith("/branches/export/v1/file"):
        request.path = request.path[:-len("/file")]
    return BranchService.route(self, request)


rewrite("export-redirected", "answers the export with 307 to a path of the same host", export_redirected, "The success status of the export is not shown.", True)


def other_methods(self, request):
    answer = BranchService.route(self, request)
    return Answer(404, b"", {}) if answer.status == 405 else answer


rewrite("other-methods-404", "answers 404 to other methods", other_methods, "Other methods are not shown.")


def options_open(self, request):
    if request.method == "OPTIONS":
        return Answer(204, b"", {"Access-Control-Allow-Origin": "*", "Access-Control-Allow-Headers": "authorization, content-type"})
    return BranchService.route(self, request)


rewrite("options-answered", "answers OPTIONS with 204 without a header of authorization", options_open, "Other methods are not shown.")
