package main

import (
	"bytes"
	"encoding/json"
	"strings"
)

// refusalOfExport changes how the export refuses credentials.
func refusalOfExport(f func(a *Answer)) func(*Hooks) {
	return on("unauthorized", func(c *Call, a *Answer) {
		if c.Op == "export" {
			f(a)
		}
	})
}

// foreign changes the answer to a right account of another workspace.
func foreign(code int, sentence string) func(*Hooks) {
	return on("unauthorized", func(c *Call, a *Answer) {
		name, secret, _ := c.Basic()
		if c.Lookup(name, secret) != nil {
			a.Status = code
			a.Fields = []Field{{"error", sentence}}
		}
	})
}

// outside answers creations of unusual form with a status.
func outside(code int, sentence string, where func(c *Call) bool) func(*Hooks) {
	return early(func(c *Call) *Answer {
		if c.Op == "create" && where(c) {
			return failure("broken", code, sentence)
		}
		return nil
	})
}

func nameLonger(n int) func(c *Call) bool {
	return func(c *Call) bool {
		name, ok := readName(c.Body)
		return ok && validName(name) && len(name) > n
	}
}

func otherType(c *Call) bool {
	return !strings.HasPrefix(strings.ToLower(c.Request.Header.Get("Content-Type")), "application/json")
}

func fieldCount(body []byte) int {
	var in map[string]json.RawMessage
	if json.Unmarshal(body, &in) != nil {
		return 0
	}
	return len(in)
}

// alsoAt serves the export at a further end of the path.
func alsoAt(further, right string) func(*Hooks) {
	return at(func(path string) string {
		if base, ok := strings.CutSuffix(path, further); ok && !strings.HasSuffix(path, right) {
			return base + right
		}
		return path
	})
}

func policyVariants() []Planting {
	return []Planting{
		variant("sample-path-too", "serves the export at the path of the sample too", openSample, alsoAt("/export/v1", "/branches/export/v1")),
		variant("slash-behind-too", "serves both paths with a slash behind them too", openBase,
			at(func(path string) string { return strings.TrimSuffix(path, "/") })),
		variant("scheme-any-case", "takes `basic` in any case", openHeader, admit(func(c *Call) *Account {
			scheme, coded, _ := strings.Cut(header(c), " ")
			if !strings.EqualFold(scheme, "basic") {
				return nil
			}
			return codedProves(c, coded)
		})),
		variant("scheme-more-blanks", "takes several blanks behind `Basic`", openHeader, admit(func(c *Call) *Account {
			coded, found := strings.CutPrefix(header(c), "Basic ")
			if !found {
				return nil
			}
			return codedProves(c, strings.TrimLeft(coded, " "))
		})),
		variant("no-challenge", "sends no WWW-Authenticate", openUnsaid, on("unauthorized", func(_ *Call, a *Answer) { a.Header = nil })),
		variant("other-challenge", "sends a WWW-Authenticate with charset and a second scheme", openUnsaid,
			on("unauthorized", func(_ *Call, a *Answer) { a.Set("WWW-Authenticate", `Basic realm="x", charset="UTF-8", Bearer`) })),
		variant("foreign-403", "answers 403 to an account of another workspace", openPermissions, foreign(403, "Forbidden")),
		variant("foreign-404", "answers 404 to an account of another workspace", openPermissions, foreign(404, "Workspace not found")),
		variant("foreign-welcome", "lets every account into every workspace", openPermissions, auth(func(c *Call, a *Account) *Account {
			name, secret, _ := c.Basic()
			return c.Lookup(name, secret)
		})),
		variant("unknown-workspace-403", "answers 403 for a workspace that does not exist", openPermissions, on("missing", func(c *Call, a *Answer) {
			if c.Op != "" {
				a.Status = 403
			}
		})),
		variant("unknown-workspace-401", "answers 401 for a workspace that does not exist", openPermissions, auth(func(c *Call, a *Account) *Account {
			if _, known := c.World.Branches[c.Workspace]; !known {
				return nil
			}
			return a
		})),
		variant("export-refusal-403", "answers 403 to an export without right credentials", openErrors, refusalOfExport(func(a *Answer) { a.Status = 403 })),
		variant("export-refusal-404", "answers 404 to an export without right credentials", openErrors, refusalOfExport(func(a *Answer) { a.Status = 404 })),
		variant("export-refusal-400", "answers 400 to an export without right credentials", openErrors, refusalOfExport(func(a *Answer) { a.Status = 400 })),
		variant("export-refusal-text", "answers plain text to an export without right credentials", openErrors,
			refusalOfExport(func(a *Answer) { a.Text("Who are you?") })),
		variant("export-refusal-empty", "answers 401 without a body to an export without right credentials", openErrors,
			refusalOfExport(func(a *Answer) { a.Body = []byte{} })),
		variant("export-refusal-message", "answers a field `message` to an export without right credentials", openErrors,
			refusalOfExport(func(a *Answer) { a.Rename("error", "message") })),
		variant("names-up-to-64", "rejects names of more than 64 characters with 400", openLimits, longerThan(64)),
		variant("names-up-to-100", "rejects names of more than 100 characters with 400", openLimits, longerThan(100)),
		variant("names-up-to-255", "rejects names of more than 255 characters with 400", openLimits, longerThan(255)),
		variant("names-422-over-128", "answers 422 to names of more than 128 characters", openLimits, outside(422, "Name too long", nameLonger(128))),
		variant("bodies-up-to-4-kib", "answers 413 to bodies of more than 4096 bytes", openLimits,
			outside(413, "Body too large", func(c *Call) bool { return len(c.Body) > 4096 })),
		variant("further-fields-400", "rejects bodies with further fields", openBody, strict(func(c *Call) bool { return fieldCount(c.Body) > 1 })),
		variant("double-name-400", "rejects bodies in which the key name stands twice", openBody,
			strict(func(c *Call) bool { return bytes.Count(c.Body, []byte(`"name"`)) > 1 })),
		variant("byte-order-mark-taken", "takes bodies that start with a byte order mark", openBody, lenient(func(_ *Call, b []byte) string {
			name, _ := readName(bytes.TrimPrefix(b, []byte("\ufeff")))
			return name
		})),
		variant("other-type-415", "answers 415 to another content type than JSON", openHeader, outside(415, "Unsupported media type", otherType)),
		variant("other-type-400", "rejects another content type than JSON as malformed", openHeader, strict(otherType)),
	}
}
