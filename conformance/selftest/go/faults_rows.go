package main

import (
	"slices"
	"strconv"
	"strings"
)

// only keeps the branches that are told.
func only(keep func(c *Call, b *Branch) bool) func(*Hooks) {
	return branches(func(c *Call, list []*Branch) []*Branch {
		return slices.DeleteFunc(list, func(b *Branch) bool { return !keep(c, b) })
	})
}

func leavesOut(status string) func(*Hooks) {
	return only(func(_ *Call, b *Branch) bool { return b.Status != status })
}

func numberedRows(h *Hooks) {
	h.Table = func(_ *Call, t [][]string) [][]string {
		for i := range t {
			t[i] = slices.Insert(t[i], 0, strconv.Itoa(i))
		}
		t[0][0] = "row"
		return t
	}
}

func rowFaults() []Planting {
	return []Planting{
		fault("no-merged-rows", "leaves out Merged branches", sayRow, leavesOut(merged)),
		fault("no-closed-rows", "leaves out Closed branches", sayRow, leavesOut(closed)),
		fault("no-draft-rows", "leaves out Draft branches", sayRow, leavesOut(draft)),
		fault("no-approved-rows", "leaves out Approved branches", sayRow, leavesOut(approved)),
		fault("no-ready-rows", "leaves out ReadyForReview branches", sayRow, leavesOut(readyForReview)),
		fault("own-rows-only", "exports only the branches of the account that asks", sayRow,
			only(func(c *Call, b *Branch) bool { return b.Account == c.Account.Name })),
		fault("no-beta-rows", "leaves out the branches that beta created", sayRow,
			only(func(_ *Call, b *Branch) bool { return b.Account != "beta" })),
		fault("first-100-rows", "exports no more than 100 branches", sayRow,
			branches(func(_ *Call, l []*Branch) []*Branch { return l[:min(100, len(l))] })),
		fault("newest-50-rows", "exports only the newest 50 branches", sayRow,
			branches(func(_ *Call, l []*Branch) []*Branch { return l[max(0, len(l)-50):] })),
		fault("first-25-rows", "exports no more than 25 branches", sayRow,
			branches(func(_ *Call, l []*Branch) []*Branch { return l[:min(25, len(l))] })),
		fault("last-row-missing", "leaves out the newest branch where there is more than one", sayRow,
			branches(func(_ *Call, l []*Branch) []*Branch {
				if len(l) > 1 {
					return l[:len(l)-1]
				}
				return l
			})),
		fault("first-row-missing", "leaves out the oldest branch", sayRow,
			branches(func(_ *Call, l []*Branch) []*Branch { return l[min(1, len(l)):] })),
		fault("page-edge-missing", "leaves out the 21st branch", sayRow, branches(func(_ *Call, l []*Branch) []*Branch {
			if len(l) > 20 {
				return slices.Delete(l, 20, 21)
			}
			return l
		})),
		fault("page-edge-twice", "exports the 20th branch twice", sayRow, branches(func(_ *Call, l []*Branch) []*Branch {
			if len(l) > 20 {
				return slices.Insert(l, 20, l[19])
			}
			return l
		})),
		fault("last-row-twice", "exports the newest branch twice", sayRow, branches(func(_ *Call, l []*Branch) []*Branch {
			if len(l) > 0 {
				return append(l, l[len(l)-1])
			}
			return l
		})),
		fault("rows-of-both-workspaces", "exports the branches of the other workspace too", sayRow,
			branches(func(c *Call, l []*Branch) []*Branch { return append(l, c.World.Branches[other(c.Workspace)]...) })),
		fault("rows-of-other-workspace", "exports the other workspace's branches in place of its own", sayRow,
			branches(func(c *Call, _ []*Branch) []*Branch { return slices.Clone(c.World.Branches[other(c.Workspace)]) })),
		fault("always-north-rows", "exports the workspace north for every workspace", sayRow,
			branches(func(c *Call, _ []*Branch) []*Branch { return slices.Clone(c.World.Branches["north"]) })),
		fault("one-row-a-name", "exports only the newest of branches that share a name", sayRow,
			only(func(c *Call, b *Branch) bool {
				l := c.World.Branches[c.Workspace]
				return !slices.ContainsFunc(l[slices.Index(l, b)+1:], func(o *Branch) bool { return o.Name == b.Name })
			})),
		fault("row-a-collaborator", "writes a row for each collaborator of a branch", sayRow, rowEachCollaborator),
		fault("long-names-missing", "leaves out branches with names of more than 40 characters", sayRow,
			only(func(_ *Call, b *Branch) bool { return len(b.Name) <= 40 })),
		fault("digit-names-missing", "leaves out branches whose names start with a digit", sayRow,
			only(func(_ *Call, b *Branch) bool { return b.Name[0] > '9' || b.Name[0] < '0' })),
		fault("hyphen-names-missing", "leaves out branches whose names start with a hyphen", sayRow,
			only(func(_ *Call, b *Branch) bool { return b.Name[0] != '-' })),
		fault("test-names-missing", "leaves out branches whose names hold the word `test`", sayRow,
			only(func(_ *Call, b *Branch) bool { return !strings.Contains(b.Name, "test") })),
		fault("unhelped-missing", "leaves out branches without collaborators", sayRow,
			only(func(_ *Call, b *Branch) bool { return len(b.Collaborators) > 0 })),
		fault("unpublished-missing", "leaves out branches that were never published", sayRow,
			only(func(_ *Call, b *Branch) bool { return !b.Published.IsZero() })),
		fault("total-row", "ends the export with a row that counts the branches", sayRow, table(func(t [][]string) [][]string {
			return append(t, append([]string{"total", strconv.Itoa(len(t) - 1)}, make([]string, 10)...))
		})),
		fault("header-every-50", "repeats the column names after every 50 branches", sayRow, table(func(t [][]string) [][]string {
			next := [][]string{}
			for i, row := range t {
				if i > 1 && i%50 == 1 {
					next = append(next, columns)
				}
				next = append(next, row)
			}
			return next
		})),
		fault("header-last", "writes the column names in the last row", sayColumns,
			table(func(t [][]string) [][]string { return append(t[1:], t[0]) })),
		fault("empty-row", "ends the export with a row of empty cells", sayRow,
			table(func(t [][]string) [][]string { return append(t, make([]string, 12)) })),
		fault("sample-row", "puts a sample branch before the real ones where the workspace is empty", sayRow,
			branches(func(_ *Call, l []*Branch) []*Branch {
				if len(l) == 0 {
					return []*Branch{{ID: "SAMPLE", Name: "sample-branch", Status: draft}}
				}
				return l
			})),
		disputed("main-row", "exports a branch `main` that nobody created", sayRow, branches(func(_ *Call, l []*Branch) []*Branch {
			return append([]*Branch{{ID: "MAIN", Name: "main", Status: approved}}, l...)
		})),
	}
}

func rowEachCollaborator(h *Hooks) {
	h.Table = func(c *Call, t [][]string) [][]string {
		next := t[:1:1]
		for i, b := range c.World.Branches[c.Workspace] {
			next = append(next, t[i+1])
			for range max(0, len(b.Collaborators)-1) {
				next = append(next, t[i+1])
			}
		}
		return next
	}
}
