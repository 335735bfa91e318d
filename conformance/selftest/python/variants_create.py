"""Lawful choices in Create Branch."""

import contextlib
import json
import random
import re
import secrets
import time
import uuid

from planting import Collection, after, counted, field
from service import Answer, BranchService
from world import OPEN_STATUSES

ALL = Collection()
KEBAB = "The document says `kebab case` and `only lowercase letters, digits and hyphens`; it does not say which of the two decides here."
LENGTH = "Maximum length of a branch name: not shown."
OPEN = "`currently open` is not defined, and the table of errors says `already exists`: names of branches no longer open may be free or taken."
IDS = "branchId is a string; its form is not shown."
PROPOSAL = "How the replacement name is found is not shown."
HOST = "<web_host> is not given."
BODY = "The table asks for one string field `name`; it does not say what happens to more of them."
FORM = "JSON leaves white space, order and escapes to the writer."


def judges(name, does, pattern, why, **more):
    ALL.plant(name, does, why, name_is_valid=lambda self, wish: BranchService.name_is_valid(self, wish)
              and bool(re.fullmatch(pattern, wish)), **more)


STRICT = "[a-z0-9]+(-[a-z0-9]+)*"
judges("strict-kebab", "answers 400 to hyphens at the ends and to --", STRICT, KEBAB)
judges("no-hyphen-in-front", "answers 400 to a hyphen in front", "[^-].*", KEBAB)
judges("no-hyphen-behind", "answers 400 to a hyphen at the end", ".*[^-]", KEBAB)
judges("no-double-hyphen", "answers 400 to --", "(?!.*--).*", KEBAB)
judges("no-hyphens-alone", "answers 400 to names of hyphens alone", ".*[a-z0-9].*", KEBAB)
for limit in (50, 63, 100, 255):
    judges(f"longest-name-{limit}", f"answers 400 to names of more than {limit} characters, and proposes shorter ones", f".{{1,{limit}}}", LENGTH,
           suggestion=lambda self, workspace, name, n=limit: BranchService.suggestion(
               self, workspace, name[:n - 4] if isinstance(name, str) else name)[:n])


def taken_while(statuses):
    return {"is_taken": lambda self, workspace, name: any(b.status in statuses for b in workspace.by_name.get(name, []))}


ALL.plant("names-never-free-again", "answers 409 to the names of merged and closed branches", OPEN,
          **taken_while(OPEN_STATUSES | {"Merged", "Closed"}))
ALL.plant("names-free-after-closing-alone", "answers 409 to the names of merged branches, 201 to those of closed ones", OPEN, **taken_while(OPEN_STATUSES | {"Merged"}))
ALL.plant("names-free-after-merge-alone", "answers 409 to the names of closed branches, 201 to those of merged ones", OPEN, **taken_while(OPEN_STATUSES | {"Closed"}))
ALL.plant("names-free-after-approval", "answers 201 to the names of approved branches (Approved does not count as open)", OPEN, True,
          **taken_while({"Draft", "ReadyForReview"}))

for name, does, make in [
    ("ids-count-up", "gives ids 1001, 1002 ... in a JSON string", lambda s, w, n: str(1000 + counted(s, "id"))),
    ("ids-are-uuids", "gives UUIDs", lambda s, w, n: str(uuid.uuid4())),
    ("ids-with-comma", "gives ids with a comma, so that cells need quotes", lambda s, w, n: "b," + secrets.token_hex(4)),
    ("ids-with-signs-of-urls", "gives ids such as `x~a.b_c-d`", lambda s, w, n: f"x~{secrets.token_hex(2)}.{secrets.token_hex(2)}_-c"),
    ("ids-with-leading-zeros", "gives ids 0000001, 0000002 ...", lambda s, w, n: f"{counted(s, 'id'):07}"),
    ("ids-long", "gives ids of 200 characters", lambda s, w, n: secrets.token_hex(100)),
    ("ids-differ-in-case-alone", "gives ids abcd, abcD, abCd ... that differ in case alone", lambda s, w, n: "".join(
        c.upper() if counted_bits >> i & 1 else c for counted_bits in [counted(s, "id")] for i, c in enumerate("abcdefghijklmnop"))),
    ("ids-like-exponents", "gives ids such as 12e34567", lambda s, w, n: f"12e{34567 + counted(s, 'id')}"),
    ("ids-of-one-workspace-alone", "counts ids in each workspace from 1 on, so both have a branch 1", lambda s, w, n: str(counted(s, w.id))),
]:
    ALL.plant(name, does, IDS, new_id=make)
ALL.plant("ids-with-slash-in-url-encoded", "gives ids with a slash, written %2F in branchUrl", IDS, True, new_id=lambda s, w, n: "a/" + secrets.token_hex(4))
ALL.plant("ids-are-names", "gives the name as id; names are never free again", IDS, new_id=lambda s, w, n: n, **taken_while(OPEN_STATUSES | {"Merged", "Closed"}))

for name, does, change in [
    ("url-with-port", "has a port in branchUrl", lambda v: v.replace("app.example.com", "app.example.com:8443")),
    ("url-with-address", "has 127.0.0.1 as host", lambda v: v.replace("app.example.com", "127.0.0.1")),
    ("url-with-localhost", "has localhost as host", lambda v: v.replace("app.example.com", "localhost")),
    ("url-with-capital-host", "has the host Www.Example.COM", lambda v: v.replace("app.example.com", "Www.Example.COM")),
    ("url-with-ipv6", "has the host [::1]", lambda v: v.replace("app.example.com", "[::1]")),
]:
    ALL.plant(name, does, HOST, created_fields=field("branchUrl", lambda s, b, v, c=change: c(v)))

for name, does, propose in [
    ("proposal-constant", "always proposes new-branch", lambda s, w, n: "new-branch"),
    ("proposal-random", "proposes a name by chance", lambda s, w, n: "branch-" + secrets.token_hex(6)),
    ("proposal-of-digits", "proposes digits alone", lambda s, w, n: str(random.randrange(10 ** 9))),
    ("proposal-of-one-letter", "proposes one letter", lambda s, w, n: next(c for c in "abcdefghijklmnopqrstuvwxyz" if c not in w.by_name)),
    ("proposal-very-long", "proposes a name of 300 characters", lambda s, w, n: "x" * 280 + secrets.token_hex(10)),
    ("proposal-double-hyphens", "proposes hyphens for each invalid character, in runs and at the ends too", lambda s, w, n:
        re.sub("[^a-z0-9]", "-", n.lower()) if isinstance(n, str) and n else "--new--"),
]:
    ALL.plant(name, does, PROPOSAL, suggestion=propose)
ALL.plant("proposal-may-be-taken", "proposes names without a look at whether they are taken", PROPOSAL, True, suggestion=lambda s, w, n:
          re.sub("[^a-z0-9]+", "-", n.lower()).strip("-") or "search-filters" if isinstance(n, str) else "search-filters")


def written(name, does, write, why=FORM, disputable=False):
    ALL.plant(name, does, why, disputable, json_answer=lambda self, status, value:
              Answer(status, write(value), {"Content-Type": "application/json"}))


written("json-over-lines", "writes JSON over several lines", lambda v: (json.dumps(v, indent=4) + "\n").encode())
written("json-with-escapes", "writes every letter as \\u00..", lambda v: ("{" + ",".join(escaped(k) + ":" + escaped(v[k]) for k in v) + "}").encode())
written("json-compact-reversed", "writes fields from last to first, without blanks", lambda v: json.dumps(
    {k: v[k] for k in reversed(list(v))}, separators=(",", ":")).encode())
written("json-slashes-escaped", "writes \\/ for slashes", lambda v: json.dumps(v).replace("/", "\\/").encode())


def escaped(text):
    return '"' + "".join(f"\\u{ord(c):04x}" for c in text) + '"'


def media(name, does, value):
    ALL.plant(name, does, "The media type of the answers of Create Branch is not given (only that they are JSON objects).",
              json_answer=lambda self, status, body: Answer(status, json.dumps(body).encode(), {"Content-Type": value} if value else {}))


media("json-with-charset", "answers application/json; charset=utf-8", "application/json; charset=utf-8")
media("json-media-in-capitals", "answers Application/JSON;charset=UTF-8", "Application/JSON;charset=UTF-8")
media("json-problem-media", "answers application/problem+json", "application/problem+json")
media("json-without-media", "answers without Content-Type", None)

ALL.plant("more-fields-in-created", "adds createdAt and status to the three fields", "The document names three fields and does not exclude more.", True,
          created_fields=after("created_fields", lambda s, f, b: {**f, "createdAt": s.moment(b.created), "status": b.status}))
ALL.plant("other-fields-refused", "answers 400 to bodies with other fields", BODY,
          name_in=lambda self, request: only_name(BranchService.name_in(self, request), request, self))


def only_name(name, request, service):
    return name if name is None or list(service.parse(request.body)) == ["name"] else None


def unique_keys(pairs):
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a key twice")
    return dict(pairs)


ALL.plant("twofold-name-refused", "answers 400 where `name` stands twice in the body", BODY,
          parse=lambda self, body: json.loads(body.decode(), object_pairs_hook=unique_keys, parse_constant=constant_refused))
ALL.plant("first-of-twofold-name", "takes the first of two fields `name`", BODY,
          parse=lambda self, body: json.loads(body.decode(), object_pairs_hook=lambda pairs: dict(reversed(pairs)), parse_constant=constant_refused))
ALL.plant("bom-before-json-accepted", "accepts a byte order mark before the JSON", "RFC 8259 lets parsers ignore it.",
          parse=lambda self, body: json.loads(body.decode("utf-8-sig"), parse_constant=constant_refused))


def constant_refused(word):
    raise ValueError(word)


def other_media(self, request):
    """415 to a body that is not declared as JSON."""
    if request.path.endswith("/branches/v1") and not request.headers.get("content-type", "").lower().startswith("application/json"):
        if self.account_of(request):
            return self.json_answer(415, {"error": "Unsupported media type"})
    return BranchService.route(self, request)


ALL.plant("other-media-refused", "answers 415 to bodies that are not declared as application/json", "Content-Type: application/json is asked for; the answer where it is missing is not shown.", route=other_media)


def large_refused(self, request):
    if len(request.body) > 16384:
        return self.json_answer(413, {"error": "Payload too large"})
    return BranchService.route(self, request)


ALL.plant("large-body-413", "answers 413 to bodies beyond 16 KiB", "Maximum length of a branch name: not shown; limits of size are any server's.", True, route=large_refused)


@contextlib.contextmanager
def slowly(self):
    with self.lock:
        time.sleep(0.02)
        yield


ALL.plant("creations-one-by-one", "needs 20 ms for each creation, one after the other", "No time is promised.", creation_guard=slowly)
for status in ("Closed", "Approved", "ReadyForReview"):
    ALL.plant(f"born-{status.lower()}", f"gives new branches the status {status}; their names are taken all the same", "The status of a newly created branch: not shown.", status == "Closed",
              add_branch=after("add_branch", lambda self, branch, *_, s=status: (branch.enter(s, branch.created, branch.creator_email), branch)[1]),
              **taken_while(OPEN_STATUSES | {"Merged", "Closed"}))
