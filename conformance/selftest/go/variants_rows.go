package main

import (
	"math/rand/v2"
	"slices"
	"strings"
	"time"
)

func ordered(less func(a, b *Branch) int) func(*Hooks) {
	return branches(func(_ *Call, l []*Branch) []*Branch {
		slices.SortStableFunc(l, less)
		return l
	})
}

// startsAs gives new branches another status than Draft.
func startsAs(status string) func(*Hooks) {
	return made(func(c *Call, b *Branch) {
		b.Status = status
		b.Ready, b.ReadyBy = b.Created, b.CreatorEmail
	})
}

func rowVariants() []Planting {
	return []Planting{
		variant("rows-newest-first", "exports the newest branch first", openRows,
			branches(func(_ *Call, l []*Branch) []*Branch { slices.Reverse(l); return l })),
		variant("rows-by-name", "exports branches in the order of their names", openRows,
			ordered(func(a, b *Branch) int { return strings.Compare(a.Name, b.Name) })),
		variant("rows-by-id", "exports branches in the order of their ids", openRows,
			ordered(func(a, b *Branch) int { return strings.Compare(a.ID, b.ID) })),
		variant("rows-by-status", "exports branches in the order of their statuses", openRows,
			ordered(func(a, b *Branch) int { return strings.Compare(a.Status, b.Status) })),
		variant("rows-shuffled", "exports branches in another order every time", openRows, branches(func(_ *Call, l []*Branch) []*Branch {
			rand.Shuffle(len(l), func(i, j int) { l[i], l[j] = l[j], l[i] })
			return l
		})),
		variant("rows-half-second-late", "exports a branch half a second after its creation", openRows,
			only(func(_ *Call, b *Branch) bool { return time.Since(b.Created) > 500*time.Millisecond })),
		variant("rows-late", "exports a branch one and a half seconds after its creation", openRows,
			only(func(_ *Call, b *Branch) bool { return time.Since(b.Created) > 1500*time.Millisecond })),
		variant("export-one-second-old", "exports for a second what it exported before", openRows, cached(byWorkspace, time.Second)),
		variant("status-late", "exports a change of status one second after it", openRows, func(h *Hooks) {
			was, at := map[*Branch]string{}, map[*Branch]time.Time{}
			now := map[*Branch]string{}
			h.Seeded = func(_ *Call, b *Branch) {
				if now[b] == "" {
					now[b] = draft
				}
				was[b], now[b], at[b] = now[b], b.Status, time.Now()
			}
			cells("branchStatus", func(_ *Call, b *Branch, t string) string {
				if time.Since(at[b]) < time.Second {
					return was[b]
				}
				return t
			})(h)
		}),
		variant("starts-ready", "creates branches as ReadyForReview", openTransitions, startsAs(readyForReview)),
		variant("starts-approved", "creates branches as Approved", openTransitions, startsAs(approved)),
	}
}
