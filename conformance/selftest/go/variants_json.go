package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// asJSON writes the fields of all JSON answers in another way.
func asJSON(f func(fields []Field) []byte) func(*Hooks) {
	return func(h *Hooks) {
		h.Answer = func(_ *Call, a *Answer) {
			if a.Fields != nil && a.Body == nil {
				a.Body, a.Type = f(a.Fields), "application/json"
			}
		}
	}
}

// rewriteJSON changes the text of all JSON answers.
func rewriteJSON(f func(body string) string) func(*Hooks) {
	return asJSON(func(fields []Field) []byte { return []byte(f(string(object(fields)))) })
}

func jsonType(media string) func(*Hooks) {
	return func(h *Hooks) {
		h.Answer = func(_ *Call, a *Answer) {
			if a.Fields != nil && a.Body == nil {
				a.Type = media
			}
		}
	}
}

// more adds fields to the answer 201.
func more(fields ...Field) func(*Hooks) {
	return created(func(_ *Call, a *Answer) { a.Fields = append(a.Fields, fields...) })
}

// escaped writes every character of a string that a test picks as \u escape.
func escaped(s string, pick func(r rune) bool) string {
	var b strings.Builder
	for _, r := range s {
		if pick(r) && r < 0x10000 {
			fmt.Fprintf(&b, `\u%04x`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

func indented(prefix, indent string) func(fields []Field) []byte {
	return func(fields []Field) []byte {
		var b bytes.Buffer
		// The object was made here and is valid.
		_ = json.Indent(&b, object(fields), prefix, indent)
		return b.Bytes()
	}
}

// spelled writes objects whose string values have some characters escaped.
func spelled(pick func(r rune) bool) func(fields []Field) []byte {
	return func(fields []Field) []byte {
		parts := []string{}
		for _, f := range fields {
			s := strings.Trim(string(value(f.Value)), `"`)
			if v, ok := f.Value.(string); ok {
				s = `"` + escaped(v, func(r rune) bool { return pick(r) || r == '"' || r == '\\' || r < ' ' }) + `"`
			}
			parts = append(parts, `"`+f.Key+`":`+s)
		}
		return []byte("{" + strings.Join(parts, ",") + "}")
	}
}

func jsonVariants() []Planting {
	return []Planting{
		variant("json-fields-reversed", "writes the fields of the answer 201 in the reverse order", openJSON,
			created(func(_ *Call, a *Answer) { slices.Reverse(a.Fields) })),
		variant("json-name-first", "writes branchName before branchId", openJSON,
			created(func(_ *Call, a *Answer) { a.Fields[0], a.Fields[1] = a.Fields[1], a.Fields[0] })),
		variant("json-indented", "writes JSON with two blanks of indentation", openJSON, asJSON(indented("", "  "))),
		variant("json-tabs", "writes JSON with tabs and line feeds", openJSON, asJSON(indented("", "\t"))),
		variant("json-blanks", "writes a blank behind each colon and comma", openJSON,
			rewriteJSON(strings.NewReplacer(`":"`, `": "`, `","`, `", "`).Replace)),
		variant("json-carriage-returns", "writes JSON with CR LF between the fields", openJSON, asJSON(func(fields []Field) []byte {
			return bytes.ReplaceAll(indented("", " ")(fields), []byte("\n"), []byte("\r\n"))
		})),
		variant("json-newline-behind", "ends JSON with a line feed", openJSON, rewriteJSON(func(s string) string { return s + "\n" })),
		variant("json-newline-before", "starts JSON with a line feed", openJSON, rewriteJSON(func(s string) string { return "\n" + s })),
		variant("json-slashes-escaped", "writes slashes as `\\/`", openJSON,
			rewriteJSON(func(s string) string { return strings.ReplaceAll(s, "/", `\/`) })),
		variant("json-all-escaped", "writes every character of the values as \\u escape", openJSON, asJSON(spelled(func(rune) bool { return true }))),
		variant("json-hyphens-escaped", "writes hyphens as \\u002d", openJSON, asJSON(spelled(func(r rune) bool { return r == '-' }))),
		variant("json-quotes-escaped", "writes the quotes of the sentence as \\u0022", openErrorJSON, asJSON(spelled(func(r rune) bool { return r == '"' }))),
		variant("json-key-escaped", "writes the first letter of a key as \\u escape", openErrorJSON,
			rewriteJSON(func(s string) string {
				return strings.NewReplacer(`"error"`, `"\u0065rror"`, `"branchId"`, `"\u0062ranchId"`).Replace(s)
			})),
		variant("json-type-charset", "names the charset in the media type of JSON", openUnsaid, jsonType("application/json; charset=utf-8")),
		variant("json-type-charset-quoted", "names the charset in quotes and capitals", openUnsaid, jsonType(`application/json;charset="UTF-8"`)),
		variant("json-type-capitals", "writes the media type of JSON in capitals", openUnsaid, jsonType("Application/JSON")),
		variant("json-type-vendor", "names a vendor's media type of JSON", openUnsaid, jsonType("application/vnd.branches.v1+json")),
		variant("json-type-problem", "names application/problem+json as media type of errors", openErrorJSON, func(h *Hooks) {
			h.Answer = func(_ *Call, a *Answer) {
				if a.Field("error") != nil {
					a.Type = "application/problem+json"
				}
			}
		}),
		variant("json-type-text", "names text/plain as media type of JSON", openUnsaid, jsonType("text/plain; charset=utf-8")),
		variant("json-type-none", "names no media type", openUnsaid, func(h *Hooks) {
			h.Answer = func(_ *Call, a *Answer) {
				a.encode()
				a.Type = ""
				a.Header = a.Header.Clone()
				if a.Header == nil {
					a.Header = map[string][]string{}
				}
				a.Header["Content-Type"] = nil
			}
		}),
	}
}

func createdVariants() []Planting {
	return []Planting{
		variant("more-fields", "adds the fields branchStatus and createdAt to the answer 201", openJSON,
			more(Field{"branchStatus", draft}, Field{"createdAt", "2026-01-01T00:00:00Z"})),
		variant("more-fields-before", "adds a field before the three of the answer 201", openJSON,
			created(func(_ *Call, a *Answer) { a.Fields = append([]Field{{"ok", true}}, a.Fields...) })),
		variant("more-objects", "adds an object and a list to the answer 201", openJSON,
			more(Field{"links", map[string]string{"self": "/"}}, Field{"warnings", []string{}}, Field{"parent", nil})),
		variant("more-branch-fields", "adds the fields name and id to the answer 201", openJSON,
			created(func(_ *Call, a *Answer) {
				a.Fields = append(a.Fields, Field{"id", a.Field("branchId")}, Field{"name", a.Field("branchName")})
			})),
		variant("location-header", "tells the branch's URL in a Location header too", openUnsaid,
			created(func(_ *Call, a *Answer) { a.Set("Location", a.Field("branchUrl").(string)) })),
		variant("ids-uuid", "gives UUIDs as ids", openID, made(func(_ *Call, b *Branch) {
			s := strings.ToLower(b.ID + b.ID + b.ID)
			s = strings.Map(func(r rune) rune { return rune("0123456789abcdef"[r%16]) }, s)
			b.ID = s[:8] + "-" + s[8:12] + "-4" + s[13:16] + "-a" + s[17:20] + "-" + s[20:32]
		})),
		variant("ids-numbered", "gives ids of digits with leading zeros", openID, func(h *Hooks) {
			n := 0
			h.Make = func(_ *Call, b *Branch) {
				n++
				b.ID = fmt.Sprintf("%06d", n)
			}
		}),
		variant("ids-long", "gives ids of 200 characters", openID, made(func(_ *Call, b *Branch) {
			b.ID = strings.Repeat(b.ID, 17)[:200]
		})),
		variant("ids-short", "gives ids of few letters", openID, func(h *Hooks) {
			n := 0
			h.Make = func(_ *Call, b *Branch) {
				n++
				b.ID = fmt.Sprintf("%x", n)
			}
		}),
		variant("ids-base64", "gives ids with `_`, `-` and `~` in them", openID, made(func(_ *Call, b *Branch) {
			b.ID = "_" + b.ID[:6] + "-" + strings.ToLower(b.ID[6:]) + "~"
		})),
		variant("ids-by-workspace", "gives ids that start with the workspace and a dot", openID,
			made(func(_ *Call, b *Branch) { b.ID = b.Workspace + "." + b.ID })),
		variant("web-host-port", "names a web host with a port", openURL, relinked(webHost, "localhost:8443")),
		variant("web-host-short", "names a web host of one word", openURL, relinked(webHost, "web")),
		variant("web-host-address", "names an IPv6 address as web host", openURL, relinked(webHost, "[2001:db8::1]")),
		variant("web-host-per-workspace", "names a web host of the workspace's own", openURL,
			created(func(c *Call, a *Answer) {
				a.Put("branchUrl", strings.Replace(a.Field("branchUrl").(string), webHost, c.Workspace+".branches.example", 1))
			})),
	}
}

func sentenceVariants() []Planting {
	return []Planting{
		variant("suggests-numbered", "suggests the name with a number behind it", openSentence,
			suggestionIs(func(_, s string) string { return s + "-2" })),
		variant("suggests-fixed", "suggests the same name every time", openSentence, suggestionIs(func(_, _ string) string { return "my-branch-name" })),
		variant("suggests-random", "suggests a name that has nothing to do with the given one", openSentence,
			suggestionIs(func(_, s string) string { return fmt.Sprintf("branch-%08x", len(s)*2654435761%(1<<31)) })),
		variant("suggests-short", "suggests a name of one word", openSentence, suggestionIs(func(_, s string) string {
			first, _, _ := strings.Cut(s, "-")
			return first
		})),
		variant("suggests-joined", "suggests the name without hyphens", openSentence,
			suggestionIs(func(_, s string) string { return strings.ReplaceAll(s, "-", "") })),
		variant("suggests-by-account", "suggests the name with the account's name before it", openSentence,
			suggesting(func(c *Call, _, s string) string { return c.Account.Name + "-" + s })),
		variant("suggests-one-letter", "suggests a single letter", openSentence, suggestionIs(func(_, _ string) string { return "b" })),
		variant("suggests-digits", "suggests a name of digits", openSentence, suggestionIs(func(_, _ string) string { return "20260101" })),
	}
}
