package main

import "strings"

func suggestionIs(f func(name, s string) string) func(*Hooks) {
	return suggesting(func(_ *Call, name, s string) string { return f(name, s) })
}

// where the name has characters to be replaced, and not for empty names or bodies.
func suggestionOf(f func(name string) string) func(*Hooks) {
	return suggestionIs(func(name, s string) string {
		if name == "" {
			return s
		}
		return f(name)
	})
}

func suggestionFaults() []Planting {
	return []Planting{
		fault("suggests-the-same", "suggests the invalid name itself", say400Body,
			suggestionOf(func(name string) string { return name })),
		fault("suggests-nothing", "suggests the empty name", say400Body, suggestionIs(func(_, _ string) string { return "" })),
		fault("suggests-nothing-for-empty", "suggests the empty name for the empty name", say400Body,
			suggestionIs(func(name, s string) string {
				if name == "" {
					return ""
				}
				return s
			})),
		fault("suggests-capitals", "leaves capitals in the suggestion", say400Body, suggestionOf(func(name string) string {
			var b strings.Builder
			for _, r := range name {
				if kebab(r) || 'A' <= r && r <= 'Z' {
					b.WriteRune(r)
				}
			}
			return b.String() + "-X"
		})),
		fault("suggests-underscore", "writes underscores in the suggestion", say400Body,
			suggestionIs(func(_, s string) string { return strings.ReplaceAll(s, "-", "_") })),
		fault("suggests-blank-behind", "ends the suggestion with a blank", say400Body,
			suggestionIs(func(_, s string) string { return s + " " })),
		fault("suggests-first-only", "replaces only the first invalid character in the suggestion", say400Body,
			suggestionOf(func(name string) string {
				i := strings.IndexFunc(name, func(r rune) bool { return !kebab(r) })
				if i < 0 {
					return name
				}
				rest := []rune(name[i:])
				return name[:i] + "-" + string(rest[1:])
			})),
		fault("suggests-blanks-only-replaced", "replaces nothing but blanks and capitals in the suggestion", say400Body,
			suggestionOf(func(name string) string { return strings.ToLower(strings.ReplaceAll(name, " ", "-")) })),
		fault("suggests-null", "suggests the text `<nil>`", say400Body,
			suggestionIs(func(_, _ string) string { return "<nil>" })),
		fault("suggests-template", "leaves `<suggested_name>` unfilled", say400Body,
			suggestionIs(func(_, _ string) string { return "<suggested_name>" })),
		fault("suggests-with-quotes", "keeps double quotes of the name in the suggestion", say400Body,
			suggestionOf(func(name string) string {
				if strings.Contains(name, `"`) {
					return name
				}
				return kebabize(name) + "-x"
			})),
		fault("suggests-umlauts", "keeps letters outside ASCII in the suggestion", say400Body, suggestionIs(func(name, s string) string {
			for _, r := range name {
				if r > 127 {
					return s + string(r)
				}
			}
			return s
		})),
		fault("suggests-percent-codes", "percent-encodes the name for a suggestion", say400Body, suggestionOf(func(name string) string {
			return strings.NewReplacer(" ", "%20", "_", "%5F", "/", "%2F").Replace(name) + "%20"
		})),
		fault("suggests-with-dots", "ends a suggestion of more than 15 characters with three dots", say400Body,
			suggestionIs(func(_, s string) string {
				if len(s) > 15 {
					return s[:15] + "..."
				}
				return s
			})),
		fault("suggests-with-newline", "ends the suggestion with a line feed", say400Body,
			suggestionIs(func(_, s string) string { return s + "\n" })),
		fault("suggests-number-with-hash", "numbers the suggestion with `#2` where it is taken", say400Body,
			suggesting(func(c *Call, name, s string) string {
				if plain := kebabize(name); plain != s && plain != "" {
					return plain + "#2"
				}
				return s
			})),
		disputed("suggests-taken", "suggests a name that is taken", say400Body, suggestionOf(func(name string) string {
			if s := kebabize(name); s != "" {
				return s
			}
			return "new-branch"
		})),
		disputed("suggests-the-last-again", "suggests what it suggested for the name before", say400Body, func(h *Hooks) {
			last := ""
			h.Suggest = func(_ *Call, _, s string) string {
				was := last
				last = s
				if was == "" {
					return s
				}
				return was
			}
		}),
	}
}
