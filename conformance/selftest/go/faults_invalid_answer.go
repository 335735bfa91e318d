package main

import "strings"

func rejected(f func(c *Call, a *Answer)) func(*Hooks) { return on("invalid", f) }

// reworded changes the error sentence of the answer 400.
func reworded(f func(s string) string) func(*Hooks) {
	return rejected(func(_ *Call, a *Answer) { a.Put("error", f(a.Field("error").(string))) })
}

func replaced(old, new string) func(*Hooks) {
	return reworded(func(s string) string { return strings.Replace(s, old, new, 1) })
}

// rejectedWhere gives another status where told.
func rejectedWhere(code int, where func(c *Call) bool) func(*Hooks) {
	return rejected(func(c *Call, a *Answer) {
		if where(c) {
			a.Status = code
		}
	})
}

func malformed(c *Call) bool {
	_, ok := readName(c.Body)
	return !ok
}

func emptyName(c *Call) bool { return !malformed(c) && c.Name == "" }

func badCharacters(c *Call) bool { return c.Name != "" }

// saidWhere gives another sentence where told.
func saidWhere(sentence string, where func(c *Call) bool) func(*Hooks) {
	return rejected(func(c *Call, a *Answer) {
		if where(c) {
			a.Put("error", sentence)
		}
	})
}

func invalidAnswerFaults() []Planting {
	return []Planting{
		fault("invalid-422", "answers 422 to invalid characters in a name", say400, rejectedWhere(422, badCharacters)),
		fault("invalid-409", "answers 409 to invalid characters in a name", say400, rejectedWhere(409, badCharacters)),
		fault("invalid-200", "answers 200 with the body of a rejection", say400, status("invalid", 200)),
		fault("empty-name-422", "answers 422 to the empty name", say400, rejectedWhere(422, emptyName)),
		fault("malformed-415", "answers 415 to a malformed body", say400, rejectedWhere(415, malformed)),
		fault("malformed-422", "answers 422 to a malformed body", say400, rejectedWhere(422, malformed)),
		fault("malformed-told", "answers `Malformed request body` to a malformed body", say400Body, saidWhere("Malformed request body", malformed)),
		fault("empty-name-told", "answers `Branch name is required` to the empty name", say400Body, saidWhere("Branch name is required", emptyName)),
		fault("no-suggestion", "answers `Invalid branch name` without a suggestion", say400Body,
			reworded(func(string) string { return "Invalid branch name" })),
		fault("suggestion-unquoted", "writes the suggestion without quotes", say400Body,
			reworded(func(s string) string { return strings.ReplaceAll(s, `"`, ``) })),
		fault("suggestion-single-quotes", "writes the suggestion in single quotes", say400Body,
			reworded(func(s string) string { return strings.ReplaceAll(s, `"`, `'`) })),
		fault("suggestion-curly-quotes", "writes the suggestion in curly quotes", say400Body,
			replacedPair("“", "”")),
		fault("suggestion-html-quotes", "writes the quotes as `&quot;`", say400Body, replacedPair("&quot;", "&quot;")),
		fault("suggestion-escaped-twice", "writes backslashes before the quotes of the sentence", say400Body, replacedPair(`\"`, `\"`)),
		fault("sentence-without-instead", "leaves out `instead`", say400Body, replaced(" instead", "")),
		fault("sentence-without-try", "writes `use` for `try`", say400Body, replaced(", try ", ", use ")),
		fault("sentence-without-comma", "leaves out the comma behind `name`", say400Body, replaced("name, try", "name try")),
		fault("sentence-lower-case", "starts the sentence with a small letter", say400Body, replaced("Invalid", "invalid")),
		fault("sentence-without-branch", "writes `Invalid name`", say400Body, replaced("Invalid branch name", "Invalid name")),
		fault("sentence-full-stop", "ends the sentence with a full stop", say400Body, reworded(func(s string) string { return s + "." })),
		fault("sentence-double-blank", "writes two blanks before `try`", say400Body, replaced(", try", ",  try")),
		fault("sentence-with-name", "names the rejected name in the sentence", say400Body, rejected(func(c *Call, a *Answer) {
			a.Put("error", strings.Replace(a.Field("error").(string), "name,", "name "+c.Name+",", 1))
		})),
		fault("rejection-message-field", "names the field `message` in the answer 400", sayErrorBody,
			rejected(func(_ *Call, a *Answer) { a.Rename("error", "message") })),
		fault("rejection-errors-list", "answers 400 with a list `errors`", sayErrorBody, rejected(func(_ *Call, a *Answer) {
			a.Fields = []Field{{"errors", []any{a.Field("error")}}}
		})),
		fault("rejection-object", "puts an object in the field error of the answer 400", sayErrorBody,
			rejected(func(_ *Call, a *Answer) { a.Put("error", map[string]any{"message": a.Field("error")}) })),
		fault("rejection-plain-text", "answers 400 with the bare sentence", sayErrorBody,
			rejected(func(_ *Call, a *Answer) { a.Text(a.Field("error").(string)) })),
		fault("rejection-unescaped", "does not escape the quotes within the JSON of the answer 400", sayErrorBody,
			after("invalid", func(_ *Call, a *Answer) { a.Body = []byte(strings.ReplaceAll(string(a.Body), `\"`, `"`)) })),
		fault("rejection-empty", "answers 400 without a body", sayErrorBody, rejected(func(_ *Call, a *Answer) { a.Body = []byte{} })),
		fault("rejection-in-header", "tells the sentence in a header `x-error` with an empty object as body", sayErrorBody,
			rejected(func(_ *Call, a *Answer) {
				a.Set("X-Error", a.Field("error").(string))
				a.Fields = []Field{}
			})),
		fault("malformed-parser-message", "answers the parser's message to a body that is no JSON", say400Body,
			saidWhere("Unexpected token in JSON at position 0", malformed)),
		disputed("rejection-more-fields", "adds the field `suggestion` to the answer 400", sayErrorBody,
			rejected(func(_ *Call, a *Answer) { a.Fields = append(a.Fields, Field{"suggestion", "new-branch"}) })),
		fault("long-invalid-500", "answers 500 to an invalid name of more than 100 characters", say400,
			rejectedWhere(500, func(c *Call) bool { return len(c.Name) > 100 })),
		fault("non-ascii-500", "answers 500 to a name with characters outside ASCII", say400, rejectedWhere(500, func(c *Call) bool {
			return strings.IndexFunc(c.Name, func(r rune) bool { return r > 127 }) >= 0
		})),
		fault("rejected-but-stored", "answers 400 but stores the branch under the suggested name", say400,
			suggesting(func(c *Call, _, s string) string {
				c.World.Branches[c.Workspace] = append(c.World.Branches[c.Workspace], c.World.newBranch(s, c.Account))
				return s
			})),
	}
}

// replacedPair writes other marks for the two quotes of the sentence.
func replacedPair(open, shut string) func(*Hooks) {
	return reworded(func(s string) string {
		p := strings.SplitN(s, `"`, 3)
		return p[0] + open + p[1] + shut + p[2]
	})
}
