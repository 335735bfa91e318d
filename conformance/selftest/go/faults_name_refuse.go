package main

import (
	"regexp"
	"strings"
)

func refusing(pattern string) func(*Hooks) { return refuse(regexp.MustCompile(pattern).MatchString) }

func longerThan(n int) func(*Hooks) {
	return refuse(func(name string) bool { return len(name) > n })
}

func nameRefuseFaults() []Planting {
	return []Planting{
		fault("refuses-z", "refuses the letter z", sayKebab, refusing(`z`)),
		fault("refuses-a", "refuses the letter a at the start of a name", sayKebab, refusing(`^a`)),
		fault("refuses-9", "refuses the digit 9", sayKebab, refusing(`9`)),
		fault("refuses-0", "refuses the digit 0", sayKebab, refusing(`0`)),
		fault("refuses-digits", "refuses names that hold a digit", sayKebab, refusing(`[0-9]`)),
		fault("refuses-digit-first", "refuses names that start with a digit", sayKebab, refusing(`^[0-9]`)),
		fault("refuses-digit-last", "refuses names that end with a digit", sayKebab, refusing(`[0-9]$`)),
		fault("refuses-digit-after-hyphen", "refuses a digit right behind a hyphen", sayKebab, refusing(`-[0-9]`)),
		fault("refuses-digits-only", "refuses names of digits alone", sayKebab, refusing(`^[0-9]+$`)),
		fault("refuses-hyphens", "refuses names that hold a hyphen", sayKebab, refusing(`-`)),
		fault("refuses-no-hyphen", "refuses names without a hyphen", sayKebab, refusing(`^[^-]*$`)),
		fault("refuses-third-word", "refuses names of more than two words", sayKebab, refusing(`[^-]-+[^-]+-+[^-]`)),
		fault("refuses-one-character", "refuses names of one character", sayKebab, refusing(`^.$`)),
		fault("refuses-two-characters", "refuses names of less than three characters", sayKebab, refusing(`^..?$`)),
		fault("refuses-null", "refuses the names `null`, `true` and `false`", sayCreated, refusing(`^(null|true|false)$`)),
		fault("refuses-export", "refuses the name `export`", sayCreated, refusing(`^export$`)),
		fault("refuses-v1", "refuses the name `v1`", sayCreated, refusing(`^v1$`)),
		fault("refuses-constructor", "refuses the name `constructor`", sayCreated, refusing(`^constructor$`)),
		fault("refuses-zero", "takes the name `0` for empty", sayCreated, refusing(`^0$`)),
		fault("refuses-select", "refuses names that hold the word `select` or `drop`", sayCreated, refusing(`select|drop`)),
		fault("refuses-status-word", "refuses a name that is a status in lower case", sayCreated,
			refusing(`^(draft|merged|closed|approved)$`)),
		disputed("refuses-main", "refuses the names `main` and `master`", sayCreated, refusing(`^(main|master)$`)),
		disputed("refuses-double-hyphen", "refuses two hyphens in a row", sayKebab, refusing(`--`)),
		disputed("refuses-hyphen-first", "refuses names that start with a hyphen", sayKebab, refusing(`^-`)),
		disputed("refuses-hyphen-last", "refuses names that end with a hyphen", sayKebab, refusing(`-$`)),
		disputed("refuses-over-20", "refuses names of more than 20 characters as invalid", sayCreated, longerThan(20)),
		fault("refuses-after-invalid", "refuses the valid name that follows an invalid one", sayCreated, refusesAfterInvalid),
		fault("refuses-own-suggestion", "refuses the very name that it suggested", sayCreated, refusesSuggestion),
		fault("refuses-name-of-other-case-tried", "refuses a valid name whose capital form was refused before", sayCreated, remembersRefused),
	}
}

func refusesAfterInvalid(h *Hooks) {
	bad := false
	h.Valid = func(_ *Call, _ string, ok bool) bool {
		was := bad
		bad = !ok
		return ok && !was
	}
}

func refusesSuggestion(h *Hooks) {
	suggested := map[string]bool{}
	h.Suggest = func(_ *Call, _, s string) string {
		suggested[s] = true
		return s
	}
	h.Valid = func(_ *Call, name string, ok bool) bool { return ok && !suggested[name] }
}

func remembersRefused(h *Hooks) {
	refused := map[string]bool{}
	h.Valid = func(_ *Call, name string, ok bool) bool {
		if !ok {
			refused[strings.ToLower(name)] = true
		}
		return ok && !refused[name]
	}
}
