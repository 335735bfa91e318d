"""Faults in the columns, the cells and the text of the export."""

import base64
import gzip
import html
import json
from datetime import timedelta, timezone

from planting import Collection, after, cell
from service import Answer, BranchService
from world import COLUMNS

ALL = Collection()
ORDER = "Column names, in this order: " + ", ".join(COLUMNS) + "."
MEANING = "The meaning of each column (table under `Branch statistics row`)."
UTC = "... : UTC timestamp of ..."
CSV = "Success body: a CSV string holding the statistics of all branches of the workspace."
STATUS = "branchStatus: one of `Merged`, `Closed`, `Approved`, `Draft`, `ReadyForReview`."
NAME = "branchName: Name of the branch."


def columns(change):
    """Both header and rows change alike."""
    def export_text(self, workspace, account):
        rows = [self.header()] + [self.row(branch) for branch in self.exported(workspace, account)]
        return self.csv([change(row) for row in rows])
    return {"export_text": export_text}


for number, column in enumerate(COLUMNS):
    ALL.plant(f"column-missing-{column}", f"leaves out the column {column}", ORDER,
              **columns(lambda row, n=number: row[:n] + row[n + 1:]))
for first, second in ((0, 1), (2, 3), (5, 6), (8, 9), (10, 11), (4, 7)):
    ALL.plant(f"columns-swapped-{first}-{second}", f"swaps the columns {COLUMNS[first]} and {COLUMNS[second]}, with their names", ORDER,
              **columns(lambda row, a=first, b=second: [row[b if n == a else a if n == b else n] for n in range(12)]))
ALL.plant("columns-in-alphabetical-order", "sorts the columns by name", ORDER,
          **columns(lambda row: [row[COLUMNS.index(column)] for column in sorted(COLUMNS)]))
ALL.plant("column-added-behind", "adds a thirteenth column", ORDER,
          **columns(lambda row: row + ["workspaceId" if row[0] == COLUMNS[0] else "w"]))
ALL.plant("column-added-in-front", "adds a column of row numbers in front", ORDER, **columns(lambda row: [""] + row))

for name, does, change in [
    ("header-missing", "leaves out the row of column names", lambda rows: rows[1:]),
    ("header-twice", "writes the row of column names twice", lambda rows: rows[:1] + rows),
    ("header-again-after-100", "writes the row of column names again behind each 100 rows",
     lambda rows: [r for n, row in enumerate(rows) for r in ([rows[0], row] if n and n % 100 == 0 else [row])]),
    ("header-small", "writes the column names in small letters", lambda rows: [[c.lower() for c in rows[0]]] + rows[1:]),
    ("header-spaced", "writes the column names with blanks before them", lambda rows: [[rows[0][0]] + [" " + c for c in rows[0][1:]]] + rows[1:]),
    ("header-reviewer-corrected", "writes markedReadyForReviewUserEmail (without `er`)",
     lambda rows: [[c.replace("Reviewer", "Review") for c in rows[0]]] + rows[1:]),
    ("header-snake-case", "writes branch_name, branch_id ...",
     lambda rows: [["".join("_" + x.lower() if x.isupper() else x for x in c) for c in rows[0]]] + rows[1:]),
    ("header-sep-line", "writes the line `sep=,` before all", lambda rows: [["sep=", ""]] + rows),
    ("sum-behind", "writes a last row with the number of branches", lambda rows: rows + [[f"Total: {len(rows) - 1}"] + [""] * 11]),
    ("rows-cut-behind-last-value", "leaves out empty cells at the end of a row",
     lambda rows: [row[:max(n for n in range(12) if row[n]) + 1] for row in rows]),
    ("rows-with-comma-behind", "writes a comma behind each row but the names", lambda rows: rows[:1] + [row + [""] for row in rows[1:]]),
]:
    ALL.plant(name, does, ORDER if name.startswith(("header", "rows")) else "One CSV row per branch of the workspace.",
              csv=lambda self, rows, c=change: BranchService.csv(self, c(rows)))

for name, does, column, change, breaks in [
    ("cell-name-in-capitals", "shows names in capitals", "branchName", lambda s, b, t: t.upper(), NAME),
    ("cell-name-cut-at-50", "shows the first 50 characters of names", "branchName", lambda s, b, t: t[:50], NAME),
    ("cell-name-zeros-lost", "shows names of digits without leading zeros", "branchName", lambda s, b, t: str(int(t)) if t.isdigit() else t, NAME),
    ("cell-name-as-exponent", "shows the name 1e5 as 100000.0", "branchName", lambda s, b, t: str(float(t)) if "e" in t and t.replace("e", "", 1).isdigit() and t[0] != "e" and t[-1] != "e" else t, NAME),
    ("cell-name-as-date", "shows the name 2024-01-02 as 1/2/2024", "branchName",
     lambda s, b, t: f"{t[5:7]}/{t[8:]}/{t[:4]}" if len(t) == 10 and t.replace("-", "").isdigit() else t, NAME),
    ("cell-name-big-number", "shows names of more than 15 digits as 1.23E+18", "branchName", lambda s, b, t: f"{int(t):.5E}" if len(t) > 15 and t.isdigit() else t, NAME),
    ("cell-name-apostrophe", "shows names with a hyphen in front behind an apostrophe", "branchName", lambda s, b, t: "'" + t if t[0] == "-" else t, NAME),
    ("cell-name-null-emptied", "shows the names null, none and nan as empty", "branchName", lambda s, b, t: "" if t in ("null", "none", "nan") else t, NAME),
    ("cell-name-is-id", "shows the id as name", "branchName", lambda s, b, t: b.id, NAME),
    ("cell-id-is-name", "shows the name as id", "branchId", lambda s, b, t: b.name, "branchId: Id of the branch."),
    ("cell-id-cut", "shows the first eight characters of ids", "branchId", lambda s, b, t: t[:8], "branchId: Id of the branch."),
    ("cell-id-small", "shows ids in small letters", "branchId", lambda s, b, t: t.lower(), "branchId: Id of the branch."),
    ("cell-id-is-url", "shows the branch's URL as id", "branchId", lambda s, b, t: s.branch_url(b), "branchId: Id of the branch."),
    ("cell-creator-id-empty", "shows no creator id for new branches", "branchCreatorId", lambda s, b, t: "" if "-of-" in t else t, MEANING),
    ("cell-creator-id-is-email", "shows the e-mail as creator id and the id as e-mail", "branchCreatorEmail", lambda s, b, t: b.creator_id, MEANING),
    ("cell-creator-email-empty", "shows no creator e-mail", "branchCreatorEmail", lambda s, b, t: "", MEANING),
    ("cell-creator-email-cut", "shows the creator e-mail without its host", "branchCreatorEmail", lambda s, b, t: t.split("@")[0], MEANING),
    ("cell-creator-email-is-account", "shows the account's name as creator e-mail for new branches", "branchCreatorEmail",
     lambda s, b, t: t.split("@")[0] if "-of-" in b.creator_id else t, MEANING),
    ("cell-merger-id", "shows a user id as branchMergedUserEmail", "branchMergedUserEmail", lambda s, b, t: t and "user-9", MEANING),
    ("cell-marker-id", "shows a user id as markedReadyForReviewerUserEmail", "markedReadyForReviewerUserEmail", lambda s, b, t: t and "user-8", MEANING),
    ("cell-merged-date-empty", "shows no date of the merge of merged branches", "branchMergedDate", lambda s, b, t: "", MEANING),
    ("cell-merged-email-empty", "shows no e-mail of who merged a branch", "branchMergedUserEmail", lambda s, b, t: "", MEANING),
    ("cell-ready-date-empty", "shows no date of the first review", "markedReadyForReviewDate", lambda s, b, t: "", MEANING),
    ("cell-ready-email-empty", "shows no e-mail of who asked for the review", "markedReadyForReviewerUserEmail", lambda s, b, t: "", MEANING),
    ("cell-ready-date-only-while-ready", "shows the date of the review only while the status is ReadyForReview", "markedReadyForReviewDate",
     lambda s, b, t: t if b.status == "ReadyForReview" else "", MEANING),
    ("cell-merged-date-is-creation", "shows the creation as date of the merge", "branchMergedDate", lambda s, b, t: t and s.moment(b.created), MEANING),
    ("cell-creation-is-now", "shows the time of the export as creation", "creationDate", lambda s, b, t: s.moment(s.now()), UTC),
    ("cell-creation-empty", "shows no creation date", "creationDate", lambda s, b, t: "", UTC),
    ("cell-creation-epoch", "shows 1970 as creation", "creationDate", lambda s, b, t: "1970-01-01T00:00:00.000Z", UTC),
    ("cell-creation-tomorrow", "shows a creation a day late", "creationDate", lambda s, b, t: s.moment(b.created + timedelta(days=1)), UTC),
    ("cell-creation-time-alone", "shows the time of day of the creation alone", "creationDate", lambda s, b, t: t[11:19], UTC),
    ("cell-creation-moves-with-status", "shows a new creation date behind each merge", "creationDate", lambda s, b, t: s.moment(b.merged or b.created), UTC),
    ("cell-collaborators-ids", "shows user ids as collaborators", "collaborators", lambda s, b, t: json.dumps([e.split("@")[0].strip('"') for e in b.collaborators]), "collaborators: Array of e-mails."),
    ("cell-collaborators-count", "shows the number of collaborators", "collaborators", lambda s, b, t: str(len(b.collaborators)), "collaborators: Array of e-mails."),
    ("cell-collaborators-object", "shows [object Object] for collaborators", "collaborators", lambda s, b, t: "[object Object]" if b.collaborators else t, "collaborators: Array of e-mails."),
]:
    ALL.plant(name, does, breaks, cells=cell(column, change))

for name, does, change in [
    ("status-small", "shows statuses in small letters", str.lower),
    ("status-capitals", "shows statuses in capitals", str.upper),
    ("status-first-letter-small", "shows readyForReview, draft ...", lambda t: t[0].lower() + t[1:]),
    ("status-ready-spaced", "shows `Ready For Review`", lambda t: t.replace("ReadyForReview", "Ready For Review")),
    ("status-ready-hyphens", "shows `ready-for-review`", lambda t: t.replace("ReadyForReview", "ready-for-review")),
    ("status-draft-is-open", "shows `Open` for Draft", lambda t: t.replace("Draft", "Open")),
    ("status-draft-is-new", "shows an empty status for Draft", lambda t: t.replace("Draft", "")),
    ("status-closed-is-archived", "shows `Archived` for Closed", lambda t: t.replace("Closed", "Archived")),
    ("status-approved-is-accepted", "shows `ChangesApproved` for Approved", lambda t: t.replace("Approved", "ChangesApproved")),
    ("status-closed-is-merged", "shows Merged for Closed", lambda t: t.replace("Closed", "Merged")),
    ("status-approved-is-ready", "shows ReadyForReview for Approved", lambda t: t.replace("Approved", "ReadyForReview")),
    ("status-blank-behind", "shows statuses with a blank behind", lambda t: t + " "),
    ("status-as-number", "shows statuses as numbers", lambda t: str(len(t))),
]:
    ALL.plant(name, does, STATUS + " Current status.", cells=cell("branchStatus", lambda s, b, t, c=change: c(t)))

HALF_PAST_FIVE = timezone(timedelta(hours=5, minutes=30))


def moments(name, does, change):
    ALL.plant(name, does, UTC, moment=lambda self, moment: change(moment) if moment else "")


moments("moments-local-marked-utc", "shows local time (+05:30) with a Z", lambda m: m.astimezone(HALF_PAST_FIVE).strftime("%Y-%m-%dT%H:%M:%SZ"))
moments("moments-local-unmarked", "shows local time (+05:30) without a zone", lambda m: m.astimezone(HALF_PAST_FIVE).strftime("%Y-%m-%d %H:%M:%S"))
moments("moments-with-offset", "shows 07:30:00+05:30", lambda m: m.astimezone(HALF_PAST_FIVE).isoformat())
moments("moments-one-hour-off", "shows time an hour ahead with a Z", lambda m: m.astimezone(timezone(timedelta(hours=1))).strftime("%Y-%m-%dT%H:%M:%SZ"))
moments("moments-twelve-hours", "shows hours from 1 to 12 without AM or PM", lambda m: m.strftime("%Y-%m-%d %I:%M:%S"))
moments("moments-minutes-are-months", "shows the month for the minutes", lambda m: m.strftime("%Y-%m-%dT%H:%m:%SZ"))
moments("moments-relative", "shows `2 days ago`", lambda m: "2 days ago")
moments("moments-wrong-unit", "shows milliseconds as if they were microseconds (epoch)", lambda m: str(int(m.timestamp() * 1e5)))
moments("moments-est", "shows time with -05:00", lambda m: m.astimezone(timezone(timedelta(hours=-5))).isoformat())


def latest_ready(self, branch, status):
    if status == "ReadyForReview":
        branch.ready = None
    BranchService.enter_status(self, branch, status)


ALL.plant("ready-date-of-last-event", "shows the date of the last ReadyForReview event", "the date of the first ReadyForReview event", enter_status=latest_ready)

for name, does, quoted in [
    ("csv-never-quotes", "quotes no cell", lambda t: t),
    ("csv-quotes-not-doubled", "does not double quotes within a cell", lambda t: f'"{t}"' if set(t) & set('",') else t),
    ("csv-quotes-backslashed", "escapes quotes with a backslash", lambda t: '"' + t.replace('"', '\\"') + '"' if set(t) & set('",') else t),
    ("csv-commas-escaped", "escapes commas with a backslash and quotes nothing", lambda t: t.replace(",", "\\,")),
    ("csv-single-quotes", "quotes cells with apostrophes", lambda t: f"'{t}'" if "," in t else t),
    ("csv-html-entities", "writes &quot; for quotes", lambda t: f'"{html.escape(t)}"' if set(t) & set('",') else t),
    ("csv-commas-lost", "replaces commas in cells", lambda t: t.replace(",", " ").replace('"', "")),
    ("csv-blank-behind-comma", "writes quoted cells behind a blank", lambda t: ' "' + t.replace('"', '""') + '"' if set(t) & set('",') else t),
]:
    ALL.plant(name, does, CSV, quoted=lambda self, text, c=quoted: c(text))

for name, does, change in [
    ("csv-semicolons", "writes semicolons for commas", lambda self, rows: BranchService.csv(self, rows).replace(",", ";")),
    ("csv-tabs", "writes tabs for commas", lambda self, rows: "".join("\t".join(row) + "\n" for row in rows)),
    ("csv-on-one-line", "writes no line ends", lambda self, rows: BranchService.csv(self, rows).replace("\r\n", " ")),
    ("csv-is-json", "answers a JSON list of objects", lambda self, rows: json.dumps([dict(zip(rows[0], row)) for row in rows[1:]])),
    ("csv-is-html", "answers an HTML table", lambda self, rows: "<table>" + "".join(f"<tr><td>{'</td><td>'.join(row)}</td></tr>" for row in rows) + "</table>"),
    ("csv-in-json-object", "answers {\"csv\": ...}", lambda self, rows: json.dumps({"csv": BranchService.csv(self, rows)})),
    ("csv-in-base64", "answers Base64 of the CSV", lambda self, rows: base64.b64encode(BranchService.csv(self, rows).encode()).decode()),
    ("csv-cut-at-8-kib", "answers the first 8192 characters", lambda self, rows: BranchService.csv(self, rows)[:8192]),
    ("csv-cut-at-32-kib", "answers the first 32768 characters", lambda self, rows: BranchService.csv(self, rows)[:32768]),
    ("csv-line-breaks-escaped", "writes \\n for line ends", lambda self, rows: BranchService.csv(self, rows).replace("\r\n", "\\n")),
]:
    ALL.plant(name, does, CSV, csv=change)


def answers(name, does, change):
    """The answer with the text becomes another one: `change(answer, text)`."""
    ALL.plant(name, does, CSV, export_answer=after("export_answer", lambda self, answer, text: change(answer, text)))


def with_bytes(encode):
    return lambda answer, text: Answer(200, encode(text), answer.headers)


answers("bytes-latin1-called-utf8", "answers Latin-1 under charset=utf-8", with_bytes(lambda t: t.encode("latin-1", "replace")))
answers("bytes-utf16-called-utf8", "answers UTF-16 under charset=utf-8", with_bytes(lambda t: t.encode("utf-16")))
answers("bytes-encoded-twice", "answers UTF-8 that was encoded twice", with_bytes(lambda t: t.encode().decode("latin-1").encode()))
answers("bytes-question-marks", "answers ? for characters beyond ASCII", with_bytes(lambda t: t.encode("ascii", "replace")))
answers("bytes-gzip-undeclared", "answers gzip without Content-Encoding", with_bytes(lambda t: gzip.compress(t.encode())))
answers("length-in-characters", "counts Content-Length in characters, so the end is cut", lambda a, t: Answer(200, a.body, a.headers, length=len(t)))
answers("length-too-long", "announces ten bytes more than come, and closes", lambda a, t: Answer(200, a.body, a.headers, close=True, length=len(a.body) + 10))
answers("export-204", "answers 204 without a body", lambda a, t: Answer(204))
answers("export-500", "answers 500 with the CSV", lambda a, t: Answer(500, a.body, a.headers))
answers("export-500-when-large", "answers 500 where the CSV has more than 32 KiB", lambda a, t: Answer(500 if len(t) > 32768 else 200, a.body, a.headers))
