package main

import (
	"strconv"
	"strings"
)

func nameCell(f func(string) string) func(*Hooks) { return text("branchName", f) }

func idCell(f func(string) string) func(*Hooks) { return text("branchId", f) }

// number gives f's text for names of digits alone, and other names as they are.
func number(f func(n int) string) func(string) string {
	return func(s string) string {
		n, err := strconv.Atoi(s)
		if err != nil {
			return s
		}
		return f(n)
	}
}

func nameCellFaults() []Planting {
	return []Planting{
		fault("export-name-capital", "exports names with a capital first letter", sayName, nameCell(title)),
		fault("export-name-upper-case", "exports names in capitals", sayName, nameCell(strings.ToUpper)),
		fault("export-name-blanks", "exports names with blanks for hyphens", sayName,
			nameCell(func(s string) string { return strings.ReplaceAll(s, "-", " ") })),
		fault("export-name-cut-30", "cuts exported names after 30 characters", sayName, nameCell(cut(30))),
		fault("export-name-cut-64", "cuts exported names after 64 characters", sayName, nameCell(cut(64))),
		fault("export-name-dots", "shortens exported names of more than 24 characters with three dots", sayName, nameCell(func(s string) string {
			if len(s) > 24 {
				return s[:24] + "..."
			}
			return s
		})),
		fault("export-name-number", "exports names of digits as numbers without leading zeros", sayName, nameCell(number(strconv.Itoa))),
		fault("export-name-thousands", "exports names of digits with thousands separators", sayName, nameCell(number(func(n int) string {
			s := strconv.Itoa(n)
			for i := len(s) - 3; i > 0; i -= 3 {
				s = s[:i] + "," + s[i:]
			}
			return s
		}))),
		fault("export-name-exponent", "exports names such as `1e5` as numbers", sayName, nameCell(func(s string) string {
			if f, err := strconv.ParseFloat(s, 64); err == nil && strings.Contains(s, "e") {
				return strconv.FormatFloat(f, 'f', -1, 64)
			}
			return s
		})),
		fault("export-name-date", "exports names such as `1-2` as dates", sayName, nameCell(func(s string) string {
			if p := strings.Split(s, "-"); len(p) == 2 {
				d, err := strconv.Atoi(p[0])
				m, err2 := strconv.Atoi(p[1])
				if err == nil && err2 == nil && d <= 31 && m <= 12 {
					return p[0] + "." + p[1] + ".2026"
				}
			}
			return s
		})),
		fault("export-name-hyphen-guard", "puts an apostrophe before names that start with a hyphen", sayName, nameCell(func(s string) string {
			if s[0] == '-' {
				return "'" + s
			}
			return s
		})),
		fault("export-name-digit-guard", "puts an apostrophe before names that start with a digit", sayName, nameCell(func(s string) string {
			if s[0] >= '0' && s[0] <= '9' {
				return "'" + s
			}
			return s
		})),
		fault("export-name-formula", "writes names as formulas such as `=\"name\"`", sayName,
			nameCell(func(s string) string { return `="` + s + `"` })),
		fault("export-name-null", "exports the name `null` as an empty cell", sayName, nameCell(func(s string) string {
			if s == "null" {
				return ""
			}
			return s
		})),
		fault("export-name-boolean", "exports the names `true` and `false` in capitals", sayName, nameCell(func(s string) string {
			if s == "true" || s == "false" {
				return strings.ToUpper(s)
			}
			return s
		})),
		fault("export-name-hyphens-joined", "exports hyphens in a row as one", sayName, nameCell(func(s string) string {
			for strings.Contains(s, "--") {
				s = strings.ReplaceAll(s, "--", "-")
			}
			return s
		})),
		fault("export-name-dash", "exports doubled hyphens as a long dash", sayName,
			nameCell(func(s string) string { return strings.ReplaceAll(s, "--", "—") })),
		fault("export-name-blank-padded", "pads exported names with blanks to 20 characters", sayName,
			nameCell(func(s string) string { return s + strings.Repeat(" ", max(0, 20-len(s))) })),
		fault("export-name-of-merged-marked", "puts `merged/` before the names of Merged branches", sayName,
			cells("branchName", func(_ *Call, b *Branch, t string) string {
				if b.Status == merged {
					return "merged/" + t
				}
				return t
			})),
		fault("export-id-lower-case", "exports ids in lower case", sayBranchID, idCell(strings.ToLower)),
		fault("export-id-cut", "cuts exported ids after ten characters", sayBranchID, idCell(cut(10))),
		fault("export-id-hash", "puts `#` before exported ids", sayBranchID, idCell(func(s string) string { return "#" + s })),
		fault("export-id-url", "exports the URL of the branch as branchId", sayBranchID,
			cells("branchId", func(_ *Call, b *Branch, t string) string { return branchURL(b.Workspace, t) })),
		fault("export-id-row-number", "exports the row's number as branchId", sayBranchID,
			cells("branchId", func(c *Call, b *Branch, _ string) string { return strconv.Itoa(position(c, b) + 1) })),
		fault("export-id-empty-when-closed", "exports no id for Closed branches", sayBranchID,
			cells("branchId", func(_ *Call, b *Branch, t string) string {
				if b.Status == closed {
					return ""
				}
				return t
			})),
		fault("export-id-of-next", "exports the id of the next branch in each row", sayBranchID,
			cells("branchId", func(c *Call, b *Branch, _ string) string {
				l := c.World.Branches[c.Workspace]
				return l[(position(c, b)+1)%len(l)].ID
			})),
		fault("export-id-changes", "exports another id once the status has changed", sayBranchID,
			cells("branchId", func(_ *Call, b *Branch, t string) string {
				if b.Status != draft {
					return t[1:] + t[:1]
				}
				return t
			})),
		fault("export-id-decimal", "exports ids with `.0` behind them", sayBranchID, idCell(func(s string) string { return s + ".0" })),
	}
}
