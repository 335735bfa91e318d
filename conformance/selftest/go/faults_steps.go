package main

import (
	"slices"
	"strings"
	"time"
)

// atSeed does something once a user has brought a branch into a status.
func atSeed(status string, f func(b *Branch)) func(*Hooks) {
	return func(h *Hooks) {
		h.Seeded = func(_ *Call, b *Branch) {
			if status == "" || b.Status == status {
				f(b)
			}
		}
	}
}

// lastReady keeps the last ReadyForReview event in place of the first.
func lastReady(date, user bool) func(*Hooks) {
	return func(h *Hooks) {
		h.Seeded = func(c *Call, b *Branch) {
			if b.Status != readyForReview {
				return
			}
			if date {
				b.Ready = time.Now().UTC()
			}
			if user {
				b.ReadyBy = c.World.nextUser(b.Workspace)
			}
		}
	}
}

// blankWhile exports an empty cell while a branch has a status.
func blankWhile(column, status string) func(*Hooks) {
	return cells(column, func(_ *Call, b *Branch, t string) string {
		if b.Status == status {
			return ""
		}
		return t
	})
}

func stepFaults() []Planting {
	const ready, readyBy, mergedAt, mergedBy = "markedReadyForReviewDate", "markedReadyForReviewerUserEmail", "branchMergedDate", "branchMergedUserEmail"
	return []Planting{
		fault("ready-date-last", "exports the date of the last ReadyForReview event", sayReady, lastReady(true, false)),
		fault("ready-user-last", "exports the user who last marked the branch ReadyForReview", sayReadyBy, lastReady(false, true)),
		fault("ready-both-last", "exports date and user of the last ReadyForReview event", sayReady, lastReady(true, true)),
		fault("ready-date-at-approval", "exports the date of the approval as ready date", sayReady,
			atSeed(approved, func(b *Branch) { b.Ready = time.Now().UTC() })),
		fault("ready-date-at-merge", "exports the date of the merge as ready date", sayReady, atSeed(merged, func(b *Branch) { b.Ready = b.Merged })),
		fault("ready-cleared-by-draft", "forgets the first ReadyForReview event when the branch goes back to Draft", sayReady,
			atSeed(draft, func(b *Branch) { b.Ready, b.ReadyBy = time.Time{}, "" })),
		fault("ready-cleared-by-approval", "exports no ready date for Approved branches", sayReady, blankWhile(ready, approved)),
		fault("ready-cleared-by-merge", "exports no ready date for Merged branches", sayReady, blankWhile(ready, merged)),
		fault("ready-cleared-by-close", "exports no ready date for Closed branches that were ReadyForReview", sayReady, blankWhile(ready, closed)),
		fault("ready-date-missing", "exports no ready date while a branch is ReadyForReview", sayReady, blankWhile(ready, readyForReview)),
		fault("ready-user-missing", "exports no markedReadyForReviewerUserEmail while a branch is ReadyForReview", sayReadyBy, blankWhile(readyBy, readyForReview)),
		fault("ready-user-cleared-by-merge", "exports no markedReadyForReviewerUserEmail for Merged branches", sayReadyBy, blankWhile(readyBy, merged)),
		fault("ready-date-is-creation", "exports the creation date as ready date", sayReady,
			cells(ready, func(_ *Call, b *Branch, t string) string {
				if t == "" {
					return t
				}
				return stamp(b.Created, timeFormat)
			})),
		fault("ready-user-without-domain", "exports only the part before the @ of markedReadyForReviewerUserEmail", sayReadyBy, text(readyBy, localPart)),
		fault("ready-user-id", "exports a user id as markedReadyForReviewerUserEmail", sayReadyBy,
			text(readyBy, func(s string) string { return "usr_" + localPart(s) })),
		fault("ready-user-list", "exports all who ever helped as markedReadyForReviewerUserEmail", sayReadyBy,
			cells(readyBy, func(_ *Call, b *Branch, t string) string {
				if t == "" {
					return t
				}
				return strings.Join(b.Collaborators, " ")
			})),
		fault("merged-date-missing", "exports no branchMergedDate for Merged branches", sayMerged, blankWhile(mergedAt, merged)),
		fault("merged-user-missing", "exports no branchMergedUserEmail for Merged branches", sayMergedBy, blankWhile(mergedBy, merged)),
		fault("merged-date-is-creation", "exports the creation date as branchMergedDate", sayMerged,
			cells(mergedAt, func(_ *Call, b *Branch, t string) string {
				if t == "" {
					return t
				}
				return stamp(b.Created.Add(-time.Second), timeFormat)
			})),
		fault("merged-user-without-domain", "exports only the part before the @ of branchMergedUserEmail", sayMergedBy, text(mergedBy, localPart)),
		fault("merged-user-id", "exports a user id as branchMergedUserEmail", sayMergedBy,
			text(mergedBy, func(s string) string { return "usr_" + localPart(s) })),
		fault("merged-user-is-requester", "exports the account that asks as branchMergedUserEmail", sayMergedBy,
			cells(mergedBy, func(c *Call, _ *Branch, t string) string {
				if t == "" {
					return t
				}
				return c.Account.Email()
			})),
		disputed("closed-as-merge-date", "exports the date of closing as branchMergedDate of Closed branches", sayMerged,
			atSeed(closed, func(b *Branch) { b.Merged = time.Now().UTC() })),
		fault("merge-changes-name", "puts the merge's date behind the name of a Merged branch", sayName,
			cells("branchName", func(_ *Call, b *Branch, t string) string {
				if b.Status == merged {
					return t + "-" + b.Merged.Format("20060102")
				}
				return t
			})),
		disputed("merge-closes-others", "closes the other ReadyForReview branches of the workspace at a merge", sayStatus, func(h *Hooks) {
			h.Seeded = func(c *Call, b *Branch) {
				for _, o := range c.World.Branches[b.Workspace] {
					if b.Status == merged && o != b && o.Status == readyForReview {
						o.Status = closed
					}
				}
			}
		}),
		fault("status-change-for-namesakes", "changes the status of all branches of the name in both workspaces", sayStatus, func(h *Hooks) {
			h.Seeded = func(c *Call, b *Branch) {
				for _, o := range slices.Concat(c.World.Branches["north"], c.World.Branches["south"]) {
					if o.Name == b.Name {
						o.Status = b.Status
					}
				}
			}
		}),
		fault("published-date-missing", "exports no lastPublishedDate for branches that were published", sayPublished,
			text("lastPublishedDate", func(string) string { return "" })),
		fault("published-before-creation", "exports a lastPublishedDate a minute before the creation", sayPublished,
			cells("lastPublishedDate", func(_ *Call, b *Branch, t string) string {
				if t == "" {
					return t
				}
				return stamp(b.Created.Add(-time.Minute), timeFormat)
			})),
		disputed("name-free-late", "answers 409 to a name whose branch was closed or merged in the last two seconds", sayFree, func(h *Hooks) {
			at := map[string]time.Time{}
			h.Seeded = func(_ *Call, b *Branch) {
				if !b.Open() {
					at[b.Workspace+"/"+b.Name] = time.Now()
				}
			}
			h.Taken = func(c *Call, name string, by *Branch) *Branch {
				if t, ok := at[c.Workspace+"/"+name]; ok && by == nil && sinceTime(t) < 2 {
					return &Branch{Name: name}
				}
				return by
			}
		}),
		fault("closing-frees-all", "takes every name for free once any branch is closed", sayFree, func(h *Hooks) {
			freed := false
			h.Seeded = func(_ *Call, b *Branch) { freed = freed || b.Status == closed }
			freeWhere(func(*Call, *Branch) bool { return freed })(h)
		}),
	}
}
