"""Faults in reading and judging the requested name."""

import ast
import json
import re
import secrets
import unicodedata
from urllib.parse import parse_qs, unquote

from planting import Collection, after
from service import BranchService

ALL = Collection()
KEBAB = "Kebab case: only lowercase letters, digits and hyphens."
EMPTY = "Must not be empty. / 400: branch name is empty."
MALFORMED = "400: request body is malformed. / JSON object with one string field `name`."
CREATED = "When the body is valid and the name is free, then a branch with that name is created and 201 is returned."


def accepts(pattern):
    return {"name_is_valid": lambda self, name: isinstance(name, str) and bool(re.fullmatch(pattern, name))}


def refuses(pattern):
    return {"name_is_valid": lambda self, name: BranchService.name_is_valid(self, name)
            and not re.search(pattern, name)}


def changed(change):
    """The name is changed before it is judged."""
    return {"name_in": after("name_in", lambda self, name, request:
                             change(name) if isinstance(name, str) else name)}


for name, pattern, what in [
    ("accepts-uppercase", "[A-Za-z0-9-]+", "capital letters"),
    ("accepts-capitals-behind-the-first", "[a-z0-9-][A-Za-z0-9-]*", "camelCase (capitals, but not in front)"),
    ("accepts-underscore", "[a-z0-9_-]+", "underscores"),
    ("accepts-inner-space", "[a-z0-9-]+( [a-z0-9-]+)*", "single spaces between words"),
    ("accepts-dot", "[a-z0-9.-]+", "dots"),
    ("accepts-slash", "[a-z0-9/-]+", "slashes"),
    ("accepts-range-comma-to-dot", "[a-z0-9,-.]+", "commas and dots, by a hyphen that became a range"),
    ("accepts-backtick", "[`-z0-9-]+", "the backtick, neighbour of a"),
    ("accepts-opening-brace", "[a-{0-9-]+", "the brace, neighbour of z"),
    ("accepts-colon", "[a-z0-:-]+", "the colon, neighbour of 9"),
    ("accepts-any-beyond-ascii", r"([a-z0-9-]|[^\x00-\x7f\ud800-\udfff])+", "every character beyond ASCII, emoji too"),
    ("accepts-en-dash", "[a-z0-9–-]+", "the en dash"),
    ("accepts-zero-width-space", "[a-z0-9\u200b-]+", "the zero-width space"),
    ("accepts-nul-character", "[a-z0-9\0-]+", "the character NUL"),
    ("accepts-tab", "[a-z0-9\t-]+", "tabs"),
    ("accepts-quote", "[a-z0-9'\"-]+", "quotes"),
    ("accepts-plus", "[a-z0-9+-]+", "plus signs"),
    ("accepts-at-and-hash", "[a-z0-9@#-]+", "at and number signs"),
    ("accepts-trailing-newline", r"[a-z0-9-]+\n?", "one newline at the end"),
    ("accepts-good-first-line", r"[a-z0-9-]+(\n[\s\S]*)?", "whatever follows a good first line"),
    ("accepts-good-last-line", r"([\s\S]*\n)?[a-z0-9-]+", "whatever stands before a good last line"),
    ("accepts-good-start", r"[a-z0-9-]+[\s\S]*", "every name whose first character is good"),
    ("accepts-good-end", r"[\s\S]*[a-z0-9-]+", "every name whose last character is good"),
    ("judges-only-32-characters", r"[a-z0-9-]{1,31}|[a-z0-9-]{32}[\s\S]*", "anything behind the 32nd character"),
]:
    ALL.plant(name, f"answers 201 to names with {what}", KEBAB, **accepts(pattern))

ALL.plant("accepts-empty-name", "answers 201 to an empty name", EMPTY, **accepts("[a-z0-9-]*"))
ALL.plant("accepts-whitespace-alone", "answers 201 to a name of blanks alone", KEBAB, **accepts("[a-z0-9-]+| +"))

for name, does, change in [
    ("trims-name", "answers 201 to a name with blanks around it, creating the trimmed name", str.strip),
    ("trims-newlines-only", "answers 201 to a name with line ends behind it, cutting them", lambda n: n.rstrip("\r\n")),
    ("lowercases-name", "answers 201 to capitals, creating the name in lower case", str.lower),
    ("hyphenates-spaces", "answers 201 to spaces, creating hyphens for them", lambda n: n.replace(" ", "-")),
    ("hyphenates-underscores", "answers 201 to underscores, creating hyphens", lambda n: n.replace("_", "-")),
    ("folds-fullwidth", "answers 201 to fullwidth letters, creating ASCII ones (NFKC)",
     lambda n: unicodedata.normalize("NFKC", n)),
    ("strips-accents", "answers 201 to accented letters, creating plain ones",
     lambda n: unicodedata.normalize("NFD", n).encode("ascii", "ignore").decode()),
    ("decodes-percent", "answers 201 to %61bc, creating abc", unquote),
    ("cuts-name-at-nul", "answers 201 to good\\0BAD, creating good", lambda n: n.split("\0")[0]),
]:
    ALL.plant(name, does, KEBAB, **changed(change))

for name, pattern, what in [
    ("refuses-digits-alone", r"^\d+$", "names of digits alone"),
    ("refuses-leading-digit", r"^\d", "names that begin with a digit"),
    ("refuses-single-character", r"^.$", "names of one character"),
    ("refuses-two-characters", r"^..?$", "names shorter than three characters"),
    ("refuses-single-word", r"^[^-]*$", "names without a hyphen"),
    ("refuses-digit-nine", "9", "names with the digit 9"),
    ("refuses-letter-z", "z", "names with the letter z"),
    ("refuses-digit-zero", "0", "names with the digit 0"),
    ("refuses-reserved-words", "^(export|v1|main|master|new|null|true|constructor)$", "export, v1, main, null and the like"),
    ("refuses-word-of-digits", r"(^|-)\d+(-|$)", "names in which a word has digits alone"),
    ("refuses-more-than-four-hyphens", "(-.*){5}", "names with more than four hyphens"),
]:
    ALL.plant(name, f"answers 400 to {what}", CREATED, **refuses(pattern))


# --- bodies ---

def body_reader(read):
    """name_in that first does as is right, and where that finds no text asks `read(self, request, body)`."""
    def name_in(self, request):
        name = BranchService.name_in(self, request)
        if isinstance(name, str):
            return name
        try:
            return read(self, request, json.loads(request.body))
        except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError):
            return name
    return {"name_in": name_in}


def text_reader(read):
    """The same for bodies that are not JSON: `read(text)`."""
    def name_in(self, request):
        name = BranchService.name_in(self, request)
        if name is not None:
            return name
        try:
            found = read(request.body.decode("utf-8", "replace"))
            return found if isinstance(found, str) else None
        except Exception:
            return None
    return {"name_in": name_in}


def only(kind, change):
    def read(self, request, body):
        if type(body["name"]) is kind:
            return change(body["name"])
        raise ValueError
    return body_reader(read)


def invented(*_):
    return "branch-" + secrets.token_hex(4)


for name, does, replaced in [
    ("accepts-number-as-name", "answers 201 to the number 123 as a name", only(int, lambda n: str(abs(n)))),
    ("accepts-true-as-name", "answers 201 to true as a name", only(bool, lambda n: str(n).lower())),
    ("accepts-null-as-name", "answers 201 to null as a name", only(type(None), invented)),
    ("accepts-list-as-name", "answers 201 to a list of one name", only(list, lambda n: n[0])),
    ("accepts-object-as-name", "answers 201 to an object as a name", only(dict, invented)),
    ("accepts-missing-name", "answers 201 to {} and invents a name",
     body_reader(lambda self, request, body: body.get("name", invented()))),
    ("accepts-list-of-bodies", "answers 201 to a list of objects, taking the first",
     body_reader(lambda self, request, body: body[0]["name"] if isinstance(body, list) else None)),
    ("accepts-bare-string", "answers 201 to a JSON string in place of the object",
     body_reader(lambda self, request, body: body if isinstance(body, str) else None)),
    ("accepts-double-encoded-object", "answers 201 to a JSON string that holds the object",
     body_reader(lambda self, request, body: json.loads(body)["name"])),
    ("accepts-other-case-of-key", "answers 201 to {\"Name\": ...}",
     body_reader(lambda self, request, body: {key.lower(): body[key] for key in body}["name"])),
    ("accepts-branch-name-key", "answers 201 to {\"branchName\": ...}",
     body_reader(lambda self, request, body: body["branchName"])),
    ("accepts-form-body", "answers 201 to name=abc as a form", text_reader(lambda text: parse_qs(text)["name"][0])),
    ("accepts-unclosed-json", "answers 201 to JSON that is cut off behind the name",
     text_reader(lambda text: re.match(r'\s*\{\s*"name"\s*:\s*"([^"]*)"\s*$', text)[1])),
    ("accepts-text-behind-json", "answers 201 to JSON with other text behind it",
     text_reader(lambda text: json.JSONDecoder().raw_decode(text)[0]["name"])),
    ("accepts-single-quotes", "answers 201 to JSON with single quotes", text_reader(lambda text: ast.literal_eval(text)["name"])),
    ("accepts-trailing-comma", "answers 201 to JSON with a comma too many",
     text_reader(lambda text: json.loads(re.sub(r",\s*}", "}", text))["name"])),
    ("accepts-comments", "answers 201 to JSON with comments",
     text_reader(lambda text: json.loads(re.sub(r"/\*.*?\*/|//.*", "", text))["name"])),
    ("accepts-unquoted-key", "answers 201 to {name: \"abc\"}",
     text_reader(lambda text: json.loads(text.replace("name:", '"name":'))["name"])),
    ("accepts-bare-text", "answers 201 to a body that is the name alone, no JSON", text_reader(lambda text: text)),
    ("accepts-empty-body", "answers 201 to an empty body and invents a name",
     text_reader(lambda text: None if text else invented())),
    ("accepts-broken-utf8", "answers 201 to a body that is no UTF-8, dropping the broken bytes",
     text_reader(lambda text: json.loads(text.replace("\ufffd", ""))["name"])),
    ("accepts-raw-line-ends-in-text", "answers 201 to JSON with a bare line end within the name, dropping it",
     text_reader(lambda text: json.loads(text, strict=False)["name"].replace("\n", ""))),
    ("accepts-not-a-number", "answers 201 to JSON with NaN in another field",
     text_reader(lambda text: json.loads(text)["name"])),
]:
    ALL.plant(name, does, MALFORMED, **replaced)


def raw(wrong):
    """name_in that takes bodies of a lawful notation for malformed."""
    return {"name_in": lambda self, request: None if wrong(request.body) else BranchService.name_in(self, request)}


ALL.plant("refuses-escaped-name", "answers 400 where a letter of the name is written \\u0061", CREATED,
          **raw(lambda body: b"\\u" in body))
ALL.plant("refuses-spaced-body", "answers 400 to JSON with line ends between its parts", CREATED,
          **raw(lambda body: b"\n" in body))
ALL.plant("refuses-second-name-with-same-start", "answers 400 to a name that begins with an older branch's name and a hyphen",
          CREATED, name_is_valid=lambda self, name: BranchService.name_is_valid(self, name) and not any(
              name[:at] in space.by_name for space in self.workspaces.values()
              for at, letter in enumerate(name) if letter == "-"))


def lenient_after_refusal(self, name):
    """The refused name is remembered as judged, and passes the second time."""
    good = BranchService.name_is_valid(self, name)
    if not isinstance(name, str) or not name or good:
        return good
    seen = self.memory.setdefault("judged", set())
    again = name in seen
    seen.add(name)
    return again


ALL.plant("accepts-bad-name-the-second-time", "answers 201 to an invalid name once it was refused before", KEBAB,
          name_is_valid=lenient_after_refusal)
ALL.plant("accepts-bad-name-on-kept-connection", "answers 201 to an underscore from the third request on a connection on",
          KEBAB, name_is_valid=lambda self, name: isinstance(name, str) and bool(re.fullmatch(
              "[a-z0-9_-]+" if self.request.connection["requests"] > 2 else "[a-z0-9-]+", name)))
ALL.plant("accepts-bad-name-with-other-fields", "answers 201 to an invalid name where the body has another field too", KEBAB,
          name_is_valid=lambda self, name: BranchService.name_is_valid(self, name)
          or isinstance(name, str) and name != "" and len(BranchService.parse(self, self.request.body)) > 1)
ALL.plant("accepts-bad-name-in-south", "answers 201 to capitals in the second workspace", KEBAB,
          name_is_valid=lambda self, name: isinstance(name, str) and bool(re.fullmatch(
              "[A-Za-z0-9-]+" if "/south/" in self.request.path else "[a-z0-9-]+", name)))
