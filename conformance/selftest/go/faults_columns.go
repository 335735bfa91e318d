package main

import (
	"slices"
	"strings"
)

// headed changes the name of one column.
func headed(column, to string) func(*Hooks) {
	return table(func(t [][]string) [][]string {
		t[0][slices.Index(t[0], column)] = to
		return t
	})
}

// eachRow changes every row, the header's too.
func eachRow(f func(row []string) []string) func(*Hooks) {
	return table(func(t [][]string) [][]string {
		for i := range t {
			t[i] = f(t[i])
		}
		return t
	})
}

func without(column string) func(*Hooks) {
	i := slices.Index(columns, column)
	return eachRow(func(row []string) []string { return slices.Delete(row, i, i+1) })
}

// swapped swaps two columns with their names.
func swapped(one, two string) func(*Hooks) {
	i, j := slices.Index(columns, one), slices.Index(columns, two)
	return eachRow(func(row []string) []string {
		row[i], row[j] = row[j], row[i]
		return row
	})
}

// crossed swaps the cells of two columns but not their names.
func crossed(one, two string) func(*Hooks) {
	i, j := slices.Index(columns, one), slices.Index(columns, two)
	return table(func(t [][]string) [][]string {
		for _, row := range t[1:] {
			row[i], row[j] = row[j], row[i]
		}
		return t
	})
}

func headers(f func(name string) string) func(*Hooks) {
	return table(func(t [][]string) [][]string {
		for i := range t[0] {
			t[0][i] = f(t[0][i])
		}
		return t
	})
}

func words(name, between string) string {
	var b strings.Builder
	for _, r := range name {
		if 'A' <= r && r <= 'Z' {
			b.WriteString(between)
		}
		b.WriteRune(r)
	}
	return b.String()
}

func columnFaults() []Planting {
	list := []Planting{
		disputed("no-header-row", "leaves out the row of column names", sayColumns,
			table(func(t [][]string) [][]string { return t[1:] })),
		fault("headers-snake-case", "writes the column names in snake case", sayColumns,
			headers(func(s string) string { return strings.ToLower(words(s, "_")) })),
		fault("headers-with-blanks", "writes the column names as words with blanks", sayColumns,
			headers(func(s string) string { return title(words(s, " ")) })),
		fault("headers-pascal-case", "starts the column names with a capital", sayColumns, headers(title)),
		fault("headers-lower-case", "writes the column names in lower case", sayColumns, headers(strings.ToLower)),
		fault("headers-blank-behind", "puts a blank behind each column name", sayColumns,
			headers(func(s string) string { return s + " " })),
		fault("headers-sorted", "puts the column names, but not the cells, in alphabetical order", sayColumns,
			table(func(t [][]string) [][]string { slices.Sort(t[0]); return t })),
		fault("columns-sorted", "puts the columns in alphabetical order", sayColumns, sortedColumns),
		fault("columns-reversed", "puts the columns in the reverse order", sayColumns,
			eachRow(func(row []string) []string { slices.Reverse(row); return row })),
		fault("id-column-first", "puts branchId before branchName", sayColumns, swapped("branchName", "branchId")),
		fault("status-before-date", "puts branchStatus before creationDate", sayColumns, swapped("creationDate", "branchStatus")),
		fault("email-before-id", "puts branchCreatorEmail before branchCreatorId", sayColumns, swapped("branchCreatorId", "branchCreatorEmail")),
		fault("merge-columns-swapped", "puts branchMergedUserEmail before branchMergedDate", sayColumns, swapped("branchMergedDate", "branchMergedUserEmail")),
		fault("ready-columns-swapped", "puts markedReadyForReviewerUserEmail before markedReadyForReviewDate", sayColumns,
			swapped("markedReadyForReviewDate", "markedReadyForReviewerUserEmail")),
		fault("collaborators-last", "puts collaborators behind all other columns", sayColumns, collaboratorsLast),
		fault("header-ready-user", "names a column `markedReadyForReviewUserEmail`, without the r", sayColumns,
			headed("markedReadyForReviewerUserEmail", "markedReadyForReviewUserEmail")),
		fault("header-creation-date", "names a column `createdDate` in place of `creationDate`", sayColumns, headed("creationDate", "createdDate")),
		fault("header-branch-url", "names the column branchId `branchUrl`", sayColumns, headed("branchId", "branchUrl")),
		fault("header-branch-id", "names a column `branchID` in place of `branchId`", sayColumns, headed("branchId", "branchID")),
		fault("header-creator-mail", "names a column `branchCreatorMail` in place of `branchCreatorEmail`", sayColumns, headed("branchCreatorEmail", "branchCreatorMail")),
		fault("header-status", "names a column `status` in place of `branchStatus`", sayColumns, headed("branchStatus", "status")),
		fault("header-collaborator", "names a column `collaborator` in place of `collaborators`", sayColumns, headed("collaborators", "collaborator")),
		fault("header-last-publish", "names a column `lastPublishDate` in place of `lastPublishedDate`", sayColumns, headed("lastPublishedDate", "lastPublishDate")),
		fault("header-merge-date", "names a column `branchMergeDate` in place of `branchMergedDate`", sayColumns, headed("branchMergedDate", "branchMergeDate")),
		fault("header-merger-user", "names a column `branchMergerUserEmail` in place of `branchMergedUserEmail`", sayColumns, headed("branchMergedUserEmail", "branchMergerUserEmail")),
		fault("row-number-first", "puts a column of row numbers before the others", sayColumns, numberedRows),
		fault("workspace-column-first", "puts a column `workspaceId` before the others", sayColumns, func(h *Hooks) {
			h.Table = func(c *Call, t [][]string) [][]string {
				for i := range t {
					t[i] = slices.Insert(t[i], 0, c.Workspace)
				}
				t[0][0] = "workspaceId"
				return t
			}
		}),
		disputed("further-column-last", "adds a column `workspaceId` behind the others", sayColumns, func(h *Hooks) {
			h.Table = func(c *Call, t [][]string) [][]string {
				for i := range t {
					t[i] = append(t[i], c.Workspace)
				}
				t[0][len(t[0])-1] = "workspaceId"
				return t
			}
		}),
		fault("column-twice", "writes the column branchId twice", sayColumns,
			eachRow(func(row []string) []string { return slices.Insert(row, 2, row[1]) })),
		fault("name-and-id-crossed", "writes ids under branchName and names under branchId", sayName, crossed("branchName", "branchId")),
		fault("creator-cells-crossed", "writes the creator's e-mail under branchCreatorId and the id under branchCreatorEmail", sayCreatorEmail,
			crossed("branchCreatorId", "branchCreatorEmail")),
		fault("ready-cells-crossed", "writes the e-mail under markedReadyForReviewDate and the date under the e-mail's column", sayReady,
			crossed("markedReadyForReviewDate", "markedReadyForReviewerUserEmail")),
		fault("merge-cells-crossed", "writes the e-mail under branchMergedDate and the date under branchMergedUserEmail", sayMerged,
			crossed("branchMergedDate", "branchMergedUserEmail")),
		fault("dates-crossed", "writes the merge date under creationDate and the creation date under branchMergedDate for merged branches",
			sayCreation, func(h *Hooks) {
				h.Cell = func(_ *Call, b *Branch, column, text string) string {
					swap := map[string]string{"creationDate": "branchMergedDate", "branchMergedDate": "creationDate"}[column]
					if swap == "" || b.Merged.IsZero() {
						return text
					}
					return cell(b, swap)
				}
			}),
	}
	for _, column := range columns {
		list = append(list, fault("without-"+kebabWord(column), "leaves out the column "+column, sayColumns, without(column)))
	}
	return list
}

func kebabWord(s string) string { return strings.ToLower(words(s, "-")) }

func sortedColumns(h *Hooks) {
	order := slices.Clone(columns)
	slices.Sort(order)
	eachRow(func(row []string) []string {
		next := make([]string, len(row))
		for i, name := range order {
			next[i] = row[slices.Index(columns, name)]
		}
		return next
	})(h)
}

func collaboratorsLast(h *Hooks) {
	i := slices.Index(columns, "collaborators")
	eachRow(func(row []string) []string {
		moved := row[i]
		return append(slices.Delete(row, i, i+1), moved)
	})(h)
}
