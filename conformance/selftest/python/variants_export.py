"""Lawful choices in Export Branch Stats."""

import gzip
import json
import random
from datetime import timezone
from email.utils import format_datetime

from planting import Collection, after, cell
from service import Answer, BranchService

ALL = Collection()
STATUS = "Media type of the response and the success status code: not shown."
FORMAT = "Timestamp text format: not shown."
ARRAY = "The cell serialization of the `collaborators` array: not shown."
NEVER = "Values of columns for branches that never reached the step: no rule is given."
CSV = "How the CSV string is written (line ends, quotes, mark of byte order) is not shown; readers of CSV take all of these."
ORDER = "The order of the rows is not shown."


def moments(name, does, write, disputable=False):
    ALL.plant(name, does, FORMAT, disputable, moment=lambda self, moment: write(moment) if moment else "")


moments("moments-in-seconds", "writes 2026-01-31T12:00:00Z", lambda m: m.strftime("%Y-%m-%dT%H:%M:%SZ"))
moments("moments-zero-offset", "writes 2026-01-31T12:00:00.123456+00:00", lambda m: m.isoformat())
moments("moments-unmarked", "writes 2026-01-31 12:00:00", lambda m: m.strftime("%Y-%m-%d %H:%M:%S"))
moments("moments-marked-utc", "writes 2026-01-31 12:00:00 UTC", lambda m: m.strftime("%Y-%m-%d %H:%M:%S UTC"))
moments("moments-epoch-seconds", "writes seconds since 1970", lambda m: str(int(m.timestamp())))
moments("moments-epoch-milliseconds", "writes milliseconds since 1970", lambda m: str(int(m.timestamp() * 1000)))
moments("moments-epoch-fraction", "writes 1767225600.25", lambda m: f"{m.timestamp():.2f}")
moments("moments-mail-style", "writes Sat, 31 Jan 2026 12:00:00 GMT", lambda m: format_datetime(m.astimezone(timezone.utc), usegmt=True))
moments("moments-browser-style", "writes Sat Jan 31 2026 12:00:00 GMT+0000 (Coordinated Universal Time)", lambda m: m.strftime("%a %b %d %Y %H:%M:%S GMT+0000 (Coordinated Universal Time)"))
moments("moments-basic-format", "writes 20260131T120000Z", lambda m: m.strftime("%Y%m%dT%H%M%SZ"))
moments("moments-minutes-alone", "writes 2026-01-31T12:00Z", lambda m: m.strftime("%Y-%m-%dT%H:%MZ"))
moments("moments-nanoseconds", "writes nine digits behind the second", lambda m: m.strftime("%Y-%m-%dT%H:%M:%S.%f") + "000Z")
moments("moments-american", "writes 1/31/2026, 12:00:00 PM (with a comma)", lambda m: m.strftime("%-m/%-d/%Y, %-I:%M:%S %p"), True)
moments("moments-day-alone", "writes 2026-01-31", lambda m: m.strftime("%Y-%m-%d"), True)

for name, does, write in [
    ("collaborators-by-comma", "writes a@x, b@x", ", ".join),
    ("collaborators-by-semicolon", "writes a@x;b@x", ";".join),
    ("collaborators-by-bar", "writes a@x|b@x", "|".join),
    ("collaborators-by-blank", "writes a@x b@x", " ".join),
    ("collaborators-by-line", "writes one on each line of the cell", "\n".join),
    ("collaborators-postgres", "writes {a@x,b@x}", lambda emails: "{" + ",".join(json.dumps(e, ensure_ascii=False) for e in emails) + "}"),
    ("collaborators-python", "writes ['a@x', 'b@x']", repr),
    ("collaborators-bare-brackets", "writes [a@x, b@x]", lambda emails: "[" + ", ".join(emails) + "]"),
    ("collaborators-none-is-empty", "writes JSON, but nothing where there are none", lambda emails: json.dumps(emails) if emails else ""),
    ("collaborators-none-is-null", "writes JSON, but null where there are none", lambda emails: json.dumps(emails) if emails else "null"),
]:
    ALL.plant(name, does, ARRAY, array=lambda self, emails, w=write: w(emails))

NEVER_CELLS = ("lastPublishedDate", "markedReadyForReviewDate", "markedReadyForReviewerUserEmail", "branchMergedDate", "branchMergedUserEmail")
for name, does, text in [
    ("never-is-null", "writes null for what never was", "null"), ("never-is-na", "writes N/A for what never was", "N/A"),
    ("never-is-hyphen", "writes - for what never was", "-"), ("never-is-undefined", "writes undefined for what never was", "undefined"),
    ("never-is-words", "writes `not yet, sorry` for what never was (with a comma)", "not yet, sorry"),
    ("never-is-blank", "writes a blank for what never was", " "),
]:
    ALL.plant(name, does, NEVER, cells=after("cells", lambda self, cells, branch, t=text: {
        **cells, **{column: cells[column] or t for column in NEVER_CELLS}}))
ALL.plant("never-is-1970", "writes 1970-01-01T00:00:00.000Z for dates that never were", NEVER, True, cells=after("cells", lambda self, cells, branch: {
    **cells, **{column: cells[column] or "1970-01-01T00:00:00.000Z" for column in NEVER_CELLS if column.endswith("Date")}}))


def rewritten(name, does, change, why=CSV, disputable=False):
    ALL.plant(name, does, why, disputable, csv=lambda self, rows: change(self, rows))


def usual(self, rows):
    return BranchService.csv(self, rows)


def all_quoted(self, rows):
    return "".join(",".join('"' + c.replace('"', '""') + '"' for c in row) + "\n" for row in rows)


rewritten("csv-line-feeds", "ends lines with LF", lambda s, r: usual(s, r).replace("\r\n", "\n"))
rewritten("csv-no-last-line-end", "has no line end behind the last row", lambda s, r: usual(s, r)[:-2])
rewritten("csv-carriage-returns", "ends lines with CR alone", lambda s, r: usual(s, r).replace("\r\n", "\r"), disputable=True)
rewritten("csv-byte-order-mark", "begins with a byte order mark", lambda s, r: "\ufeff" + usual(s, r))
rewritten("csv-all-quoted", "quotes every cell", all_quoted)
rewritten("csv-all-quoted-with-mark", "quotes every cell behind a byte order mark", lambda s, r: "\ufeff" + all_quoted(s, r))
rewritten("csv-rows-quoted-alone", "quotes every cell but the column names", lambda s, r: usual(s, r[:1]) + all_quoted(s, r[1:]))
rewritten("csv-empty-line-at-end", "has an empty line at the end", lambda s, r: usual(s, r) + "\r\n")
rewritten("csv-newest-first", "shows the newest branch first", lambda s, r: usual(s, r[:1] + r[:0:-1]), ORDER)
rewritten("csv-by-name", "sorts rows by name", lambda s, r: usual(s, r[:1] + sorted(r[1:])), ORDER)
rewritten("csv-by-chance", "shuffles rows", lambda s, r: usual(s, r[:1] + random.sample(r[1:], len(r) - 1)), ORDER)

for status in (201, 202, 203):
    ALL.plant(f"export-answers-{status}", f"answers {status} with the CSV", STATUS, status > 203,
              export_answer=after("export_answer", lambda self, answer, text, s=status: Answer(s, answer.body, answer.headers)))
for name, value in [("plain", "text/plain; charset=utf-8"), ("csv-bare", "text/csv"), ("octets", "application/octet-stream"), ("application-csv", "application/csv"),
                    ("header-present", "text/csv; header=present; charset=UTF-8"), ("quoted-charset", 'text/csv; charset="utf-8"'), ("excel", "application/vnd.ms-excel"),
                    ("json-called", "application/json"), ("none", None)]:
    ALL.plant(f"export-media-{name}", f"answers the CSV as {value}", STATUS, export_answer=lambda self, text, v=value: Answer(
        200, text.encode(), {"Content-Type": v} if v else {}))


def answers(name, does, change, why=STATUS, disputable=False):
    ALL.plant(name, does, why, disputable, export_answer=lambda self, text: change(text))


CSV_LATIN1 = {"Content-Type": "text/csv; charset=iso-8859-1"}
answers("export-latin1-declared", "answers Latin-1 and says so", lambda t: Answer(200, t.encode("latin-1"), CSV_LATIN1))
answers("export-utf16-declared", "answers UTF-16 and says so", lambda t: Answer(200, t.encode("utf-16"), {"Content-Type": "text/csv; charset=utf-16"}), STATUS, True)
answers("export-as-attachment", "answers with Content-Disposition", lambda t: Answer(200, t.encode(), {
    "Content-Type": "text/csv", "Content-Disposition": 'attachment; filename="branches.csv"'}))
answers("export-as-json-string", "answers the CSV as one JSON string", lambda t: Answer(200, json.dumps(t).encode(), {"Content-Type": "application/json"}), STATUS, True)
ALL.plant("export-gzip-when-accepted", "answers gzip, declared, to requests that accept it", "HTTP: Content-Encoding.", export_answer=lambda self, text: Answer(
    200, gzip.compress(text.encode()), {"Content-Type": "text/csv; charset=utf-8", "Content-Encoding": "gzip"})
    if "gzip" in self.request.headers.get("accept-encoding", "") else BranchService.export_answer(self, text))

ALL.plant("emails-with-quoted-names", 'has creators such as "doe, jo"@example.com', "An e-mail address may have a quoted local part.", True,
          cells=cell("branchCreatorEmail", lambda s, b, t: '"doe, jo"@' + t.split("@")[1]))
ALL.plant("creator-ids-are-numbers", "shows creator ids as numbers", "User ids are not shown.", cells=cell("branchCreatorId", lambda s, b, t: str(sum(map(ord, t)))))
ALL.plant("creator-same-for-all", "shows one creator for all branches", "Who counts as creator of a branch made by a service account is not shown.", cells=after(
    "cells", lambda self, cells, branch: {**cells, "branchCreatorId": "service", "branchCreatorEmail": "api@example.com"}))
ALL.plant("collaborators-with-creator", "counts the creator among the collaborators", "Who helped on a branch is not told.", cells=cell(
    "collaborators", lambda s, b, t: json.dumps(b.collaborators + [b.creator_email])))
