package main

import "strings"

func statusCell(f func(string) string) func(*Hooks) { return text("branchStatus", f) }

// shown exports one status as another.
func shown(status, as string) func(*Hooks) {
	return statusCell(func(s string) string {
		if s == status {
			return as
		}
		return s
	})
}

// heldBack exports the first status that a branch of the given statuses had before.
func heldBack(at string) func(*Hooks) {
	return func(h *Hooks) {
		before := map[*Branch]string{}
		h.Seeded = func(_ *Call, b *Branch) {
			if b.Status != at {
				before[b] = b.Status
			}
		}
		cells("branchStatus", func(_ *Call, b *Branch, t string) string {
			if b.Status != at {
				return t
			}
			if was, ok := before[b]; ok {
				return was
			}
			return draft
		})(h)
	}
}

func statusFaults() []Planting {
	return []Planting{
		fault("status-lower-case", "exports statuses in lower case", sayStatus, statusCell(strings.ToLower)),
		fault("status-upper-case", "exports statuses in capitals", sayStatus, statusCell(strings.ToUpper)),
		fault("status-constant-case", "exports statuses such as `READY_FOR_REVIEW`", sayStatus,
			statusCell(func(s string) string { return strings.ToUpper(strings.TrimPrefix(words(s, "_"), "_")) })),
		fault("status-ready-words", "exports `Ready For Review` for ReadyForReview", sayStatus, shown(readyForReview, "Ready For Review")),
		fault("status-ready-camel", "exports `readyForReview` for ReadyForReview", sayStatus, shown(readyForReview, "readyForReview")),
		fault("status-in-review", "exports `InReview` for ReadyForReview", sayStatus, shown(readyForReview, "InReview")),
		fault("status-ready-short", "exports `Ready` for ReadyForReview", sayStatus, shown(readyForReview, "Ready")),
		fault("status-open", "exports `Open` for Draft", sayStatus, shown(draft, "Open")),
		fault("status-open-for-all-open", "exports `Open` for Draft, ReadyForReview and Approved", sayStatus, statusCell(func(s string) string {
			if s == merged || s == closed {
				return s
			}
			return "Open"
		})),
		fault("status-new", "exports `New` for Draft", sayStatus, shown(draft, "New")),
		fault("status-deleted", "exports `Deleted` for Closed", sayStatus, shown(closed, "Deleted")),
		fault("status-published", "exports `Published` for Merged", sayStatus, shown(merged, "Published")),
		fault("status-accepted", "exports `Accepted` for Approved", sayStatus, shown(approved, "Accepted")),
		fault("status-merged-as-closed", "exports Closed for Merged branches", sayStatus, shown(merged, closed)),
		fault("status-closed-as-merged", "exports Merged for Closed branches", sayStatus, shown(closed, merged)),
		fault("status-approved-as-ready", "exports ReadyForReview for Approved branches", sayStatus, shown(approved, readyForReview)),
		fault("status-ready-as-approved", "exports Approved for ReadyForReview branches", sayStatus, shown(readyForReview, approved)),
		fault("status-number", "exports statuses as numbers", sayStatus, statusCell(func(s string) string {
			return map[string]string{draft: "0", readyForReview: "1", approved: "2", merged: "3", closed: "4"}[s]
		})),
		fault("status-draft-empty", "exports no status for Draft branches", sayStatus, shown(draft, "")),
		fault("status-blank-behind", "exports statuses with a blank behind them", sayStatus, statusCell(func(s string) string { return s + " " })),
		fault("status-cut-at-10", "cuts statuses after ten characters", sayStatus, statusCell(cut(10))),
		fault("status-stays-draft", "exports Draft for every branch", sayStatus, statusCell(func(string) string { return draft })),
		fault("status-before-close", "exports for Closed branches the status they had before", sayStatus, heldBack(closed)),
		fault("status-before-merge", "exports for Merged branches the status they had before", sayStatus, heldBack(merged)),
		fault("status-never-back", "goes on to export ReadyForReview for branches that went back to Draft", sayStatus,
			cells("branchStatus", func(_ *Call, b *Branch, t string) string {
				if b.Status == draft && !b.Ready.IsZero() {
					return readyForReview
				}
				return t
			})),
		fault("status-one-late", "exports the status that a branch had before its last change", sayStatus, func(h *Hooks) {
			now, before := map[*Branch]string{}, map[*Branch]string{}
			h.Seeded = func(_ *Call, b *Branch) {
				before[b], now[b] = now[b], b.Status
				if before[b] == "" {
					before[b] = draft
				}
			}
			cells("branchStatus", func(_ *Call, b *Branch, t string) string {
				if was, ok := before[b]; ok {
					return was
				}
				return t
			})(h)
		}),
		fault("status-of-namesake", "exports for a branch the status of the first branch of its name", sayStatus,
			cells("branchStatus", func(c *Call, b *Branch, t string) string {
				for _, o := range c.World.Branches[c.Workspace] {
					if o.Name == b.Name {
						return o.Status
					}
				}
				return t
			})),
		fault("status-list", "exports all statuses that a branch can have", sayStatus,
			statusCell(func(string) string { return "Merged/Closed/Approved/Draft/ReadyForReview" })),
		fault("status-merged-short", "exports Approved for Merged branches in the first three seconds", sayStatus,
			cells("branchStatus", func(_ *Call, b *Branch, t string) string {
				if b.Status == merged && sinceTime(b.Merged) < 3 {
					return approved
				}
				return t
			})),
	}
}
