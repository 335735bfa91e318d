package main

import "strings"

// unreached tells what is written for columns whose step a branch has not reached.
func unreached(with string) func(*Hooks) {
	return func(h *Hooks) {
		h.Cell = func(_ *Call, _ *Branch, column, t string) string {
			if t == "" {
				return with
			}
			return t
		}
	}
}

func joinedBy(between string) func(emails []string) string {
	return func(e []string) string { return strings.Join(e, between) }
}

func bracketed(open, between, shut string) func(emails []string) string {
	return func(e []string) string { return open + strings.Join(e, between) + shut }
}

func cellVariants() []Planting {
	return []Planting{
		variant("never-null", "writes `null` for steps not reached", openNever, unreached("null")),
		variant("never-capital-null", "writes `NULL` for steps not reached", openNever, unreached("NULL")),
		variant("never-na", "writes `N/A` for steps not reached", openNever, unreached("N/A")),
		variant("never-hyphen", "writes `-` for steps not reached", openNever, unreached("-")),
		variant("never-none", "writes `None` for steps not reached", openNever, unreached("None")),
		variant("never-blank", "writes a blank for steps not reached", openNever, unreached(" ")),
		variant("never-undefined", "writes `undefined` for steps not reached", openNever, unreached("undefined")),
		variant("never-text", "writes `never, so far` for steps not reached", openNever, unreached("never, so far")),
		variant("never-epoch", "writes the start of 1970 for dates of steps not reached", openNever, func(h *Hooks) {
			h.Cell = func(_ *Call, _ *Branch, column, t string) string {
				if t == "" && strings.HasSuffix(column, "Date") {
					return "1970-01-01T00:00:00.000Z"
				}
				return t
			}
		}),
		variant("list-semicolons", "joins collaborators by semicolons", openFormats, listCell(joinedBy(";"))),
		variant("list-commas", "joins collaborators by commas", openFormats, listCell(joinedBy(","))),
		variant("list-comma-blanks", "joins collaborators by comma and blank", openFormats, listCell(joinedBy(", "))),
		variant("list-blanks", "joins collaborators by blanks", openFormats, listCell(joinedBy(" "))),
		variant("list-pipes", "joins collaborators by `|`", openFormats, listCell(joinedBy("|"))),
		variant("list-lines", "writes each collaborator on a line of its own within the cell", openFormats, listCell(joinedBy("\n"))),
		variant("list-carriage-returns", "joins collaborators by CR LF within the cell", openFormats, listCell(joinedBy("\r\n"))),
		variant("list-brackets", "writes collaborators in brackets without quotes", openFormats, listCell(bracketed("[", ", ", "]"))),
		variant("list-braces", "writes collaborators in braces as a database does", openFormats, listCell(bracketed("{", ",", "}"))),
		variant("list-single-quotes", "writes collaborators as a list with single quotes", openFormats, listCell(func(e []string) string {
			if len(e) == 0 {
				return "[]"
			}
			return "['" + strings.Join(e, "', '") + "']"
		})),
		variant("list-json-blanks", "writes collaborators as JSON with a blank behind each comma", openFormats,
			listCell(func(e []string) string { return strings.ReplaceAll(emailList(e), `","`, `", "`) })),
		variant("list-null-when-empty", "writes `null` where there are no collaborators", openFormats, listCell(func(e []string) string {
			if len(e) == 0 {
				return "null"
			}
			return emailList(e)
		})),
		variant("creator-id-number", "writes user ids as numbers", openCreator, cells("branchCreatorId", func(_ *Call, b *Branch, _ string) string {
			return map[string]string{"alpha": "1001", "beta": "1002", "gamma": "1003"}[b.Account]
		})),
		variant("creator-id-uuid", "writes user ids as UUIDs", openCreator, cells("branchCreatorId", func(_ *Call, b *Branch, _ string) string {
			return map[string]string{"alpha": "a1f0", "beta": "b2f0", "gamma": "c3f0"}[b.Account] + "0000-1111-4222-8333-444455556666"
		})),
		variant("creator-email-plus", "writes the creator's e-mail with `+`, a quote and capitals", openCreator,
			cells("branchCreatorEmail", func(_ *Call, b *Branch, _ string) string { return "O'Neil+" + b.Account + "@Example.COM" })),
		variant("creator-is-the-owner", "names the user who made the account as creator", openCreator, func(h *Hooks) {
			h.Cell = func(_ *Call, b *Branch, column, t string) string {
				switch column {
				case "branchCreatorId":
					return "usr_owner_" + b.Workspace
				case "branchCreatorEmail":
					return "owner@" + b.Workspace + ".example"
				}
				return t
			}
		}),
	}
}
