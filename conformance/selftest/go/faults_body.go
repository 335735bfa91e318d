package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
)

// lenient takes a name out of bodies that are malformed.
func lenient(f func(c *Call, body []byte) string) func(*Hooks) {
	return read(func(c *Call, name string, ok bool) (string, bool) {
		if !ok {
			if found := f(c, c.Body); found != "" {
				return found, true
			}
		}
		return name, ok
	})
}

// nameOf takes a body as an object with a field name of any type.
func nameOf(body []byte) any {
	var in map[string]any
	if json.Unmarshal(body, &in) != nil {
		return nil
	}
	return in["name"]
}

// strict takes a well-formed body for malformed where told.
func strict(where func(c *Call) bool) func(*Hooks) {
	return read(func(c *Call, name string, ok bool) (string, bool) {
		if ok && where(c) {
			return "", false
		}
		return name, ok
	})
}

// crashing answers 500 to bodies where told.
func crashing(where func(c *Call) bool) func(*Hooks) {
	return breaking(500, "Internal error", where)
}

func mended(pattern, by string) func(*Hooks) {
	re := regexp.MustCompile(pattern)
	return lenient(func(_ *Call, body []byte) string {
		name, _ := readName(re.ReplaceAll(body, []byte(by)))
		return name
	})
}

func isObject(c *Call) bool {
	var in map[string]any
	return json.Unmarshal(c.Body, &in) == nil && in != nil
}

func bodyFaults() []Planting {
	return []Planting{
		fault("empty-body-500", "answers 500 to an empty body", say400, crashing(func(c *Call) bool { return len(c.Body) == 0 })),
		fault("bad-json-500", "answers 500 to a body that is no JSON", say400, crashing(func(c *Call) bool { return len(c.Body) > 0 && !json.Valid(c.Body) })),
		fault("no-object-500", "answers 500 to a JSON body that is no object", say400,
			crashing(func(c *Call) bool { return json.Valid(c.Body) && !isObject(c) })),
		fault("no-name-500", "answers 500 to an object without a name", say400,
			crashing(func(c *Call) bool { return isObject(c) && nameOf(c.Body) == nil })),
		fault("number-name-500", "answers 500 to a number as name", say400, crashing(func(c *Call) bool {
			_, ok := nameOf(c.Body).(float64)
			return ok
		})),
		fault("bad-utf8-500", "answers 500 to a body that is no valid UTF-8", say400,
			crashing(func(c *Call) bool { return !bytes.Equal(bytes.ToValidUTF8(c.Body, nil), c.Body) })),
		fault("number-as-name", "takes a number for a name", sayBody, lenient(func(_ *Call, b []byte) string {
			if n, ok := nameOf(b).(float64); ok {
				return fmt.Sprint(n)
			}
			return ""
		})),
		fault("boolean-as-name", "takes true or false for a name", sayBody, lenient(func(_ *Call, b []byte) string {
			if n, ok := nameOf(b).(bool); ok {
				return fmt.Sprint(n)
			}
			return ""
		})),
		fault("null-as-name", "creates a branch `null` where the name is null", sayBody, lenient(func(_ *Call, b []byte) string {
			var in map[string]any
			if json.Unmarshal(b, &in) != nil {
				return ""
			}
			if v, there := in["name"]; there && v == nil {
				return "null"
			}
			return ""
		})),
		fault("missing-as-undefined", "creates a branch `undefined` where the name is missing", sayBody, lenient(func(c *Call, b []byte) string {
			var in map[string]any
			if json.Unmarshal(b, &in) != nil || in == nil {
				return ""
			}
			if _, there := in["name"]; !there {
				return "undefined"
			}
			return ""
		})),
		fault("list-as-name", "takes the first string of an array for a name", sayBody, lenient(func(_ *Call, b []byte) string {
			if l, ok := nameOf(b).([]any); ok && len(l) > 0 {
				s, _ := l[0].(string)
				return s
			}
			return ""
		})),
		fault("list-as-body", "takes an array with the object in it as body", sayBody, lenient(func(_ *Call, b []byte) string {
			var in []json.RawMessage
			if json.Unmarshal(b, &in) != nil || len(in) == 0 {
				return ""
			}
			name, _ := readName(in[0])
			return name
		})),
		fault("string-as-body", "takes a bare JSON string as body for the name", sayBody, lenient(func(_ *Call, b []byte) string {
			s := ""
			if json.Unmarshal(b, &s) != nil {
				return ""
			}
			return s
		})),
		fault("text-as-body", "takes a body of bare text for the name", sayBody, lenient(func(_ *Call, b []byte) string {
			if s := string(bytes.TrimSpace(b)); !json.Valid(b) && validName(s) {
				return s
			}
			return ""
		})),
		fault("form-as-body", "takes a form-encoded body", sayBody, lenient(func(_ *Call, b []byte) string {
			v, err := url.ParseQuery(string(b))
			if err != nil {
				return ""
			}
			return v.Get("name")
		})),
		fault("name-in-query", "takes the name from the query where the body has none", sayBody,
			lenient(func(c *Call, _ []byte) string { return c.URL.Query().Get("name") })),
		fault("field-name-any-case", "takes the field `Name` or `NAME` for `name`", sayBody, mended(`(?i)"name"`, `"name"`)),
		fault("field-branch-name-read", "takes the field `branchName` for `name`", sayBody, mended(`"branchName"`, `"name"`)),
		fault("trailing-comma-read", "takes a comma behind the last field", say400, mended(`,\s*}`, `}`)),
		fault("single-quotes-read", "takes single quotes for double ones", say400, mended(`'`, `"`)),
		fault("comments-read", "takes comments in the body", say400, mended(`/\*.*?\*/`, ``)),
		fault("unquoted-key-read", "takes a key without quotes", say400, mended(`\{\s*name\s*:`, `{"name":`)),
		fault("unclosed-read", "takes an object without its closing brace", say400, mended(`"\s*$`, `"}`)),
		fault("rest-unread", "reads no further than the end of the first JSON value", say400, lenient(func(_ *Call, b []byte) string {
			var first json.RawMessage
			if json.NewDecoder(bytes.NewReader(b)).Decode(&first) != nil {
				return ""
			}
			name, _ := readName(first)
			return name
		})),
		fault("escapes-unread", "does not decode escapes such as \\u0061 in the name", sayBody,
			strict(func(c *Call) bool { return bytes.Contains(c.Body, []byte(`\u`)) })),
		fault("white-space-before-refused", "refuses a body with white space before the object", sayBody,
			strict(func(c *Call) bool { return c.Body[0] != '{' })),
		fault("white-space-behind-refused", "refuses a body with white space behind the object", sayBody,
			strict(func(c *Call) bool { return c.Body[len(c.Body)-1] != '}' })),
		fault("white-space-within-refused", "refuses a body with line feeds within the object", sayBody,
			strict(func(c *Call) bool { return bytes.ContainsAny(bytes.TrimSpace(c.Body), "\n") })),
	}
}
