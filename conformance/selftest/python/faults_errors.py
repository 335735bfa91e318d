"""Faults in the answers that refuse a creation."""

import json
import re

from planting import Collection, after
from service import Answer, BranchService

ALL = Collection()
STATUS = "The table of errors: 400 for an invalid name or body, 409 for a taken name, 401 for a missing or invalid header."
BODY = "Error bodies of Create Branch are JSON objects with one string field `error`."
TEXT = 'Invalid branch name, try "<suggested_name>" instead'
PROPOSAL = "`error` is a message saying the branch name is invalid and proposing a replacement name."
CONFLICT = "409: `error` = `Branch with this name already exists`."
UNAUTHORIZED = "401: `error` = `Unauthorized`."


def with_status(status):
    def change(self, answer, *_):
        answer.status = status
        return answer
    return change


def with_body(change_value):
    def change(self, answer, *_):
        body = change_value(json.loads(answer.body))
        answer.body = body if isinstance(body, bytes) else json.dumps(body).encode()
        return answer
    return change


for name, method, status, when in [
    ("bad-name-answers-422", "invalid_name", 422, "an invalid name or body"),
    ("bad-name-answers-200", "invalid_name", 200, "an invalid name or body"),
    ("conflict-answers-400", "conflict", 400, "a taken name"),
    ("conflict-answers-422", "conflict", 422, "a taken name"),
    ("conflict-answers-200", "conflict", 200, "a taken name"),
    ("unauthorized-answers-403", "unauthorized", 403, "a missing or invalid header"),
    ("unauthorized-answers-400", "unauthorized", 400, "a missing or invalid header"),
    ("unauthorized-answers-302", "unauthorized", 302, "a missing or invalid header"),
]:
    ALL.plant(name, f"answers {status} to {when} (in Create Branch)", STATUS, **{method: after(method, with_status(status))})


def status_where(name, does, method, status, where):
    def change(self, answer, *arguments):
        if where(self, *arguments):
            answer.status = status
        return answer
    ALL.plant(name, does, STATUS, **{method: after(method, change)})


def parses(self):
    try:
        return isinstance(self.parse(self.request.body), dict)
    except (ValueError, RecursionError):
        return False


status_where("malformed-json-answers-500", "answers 500 to a body that is no JSON object", "invalid_name", 500,
             lambda self, workspace, name: not parses(self))
status_where("empty-name-answers-422", "answers 422 to an empty name", "invalid_name", 422, lambda self, workspace, name: name == "")
status_where("missing-name-answers-422", "answers 422 to {}", "invalid_name", 422,
             lambda self, workspace, name: parses(self) and name is None)
status_where("name-of-other-type-answers-500", "answers 500 to a name that is no string", "invalid_name", 500,
             lambda self, workspace, name: name is not None and not isinstance(name, str))
status_where("empty-body-answers-411", "answers 411 to an empty body", "invalid_name", 411,
             lambda self, workspace, name: not self.request.body)
status_where("deep-nesting-answers-500", "answers 500 to a body nested a thousand deep", "invalid_name", 500,
             lambda self, workspace, name: self.request.body.count(b"[") + self.request.body.count(b"{") > 900)
status_where("long-bad-name-answers-500", "answers 500 to an invalid name of more than 255 characters", "invalid_name", 500,
             lambda self, workspace, name: isinstance(name, str) and len(name) > 255)
status_where("beyond-bmp-answers-500", "answers 500 to names with emoji", "invalid_name", 500,
             lambda self, workspace, name: isinstance(name, str) and any(ord(letter) > 0xffff for letter in name))
status_where("lone-surrogate-answers-500", "answers 500 to names with half a surrogate pair", "invalid_name", 500,
             lambda self, workspace, name: isinstance(name, str) and bool(re.search("[\ud800-\udfff]", name)))
status_where("wrong-secret-answers-403", "answers 403 to the wrong secret of a known account", "unauthorized", 403,
             lambda self: (self.credentials(self.request) or "").split(":")[0] in [a.name for a in self.accounts])
status_where("missing-header-answers-403", "answers 403 where the header is missing", "unauthorized", 403,
             lambda self: self.request.headers.get("authorization") is None)
status_where("other-scheme-answers-400", "answers 400 to another scheme than Basic", "unauthorized", 400,
             lambda self: not (self.request.headers.get("authorization") or "Basic ").startswith("Basic "))
status_where("bad-base64-answers-500", "answers 500 where the header is no Base64", "unauthorized", 500,
             lambda self: (self.request.headers.get("authorization") or "").startswith("Basic ")
             and self.credentials(self.request) is None)
status_where("credentials-without-colon-answer-500", "answers 500 where the credentials have no colon", "unauthorized", 500,
             lambda self: ":" not in (self.credentials(self.request) or ":"))
status_where("second-conflict-answers-400", "answers 400 to a taken name on a connection that had a conflict before", "conflict", 400,
             lambda self, workspace, name: self.request.connection.setdefault("conflicted", []).append(1)
             or len(self.request.connection["conflicted"]) > 1)

for name, does, method, change in [
    ("error-key-is-message", "calls the field `message` (400)", "invalid_name", lambda v: {"message": v["error"]}),
    ("error-key-capital", "calls the field `Error` (409)", "conflict", lambda v: {"Error": v["error"]}),
    ("error-has-code-too", "answers 409 with a second field `code`", "conflict", lambda v: {**v, "code": "conflict"}),
    ("error-has-status-too", "answers 401 with a second field `statusCode`", "unauthorized", lambda v: {**v, "statusCode": 401}),
    ("error-has-suggestion-too", "answers 400 with a second field `suggestion`", "invalid_name",
     lambda v: {**v, "suggestion": v["error"].split('"')[1]}),
    ("error-is-object", "answers 409 with an object in `error`", "conflict", lambda v: {"error": {"message": v["error"]}}),
    ("error-is-list", "answers 400 with a list in `error`", "invalid_name", lambda v: {"error": [v["error"]]}),
    ("error-in-a-list", "answers 409 with a list of error objects", "conflict", lambda v: [v]),
    ("error-is-bare-string", "answers 401 with a JSON string in place of the object", "unauthorized", lambda v: v["error"]),
    ("error-is-plain-text", "answers 401 with plain text", "unauthorized", lambda v: v["error"].encode()),
    ("error-is-empty", "answers 401 without a body", "unauthorized", lambda v: b""),
    ("error-is-html", "answers 401 with an HTML page", "unauthorized", lambda v: b"<h1>Unauthorized</h1>"),
    ("error-encoded-twice", "answers 409 with JSON within a JSON string", "conflict", json.dumps),
    ("error-quotes-not-escaped", "answers 400 with the quotes of the message bare, so no JSON", "invalid_name",
     lambda v: ('{"error": "' + v["error"] + '"}').encode()),
    ("error-behind-a-guard", "answers 409 with )]}', before the JSON", "conflict", lambda v: b")]}',\n" + json.dumps(v).encode()),
    ("conflict-text-ends-with-dot", "answers 409 with a dot behind the text", "conflict", lambda v: {"error": v["error"] + "."}),
    ("conflict-text-small", "answers 409 with a small first letter", "conflict", lambda v: {"error": v["error"].lower()}),
    ("conflict-text-a-branch", "answers 409 with `A branch with this name already exists`", "conflict",
     lambda v: {"error": "A branch with this name already exists"}),
    ("conflict-text-status-words", "answers 409 with the text `Conflict`", "conflict", lambda v: {"error": "Conflict"}),
    ("conflict-text-exist", "answers 409 with the text `... already exist`", "conflict", lambda v: {"error": v["error"][:-1]}),
    ("conflict-text-blank-behind", "answers 409 with a blank behind the text", "conflict", lambda v: {"error": v["error"] + " "}),
    ("unauthorized-text-small", "answers 401 with `unauthorized`", "unauthorized", lambda v: {"error": "unauthorized"}),
    ("unauthorized-text-british", "answers 401 with `Unauthorised`", "unauthorized", lambda v: {"error": "Unauthorised"}),
    ("unauthorized-text-reason", "answers 401 with `Unauthorized: bad credentials`", "unauthorized",
     lambda v: {"error": "Unauthorized: bad credentials"}),
    ("unauthorized-error-null", "answers 401 with null in `error`", "unauthorized", lambda v: {"error": None}),
]:
    breaks = BODY if name.startswith("error") else CONFLICT if name.startswith("conflict") else UNAUTHORIZED
    ALL.plant(name, does, breaks, **{method: after(method, with_body(change))})

for name, does, change in [
    ("bad-name-text-without-quotes", "leaves out the quotes around the proposal", lambda text: text.replace('"', "")),
    ("bad-name-text-single-quotes", "puts single quotes around the proposal", lambda text: text.replace('"', "'")),
    ("bad-name-text-curly-quotes", "puts curly quotes around the proposal", lambda text: re.sub('"(.*)"', "“\\1”", text)),
    ("bad-name-text-no-proposal", "says only `Invalid branch name`", lambda text: text.split(",")[0]),
    ("bad-name-text-no-comma", "leaves out the comma", lambda text: text.replace(",", "", 1)),
    ("bad-name-text-cut", "leaves out `instead`", lambda text: text.replace(" instead", "")),
    ("bad-name-text-dot", "puts a dot behind the message", lambda text: text + "."),
    ("bad-name-text-capitals", "writes `Invalid Branch Name`", lambda text: text.replace("branch name", "Branch Name")),
    ("bad-name-text-two-blanks", "writes two blanks before the proposal", lambda text: text.replace(' "', '  "')),
    ("bad-name-text-use", "writes `use` for `try`", lambda text: text.replace("try", "use")),
]:
    ALL.plant(name, f"answers 400, but {does}", TEXT, invalid_name_text=after("invalid_name_text", lambda s, t, *a, c=change: c(t)))


def own_text(name, text, where, does):
    ALL.plant(name, does, TEXT, invalid_name_text=after(
        "invalid_name_text", lambda self, usual, workspace, wish: text if where(self, wish) else usual))


own_text("malformed-has-own-text", "Malformed request body", lambda self, wish: not parses(self),
         "answers 400 with a text of its own to a body that is no JSON object")
own_text("empty-has-own-text", "Branch name is empty", lambda self, wish: wish == "", "answers 400 with a text of its own to an empty name")
own_text("missing-has-own-text", "name is required", lambda self, wish: parses(self) and wish is None,
         "answers 400 with a text of its own where `name` is missing")
own_text("other-type-has-own-text", "name must be a string", lambda self, wish: wish is not None and not isinstance(wish, str),
         "answers 400 with a text of its own where `name` is no string")
own_text("too-deep-has-own-text", "Body nested too deeply", lambda self, wish: self.request.body.count(b"[") > 900,
         "answers 400 with a text of its own to a body nested a thousand deep")

for name, does, change in [
    ("proposes-the-bad-name", "proposes the refused name itself", lambda wish, good: wish if isinstance(wish, str) else good),
    ("proposes-nothing", "proposes the empty name", lambda wish, good: ""),
    ("proposes-placeholder", "proposes <suggested_name>", lambda wish, good: "<suggested_name>"),
    ("proposes-undefined", "proposes `None` where the body has no name", lambda wish, good: good if isinstance(wish, str) else "None"),
    ("proposes-nothing-for-empty", "proposes the empty name to an empty one", lambda wish, good: good if wish else ""),
    ("proposes-nothing-for-signs", "proposes the empty name where all characters are invalid",
     lambda wish, good: good if not isinstance(wish, str) or re.search("[A-Za-z0-9]", wish) else ""),
    ("proposes-capital-first", "proposes a name with a capital", lambda wish, good: good.capitalize()),
    ("proposes-capitals-kept", "proposes a name in which the capitals are kept",
     lambda wish, good: re.sub("[^A-Za-z0-9]+", "-", wish) if isinstance(wish, str) and re.search("[a-z0-9]", wish) else good),
    ("proposes-underscores", "proposes names with underscores for hyphens", lambda wish, good: good.replace("-", "_")),
    ("proposes-blank-behind", "proposes a name with a blank behind", lambda wish, good: good + " "),
    ("proposes-accents", "proposes a name in which everything beyond ASCII is kept (capitals and emoji too)",
     lambda wish, good: re.sub(r"[^a-z0-9\x80-\U0010ffff]+", "-", wish) if isinstance(wish, str) and not wish.isascii() else good),
    ("proposes-first-bad-replaced-only", "proposes a name in which only the first invalid character is replaced",
     lambda wish, good: re.sub("[^a-z0-9-]", "-", wish, count=1) if isinstance(wish, str) and wish else good),
    ("proposes-dots-kept", "proposes a name in which dots are kept",
     lambda wish, good: re.sub("[^a-z0-9.]+", "-", wish.lower()) if isinstance(wish, str) and "." in wish else good),
    ("proposes-line-end-kept", "proposes a name in which a line end is kept",
     lambda wish, good: good + "\n" if isinstance(wish, str) and "\n" in wish else good),
    ("proposes-long-with-ellipsis", "proposes long names with dots at the end",
     lambda wish, good: good[:60] + "..." if len(good) > 60 else good),
]:
    ALL.plant(name, f"answers 400, but {does}", PROPOSAL + " / Kebab case. Must not be empty.",
              suggestion=after("suggestion", lambda self, good, workspace, wish, c=change: c(wish, good)))


ALL.plant("proposal-of-another-request", "answers 400, but proposes the refused name of the request before", PROPOSAL + " / Kebab case.",
          suggestion=lambda self, workspace, wish: (self.memory.get("last", "new-branch"),
                                                    self.memory.update(last=wish if isinstance(wish, str) and wish else "new-branch"))[0])


def existing_with(status):
    def conflict(self, workspace, name):
        answer = self.created(workspace.by_name[name][-1])
        answer.status = status
        return answer
    return conflict


ALL.plant("conflict-returns-old-branch-201", "answers 201 with the old branch to a taken name", CONFLICT, conflict=existing_with(201))
ALL.plant("conflict-has-fields-of-old-branch", "answers 409 with the old branch's three fields", CONFLICT, conflict=existing_with(409))


def rarely_empty(self, status, value):
    answer = BranchService.json_answer(self, status, value)
    if status == 401 and self.request.connection["requests"] > 2:
        answer.body = b""
    return answer


ALL.plant("unauthorized-empty-on-kept-connection", "answers 401 without a body from the third request on a connection on", BODY,
          json_answer=rarely_empty)
ALL.plant("conflict-text-in-south", "answers 409 with another text in the second workspace", CONFLICT,
          conflict=lambda self, workspace, name: BranchService.conflict(self, workspace, name) if workspace.id == "north"
          else Answer(409, b'{"error": "Branch already exists"}', {"Content-Type": "application/json"}))
