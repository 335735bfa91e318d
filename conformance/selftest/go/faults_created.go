package main

import (
	"strconv"
	"strings"
)

// created changes the answer 201.
func created(f func(c *Call, a *Answer)) func(*Hooks) { return on("created", f) }

// createdField changes one string field of the answer 201.
func createdField(key string, f func(string) string) func(*Hooks) {
	return created(func(_ *Call, a *Answer) { a.Put(key, f(a.Field(key).(string))) })
}

func renamed(key, to string) func(*Hooks) {
	return created(func(_ *Call, a *Answer) { a.Rename(key, to) })
}

func dropped(key string) func(*Hooks) {
	return created(func(_ *Call, a *Answer) { a.Drop(key) })
}

func valued(key string, v any) func(*Hooks) {
	return created(func(_ *Call, a *Answer) { a.Put(key, v) })
}

// late gives the value of the creation before, from the second on.
func late(key string) func(*Hooks) {
	return func(h *Hooks) {
		var before any
		created(func(_ *Call, a *Answer) {
			now := a.Field(key)
			if before != nil {
				a.Put(key, before)
			}
			before = now
		})(h)
	}
}

func cut(n int) func(string) string {
	return func(s string) string { return s[:min(n, len(s))] }
}

func title(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

func createdFaults() []Planting {
	return []Planting{
		fault("created-200", "answers 200 to a creation", say201, status("created", 200)),
		fault("created-202", "answers 202 to a creation", say201, status("created", 202)),
		fault("created-204", "answers 204 without a body to a creation", say201, status("created", 204)),
		fault("first-created-200", "answers 200 to the first creation only", say201, created(func(c *Call, a *Answer) {
			if len(c.World.Branches["north"])+len(c.World.Branches["south"]) == 1 {
				a.Status = 200
			}
		})),
		fault("created-201-with-error-body", "answers 201 with an error object as body", sayFields,
			created(func(_ *Call, a *Answer) { a.Fields = []Field{{"error", nil}} })),
		fault("no-branch-id", "leaves out branchId", sayFields, dropped("branchId")),
		fault("no-branch-name", "leaves out branchName", sayFields, dropped("branchName")),
		fault("no-branch-url", "leaves out branchUrl", sayFields, dropped("branchUrl")),
		fault("empty-branch-id", "answers an empty branchId", sayID, valued("branchId", "")),
		fault("null-branch-id", "answers null as branchId", sayFields, valued("branchId", nil)),
		fault("null-branch-url", "answers null as branchUrl", sayFields, valued("branchUrl", nil)),
		fault("branch-id-as-list", "answers branchId as an array of one string", sayFields,
			created(func(_ *Call, a *Answer) { a.Put("branchId", []any{a.Field("branchId")}) })),
		fault("branch-id-as-number", "answers branchId as a number", sayFields, numberedIDs),
		fault("branch-url-as-object", "answers branchUrl as an object with `href`", sayFields,
			created(func(_ *Call, a *Answer) { a.Put("branchUrl", map[string]any{"href": a.Field("branchUrl")}) })),
		fault("snake-case-fields", "names the fields in snake case", sayFields, created(func(_ *Call, a *Answer) {
			a.Rename("branchId", "branch_id")
			a.Rename("branchName", "branch_name")
			a.Rename("branchUrl", "branch_url")
		})),
		fault("field-branch-url-capital", "names the field `branchURL`", sayFields, renamed("branchUrl", "branchURL")),
		fault("field-branch-id-capital", "names the field `branchID`", sayFields, renamed("branchId", "branchID")),
		fault("field-id", "names the field `id` in place of `branchId`", sayFields, renamed("branchId", "id")),
		fault("field-name", "names the field `name` in place of `branchName`", sayFields, renamed("branchName", "name")),
		fault("field-url", "names the field `url` in place of `branchUrl`", sayFields, renamed("branchUrl", "url")),
		fault("fields-pascal-case", "starts the field names with a capital", sayFields, created(func(_ *Call, a *Answer) {
			for i := range a.Fields {
				a.Fields[i].Key = title(a.Fields[i].Key)
			}
		})),
		fault("wrapped-in-data", "wraps the fields in an object `data`", sayFields, after("created", func(_ *Call, a *Answer) {
			a.Body = []byte(`{"data":` + string(a.Body) + `}`)
		})),
		fault("wrapped-in-list", "wraps the answer 201 in an array", sayFields, after("created", func(_ *Call, a *Answer) {
			a.Body = []byte(`[` + string(a.Body) + `]`)
		})),
		fault("encoded-twice", "answers the object as a JSON string", sayFields, after("created", func(_ *Call, a *Answer) {
			a.Body = value(string(a.Body))
		})),
		fault("fields-in-headers", "answers the three fields as headers with an empty object", sayFields, created(func(_ *Call, a *Answer) {
			for _, f := range a.Fields {
				a.Set("X-"+f.Key, f.Value.(string))
			}
			a.Fields = []Field{}
		})),
		fault("name-upper-case", "answers branchName in capitals", sayRequested, createdField("branchName", strings.ToUpper)),
		fault("name-with-blanks", "answers branchName with blanks for hyphens", sayRequested,
			createdField("branchName", func(s string) string { return strings.ReplaceAll(s, "-", " ") })),
		fault("name-cut-at-20", "cuts the answered branchName after 20 characters", sayRequested, createdField("branchName", cut(20))),
		fault("name-cut-at-63", "cuts the answered branchName after 63 characters", sayRequested, createdField("branchName", cut(63))),
		fault("name-without-zeros", "drops leading zeros from the answered branchName", sayRequested,
			createdField("branchName", func(s string) string { return strings.TrimLeft(s, "0") })),
		fault("name-hyphens-collapsed", "answers doubled hyphens of the name as one", sayRequested,
			createdField("branchName", func(s string) string { return strings.ReplaceAll(s, "--", "-") })),
		fault("name-hyphens-trimmed", "answers branchName without hyphens at its ends", sayRequested,
			createdField("branchName", func(s string) string { return strings.Trim(s, "-") })),
		fault("digit-name-as-number", "answers branchName as a number where the name is all digits", sayFields,
			created(func(c *Call, a *Answer) {
				if n, err := strconv.Atoi(c.Name); err == nil {
					a.Put("branchName", n)
				}
			})),
		fault("name-of-the-one-before", "answers the branchName of the creation before", sayRequested, late("branchName")),
		fault("name-is-id", "answers the id as branchName", sayRequested,
			created(func(_ *Call, a *Answer) { a.Put("branchName", a.Field("branchId")) })),
		fault("id-and-name-swapped", "answers id and name in each other's place", sayRequested, created(func(_ *Call, a *Answer) {
			id, name := a.Field("branchId"), a.Field("branchName")
			a.Put("branchId", name)
			a.Put("branchName", id)
		})),
		fault("name-with-owner", "answers branchName with the account's name before it", sayRequested,
			created(func(c *Call, a *Answer) { a.Put("branchName", c.Account.Name+"/"+c.Name) })),
		fault("id-of-the-one-before", "answers the branchId of the creation before", sayID, late("branchId")),
		fault("id-with-newline", "ends the answered branchId with a line feed", sayID,
			createdField("branchId", func(s string) string { return s + "\n" })),
		fault("id-not-the-exported", "answers a branchId in lower case that the export writes in capitals", sayID,
			createdField("branchId", strings.ToLower)),
	}
}

func numberedIDs(h *Hooks) {
	n := 1000
	h.Make = func(_ *Call, b *Branch) {
		n++
		b.ID = strconv.Itoa(n)
	}
	h.Answer = func(_ *Call, a *Answer) {
		if a.Kind == "created" {
			a.Put("branchId", n)
		}
	}
}
