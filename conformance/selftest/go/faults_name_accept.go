package main

import (
	"regexp"
	"strings"
	"unicode"
)

// also allows names whose characters are of kebab case or in the given set.
func also(set string) func(*Hooks) {
	return allow(func(name string) bool {
		return name != "" && strings.IndexFunc(name, func(r rune) bool { return !kebab(r) && !strings.ContainsRune(set, r) }) < 0
	})
}

// alsoWhere allows names whose characters are of kebab case or of a kind.
func alsoWhere(of func(r rune) bool) func(*Hooks) {
	return allow(func(name string) bool {
		return name != "" && strings.IndexFunc(name, func(r rune) bool { return !kebab(r) && !of(r) }) < 0
	})
}

func matching(pattern string) func(*Hooks) {
	return allow(regexp.MustCompile(pattern).MatchString)
}

// silently makes another name of an invalid one and creates it.
func silently(f func(name string) string) func(*Hooks) {
	return read(func(_ *Call, name string, ok bool) (string, bool) {
		if ok && !validName(name) && validName(f(name)) {
			return f(name), true
		}
		return name, ok
	})
}

func nameAcceptFaults() []Planting {
	return []Planting{
		fault("accepts-capitals", "accepts capital letters in a name", sayKebab,
			alsoWhere(func(r rune) bool { return 'A' <= r && r <= 'Z' })),
		fault("accepts-underscore", "accepts underscores in a name", sayKebab, also("_")),
		fault("accepts-blank", "accepts blanks in a name", sayKebab, also(" ")),
		fault("accepts-dot", "accepts dots in a name", sayKebab, also(".")),
		fault("accepts-slash", "accepts slashes in a name", sayKebab, also("/")),
		fault("accepts-hash", "accepts `#` in a name", sayKebab, also("#")),
		fault("accepts-at-sign", "accepts `@` in a name", sayKebab, also("@")),
		fault("accepts-plus", "accepts `+` in a name", sayKebab, also("+")),
		fault("accepts-percent", "accepts `%` in a name", sayKebab, also("%")),
		fault("accepts-colon", "accepts colons in a name", sayKebab, also(":")),
		fault("accepts-comma", "accepts commas in a name", sayKebab, also(",")),
		fault("accepts-double-quote", "accepts double quotes in a name", sayKebab, also(`"`)),
		fault("accepts-tab", "accepts tabs in a name", sayKebab, also("\t")),
		fault("accepts-en-dash", "accepts the en dash for a hyphen", sayKebab, also("–")),
		fault("accepts-soft-hyphen", "accepts soft hyphens and zero width blanks in a name", sayKebab, also("\u00ad\u200b")),
		fault("accepts-neighbours", "accepts the characters next to the letters and digits in ASCII", sayKebab, also("`{/:")),
		fault("accepts-null-character", "accepts the character U+0000 in a name", sayKebab, also("\x00")),
		fault("accepts-emoji", "accepts emoji in a name", sayKebab, alsoWhere(func(r rune) bool { return r > 0xffff })),
		disputed("accepts-umlauts", "accepts lower-case letters outside ASCII in a name", sayKebab, alsoWhere(unicode.IsLower)),
		disputed("accepts-other-digits", "accepts digits outside ASCII in a name", sayKebab, alsoWhere(unicode.IsDigit)),
		fault("accepts-letters-without-case", "accepts letters that have no case in a name", sayKebab,
			alsoWhere(func(r rune) bool { return unicode.Is(unicode.Lo, r) })),
		fault("accepts-final-newline", "accepts a line feed at the end of a name", sayKebab, matching(`^[a-z0-9-]+\n?$`)),
		fault("checks-any-line", "accepts a name of which any line is valid", sayKebab, matching(`(?m)^[a-z0-9-]+$`)),
		fault("checks-start-only", "checks only the first character of a name", sayKebab, matching(`^[a-z0-9-]`)),
		fault("checks-end-only", "checks only the last character of a name", sayKebab, matching(`[a-z0-9-]$`)),
		fault("checks-first-40", "checks only the first 40 characters of a name", sayKebab,
			allow(func(name string) bool { return len(name) > 40 && validName(name[:40]) })),
		fault("accepts-range-slip", "accepts all characters between `A` and `z` in ASCII", sayKebab,
			alsoWhere(func(r rune) bool { return 'A' <= r && r <= 'z' })),
		fault("accepts-empty", "accepts the empty name", sayNotEmpty, allow(func(name string) bool { return name == "" })),
		fault("accepts-blanks-only", "accepts a name of nothing but blanks", sayKebab,
			allow(func(name string) bool { return name != "" && strings.Trim(name, " ") == "" })),
		fault("unchecked-after-80", "checks no more names after 80 create requests", sayKebab, func(h *Hooks) {
			h.Valid = func(c *Call, name string, ok bool) bool { return ok || name != "" && c.Nth > 80 }
		}),
		fault("unchecked-for-beta", "does not check the characters of names that the account beta sends", sayKebab, func(h *Hooks) {
			h.Valid = func(c *Call, name string, ok bool) bool { return ok || name != "" && c.Account.Name == "beta" }
		}),
		fault("second-try-accepted", "accepts an invalid name that is sent again at once", sayKebab, secondTry),
		fault("lowers-silently", "creates a branch of the lower-case form of a name with capitals", sayKebab, silently(strings.ToLower)),
		fault("trims-silently", "creates a branch of a name without the white space around it", sayKebab, silently(strings.TrimSpace)),
		fault("hyphenates-silently", "creates a branch with hyphens where the name had blanks or underscores", sayKebab,
			silently(strings.NewReplacer(" ", "-", "_", "-").Replace)),
		fault("takes-suggestion-silently", "creates a branch of the name that it should only suggest", say400,
			silently(kebabize)),
	}
}

func secondTry(h *Hooks) {
	last := ""
	h.Valid = func(_ *Call, name string, ok bool) bool {
		again := !ok && name != "" && name == last
		last = name
		return ok || again
	}
}
