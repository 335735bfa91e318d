"""Faults in authentication and in the counting of rates."""

import base64
import re
import time
from urllib.parse import parse_qs

from planting import Collection, counted
from service import BranchService

ALL = Collection()
REQUIRED = "Both operations require the request header `authorization`: `Basic ` and the Base64 encoding of `<name>:<secret>`."
ANSWERS_401 = "When the header is missing or invalid, then Create Branch answers 401."
RIGHT = "When the body is valid and the name is free (and the header is right), then 201 is returned."
RATE = "Rate limiting is counted per service account; 1 request per second; soft-enforced."


def compares(name, does, same, breaks=REQUIRED):
    ALL.plant(name, does, breaks, same_account=lambda self, account, given: same(account, *given.partition(":")[::2]))


compares("ignores-secret", "accepts every secret of a known account", lambda a, n, s: a.name == n)
compares("ignores-account-name", "accepts every account name with a known secret", lambda a, n, s: a.secret == s)
compares("accepts-start-of-secret", "accepts the first part of the secret", lambda a, n, s: a.name == n and s != "" and a.secret.startswith(s))
compares("accepts-empty-secret", "accepts an empty secret", lambda a, n, s: a.name == n and s in ("", a.secret))
compares("accepts-more-behind-secret", "accepts characters behind the secret", lambda a, n, s: a.name == n and s.startswith(a.secret))
compares("accepts-other-case-of-secret", "accepts the secret in other letters' case", lambda a, n, s: a.name == n and a.secret.lower() == s.lower())
compares("accepts-other-case-of-account", "accepts the account name in capitals", lambda a, n, s: a.name == n.lower() and a.secret == s)
compares("compares-eight-characters", "compares only the first eight characters of the secret", lambda a, n, s: a.name == n and a.secret[:8] == s[:8])
compares("compares-all-but-last", "compares all characters of the secret but the last", lambda a, n, s: a.name == n and a.secret[:-1] == s[:len(a.secret) - 1])
compares("compares-length", "accepts every secret of the same length", lambda a, n, s: a.name == n and len(a.secret) == len(s))
compares("trims-secret", "accepts blanks around the secret", lambda a, n, s: a.name == n and a.secret == s.strip())
compares("trims-line-end-of-secret", "accepts a line end behind the secret", lambda a, n, s: a.name == n and a.secret == s.rstrip("\n"))
compares("cuts-secret-at-nul", "accepts NUL and more behind the secret", lambda a, n, s: a.name == n and a.secret == s.split("\0")[0])
compares("accepts-secret-of-other-account", "accepts each account's secret for each account", lambda a, n, s: a.name == n and s in (
    "s3cret:with:Colons-9fK2", "Plain-secret-77-xQ", "Other-secret-41-zR"))
compares("accepts-name-and-secret-swapped", "accepts secret:name too", lambda a, n, s: f"{n}:{s}" in (a.pair, f"{a.secret}:{a.name}"))
compares("accepts-name-as-secret", "accepts the account's name as its secret", lambda a, n, s: a.name == n and s in (n, a.secret))
compares("cuts-secret-at-colon-both", "compares what stands before a colon in the secret", lambda a, n, s:
         a.name == n and a.secret.split(":")[0] == s.split(":")[0])
compares("refuses-secrets-with-colon", "answers 401 to a secret with a colon", lambda a, n, s: a.name == n and a.secret == s.split(":")[0], RIGHT)
compares("refuses-second-account", "answers 401 to the second account of a workspace", lambda a, n, s:
         a.name == n and a.secret == s and n != "north-second", RIGHT)
compares("refuses-short-secrets", "answers 401 to secrets shorter than 20 characters", lambda a, n, s:
         a.name == n and a.secret == s and len(s) >= 20, RIGHT)


def decodes(name, does, decode, breaks=REQUIRED):
    ALL.plant(name, does, breaks, decode=decode)


def padded(encoded):
    return encoded + "=" * (-len(encoded) % 4)


decodes("base64-junk-ignored", "accepts Base64 with foreign characters (!, blanks) in between, dropping them",
        lambda self, encoded: base64.b64decode(encoded).decode())
decodes("base64-blanks-ignored", "accepts Base64 with blanks in between", lambda self, encoded: base64.b64decode(encoded.replace(" ", ""), validate=True).decode())
decodes("base64-text-behind-padding", "accepts anything behind a second header word",
        lambda self, encoded: base64.b64decode(encoded.split(" ")[0].split(",")[0], validate=True).decode())
decodes("base64-missing-end", "accepts Base64 whose end is missing, if the rest fits the account (by start)",
        lambda self, encoded: next((a.pair for a in self.accounts if len(encoded) > 12 and base64.b64encode(
            a.pair.encode()).decode().startswith(encoded)), "none:none"))
decodes("base64-not-needed", "accepts name:secret without Base64", lambda self, encoded:
        encoded if ":" in encoded else base64.b64decode(encoded, validate=True).decode())
decodes("base64-twice", "accepts what was encoded twice too", lambda self, encoded: next(
    (text for text in (once(once(encoded)), once(encoded)) if ":" in text), "none"))
decodes("hex-accepted", "accepts hexadecimal for Base64", lambda self, encoded:
        bytes.fromhex(encoded).decode() if re.fullmatch("([0-9a-f]{2})+", encoded) else base64.b64decode(encoded, validate=True).decode())
ALL.plant("base64-without-padding", "accepts Base64 without its = signs", REQUIRED, True,
          decode=lambda self, encoded: base64.b64decode(padded(encoded.rstrip("=")), validate=True).decode())


def once(encoded):
    try:
        return base64.b64decode(encoded, validate=True).decode()
    except ValueError:
        return encoded


def header_from(name, does, authorization, breaks=REQUIRED):
    ALL.plant(name, does, breaks, authorization=authorization)


def header(request):
    return request.headers.get("authorization")


header_from("scheme-bearer-accepted", "accepts Bearer in place of Basic", lambda self, r: re.sub("^Bearer ", "Basic ", header(r) or "x"))
header_from("any-scheme-accepted", "accepts every scheme before the Base64", lambda self, r: re.sub(r"^\S+ ", "Basic ", header(r) or "x"))
header_from("scheme-not-needed", "accepts the Base64 without `Basic `", lambda self, r: header(r) if " " in (header(r) or " ") else "Basic " + header(r))
header_from("blank-not-needed", "accepts `Basic` and the Base64 without a blank between", lambda self, r: re.sub("^Basic ?", "Basic ", header(r) or "x"))
header_from("other-header-accepted", "accepts the credentials in x-api-key too", lambda self, r: header(r) or r.headers.get("x-api-key"))
header_from("proxy-header-accepted", "accepts the credentials in proxy-authorization too", lambda self, r: header(r) or r.headers.get("proxy-authorization"))
header_from("query-accepted", "accepts ?authorization=Basic... too", lambda self, r: header(r) or parse_qs(r.query).get("authorization", [None])[0])
header_from("capital-header-name-needed", "answers 401 where the header's name is written `authorization`, in small letters as documented",
            lambda self, r: header(r) if "Authorization" in r.headers.keys() else None)
header_from("small-header-name-needed", "answers 401 where the header's name is written `Authorization`",
            lambda self, r: header(r) if "authorization" in r.headers.keys() else None)


def accounts(name, does, account_of, breaks=REQUIRED):
    ALL.plant(name, does, breaks, account_of=account_of)


def right(self, request):
    return BranchService.account_of(self, request)


def of_path(self, request):
    """The first account of the workspace in the path."""
    return next((a for a in self.accounts if f"/{a.workspace_id}/" in request.path), self.accounts[0])


def is_export(request):
    return request.path.endswith("/export/v1")


def remembered_on_connection(self, request):
    account = right(self, request) or request.connection.get("account")
    request.connection["account"] = account
    return account


def remembered_for_a_while(self, request):
    account = right(self, request)
    if account:
        self.memory["seen"] = time.monotonic()
    elif header(request) is None and time.monotonic() - self.memory.get("seen", -9) < 2:
        account = of_path(self, request)
    return account


def remembered_by_name(self, request):
    account = right(self, request)
    known = self.memory.setdefault("names", set())
    if account:
        known.add(account.name)
        return account
    name = (self.credentials(request) or "").split(":")[0]
    return next((a for a in self.accounts if a.name == name and name in known), None)


def refused_remembered(self, request):
    refused = self.memory.setdefault("refused", set())
    account = right(self, request)
    name = (self.credentials(request) or "").split(":")[0]
    if account is None:
        refused.add(name)
    return None if name in refused else account


def refused_on_connection(self, request):
    account = None if request.connection.get("refused") else right(self, request)
    request.connection["refused"] = account is None
    return account


accounts("export-needs-no-header", "answers the export without a header", lambda self, r: right(self, r) or (of_path(self, r) if is_export(r) and header(r) is None else None))
accounts("export-takes-any-header", "answers the export with every header", lambda self, r: right(self, r) or (of_path(self, r) if is_export(r) and header(r) else None))
accounts("accepts-any-credentials", "accepts every name and secret in Base64", lambda self, r: right(self, r) or (
    of_path(self, r) if ":" in (self.credentials(r) or "") else None))
accounts("create-needs-no-header", "answers 201 without a header", lambda self, r: right(self, r) or (None if is_export(r) or header(r) else of_path(self, r)), ANSWERS_401)
accounts("create-takes-empty-header", "answers 201 with an empty header", lambda self, r: of_path(self, r) if header(r) == "" else right(self, r), ANSWERS_401)
accounts("create-takes-basic-alone", "answers 201 with `Basic` and nothing behind", lambda self, r: of_path(self, r) if (header(r) or "x").strip() == "Basic" else right(self, r), ANSWERS_401)
accounts("create-takes-lone-colon", "answers 201 to the Base64 of `:`", lambda self, r: of_path(self, r) if self.credentials(r) == ":" else right(self, r), ANSWERS_401)
accounts("create-takes-no-colon", "answers 201 to the Base64 of a name without colon", lambda self, r: next(
    (a for a in self.accounts if a.name == self.credentials(r)), None) or right(self, r), ANSWERS_401)
accounts("remembers-account-of-connection", "needs the header on the first request of a connection alone", remembered_on_connection)
accounts("remembers-client-for-two-seconds", "needs no header for two seconds after a right one", remembered_for_a_while)
accounts("remembers-account-by-name", "accepts every secret of an account that once came with the right one", remembered_by_name)
accounts("one-failure-locks-account", "answers 401 to an account after one request with a wrong secret for it", refused_remembered, RIGHT)
accounts("failure-sticks-to-connection", "answers 401 to the request that follows a 401 on the same connection", refused_on_connection, RIGHT)
accounts("fails-open-at-fifth-failure", "lets every fifth unauthorized request in", lambda self, r:
         right(self, r) or (of_path(self, r) if counted(self, "failures") % 5 == 0 else None))
accounts("south-needs-no-header", "needs no header in the second workspace", lambda self, r:
         right(self, r) or (of_path(self, r) if "/south/" in r.path and header(r) is None else None))


def checked_late(name, does, wrong):
    """Something else is looked at before the header."""
    def create_branch(self, request, workspace_id):
        workspace = self.workspaces.get(workspace_id)
        return workspace and wrong(self, request, workspace) or BranchService.create_branch(self, request, workspace_id)
    ALL.plant(name, does, ANSWERS_401, create_branch=create_branch)


checked_late("body-judged-before-header", "answers 400 to an invalid name though the header is missing", lambda self, r, w:
             None if self.name_is_valid(self.name_in(r)) else self.invalid_name(w, self.name_in(r)))
checked_late("malformed-judged-before-header", "answers 400 to a malformed body though the header is missing", lambda self, r, w:
             self.invalid_name(w, None) if self.name_in(r) is None else None)
checked_late("conflict-judged-before-header", "answers 409 to a taken name though the header is missing", lambda self, r, w:
             self.conflict(w, self.name_in(r)) if isinstance(self.name_in(r), str) and self.is_taken(w, self.name_in(r)) else None)


def limited(name, does, key, allowance):
    """Answers 429 where more than `allowance` requests of one key came in the last second."""
    def route(self, request):
        if request.path != "/seed":
            with self.lock:
                times = self.memory.setdefault(("times", key(self, request)), [])
                now = time.monotonic()
                times[:] = [moment for moment in times if now - moment < 1] + [now]
                if len(times) > allowance:
                    answer = self.json_answer(429, {"error": "Too many requests"})
                    answer.headers["Retry-After"] = "1"
                    return answer
        return BranchService.route(self, request)
    ALL.plant(name, does, RATE, route=route)


limited("rate-counted-for-all-accounts", "answers 429 to one account because another one was quick", lambda self, r: "all", 2)
limited("rate-counted-by-workspace", "answers 429 to the second account of a workspace because the first was quick",
        lambda self, r: "/".join(r.path.split("/")[:3]), 2)


def every_fourth_refused(self, request):
    if request.path != "/seed" and counted(self, "asked") % 4 == 0:
        return self.json_answer(429, {"error": "Too many requests"})
    return BranchService.route(self, request)


ALL.plant("refuses-every-fourth-at-any-rate", "answers 429 to every fourth request, however slowly they come", RATE, route=every_fourth_refused)
