package main

import (
	"slices"
	"time"
)

// copies are branches as they were at some time.
func copies(list []*Branch) []*Branch {
	out := make([]*Branch, len(list))
	for i, b := range list {
		twin := *b
		twin.Collaborators = slices.Clone(b.Collaborators)
		out[i] = &twin
	}
	return out
}

// cached exports what it kept under a key for as long as it holds.
func cached(key func(c *Call) string, hold time.Duration) func(*Hooks) {
	return func(h *Hooks) {
		type entry struct {
			at   time.Time
			list []*Branch
		}
		kept := map[string]entry{}
		h.Branches = func(c *Call, list []*Branch) []*Branch {
			k := key(c)
			if e, ok := kept[k]; ok && time.Since(e.at) < hold {
				return e.list
			}
			kept[k] = entry{time.Now(), copies(list)}
			return list
		}
	}
}

func byWorkspace(c *Call) string { return c.Workspace }

func rowTimingFaults() []Planting {
	return []Planting{
		fault("export-cached-5-s", "exports for five seconds what it exported before", sayStatus, cached(byWorkspace, 5*time.Second)),
		fault("export-cached-for-good", "exports for good what it exported first", sayAll, cached(byWorkspace, time.Hour)),
		fault("export-cached-by-path-end", "exports for a second what it exported before for whatever workspace", sayRow,
			cached(func(*Call) string { return "" }, time.Second)),
		fault("export-cached-by-account", "exports for a minute to an account what it got before", sayAll,
			cached(func(c *Call) string { return c.Account.Name }, time.Minute)),
		fault("new-branches-late", "exports a branch only five seconds after its creation", sayRow,
			only(func(_ *Call, b *Branch) bool { return time.Since(b.Created) > 5*time.Second })),
		fault("each-row-once", "exports a branch only once", sayRow, onlySinceLast),
		fault("export-empties", "forgets merged and closed branches once they are exported", sayAll, exportEmpties),
		fault("every-third-export-short", "leaves out the newest branch in every third export", sayRow,
			branches(func(c *Call, l []*Branch) []*Branch {
				if c.Nth%3 == 0 && len(l) > 0 {
					return l[:len(l)-1]
				}
				return l
			})),
		fault("first-export-empty", "exports no branches the first time that a workspace is exported", sayRow, func(h *Hooks) {
			exported := map[string]bool{}
			h.Branches = func(c *Call, l []*Branch) []*Branch {
				if !exported[c.Workspace] {
					exported[c.Workspace] = true
					return nil
				}
				return l
			}
		}),
		fault("export-short-on-reuse", "exports on a connection only what its first export held", sayRow,
			func(h *Hooks) {
				after("export", func(c *Call, a *Answer) {
					if last := c.Conn.Last["export"]; last != nil {
						a.Body = last.Body
					}
				})(h)
			}),
		fault("export-short-when-at-once", "leaves out the oldest branch where another request is being handled", sayRow, func(h *Hooks) {
			h.Before = linger
			branches(func(c *Call, l []*Branch) []*Branch {
				if c.InFlight > 1 && len(l) > 0 {
					return l[1:]
				}
				return l
			})(h)
		}),
		fault("export-after-40-short", "exports only the header row from the fortieth export on", sayRow,
			branches(func(c *Call, l []*Branch) []*Branch {
				if c.Nth >= 40 {
					return nil
				}
				return l
			})),
		fault("row-lost-by-conflict", "leaves out a branch whose name was asked for in vain", sayRow, rowLostByConflict),
		fault("row-lost-by-second-status", "leaves out a branch whose status changed more than once", sayRow, rowLostByStatus),
		fault("rejected-name-in-rows", "exports rejected names as Draft branches", sayRow, rejectedRows),
	}
}

func onlySinceLast(h *Hooks) {
	shown := map[string]bool{}
	only(func(_ *Call, b *Branch) bool {
		was := shown[b.ID]
		shown[b.ID] = true
		return !was
	})(h)
}

func exportEmpties(h *Hooks) {
	h.Branches = func(c *Call, list []*Branch) []*Branch {
		for _, b := range list {
			if !b.Open() {
				c.World.Remove(b)
			}
		}
		return list
	}
}

func rowLostByConflict(h *Hooks) {
	lost := map[*Branch]bool{}
	onConflict(func(_ *Call, b *Branch) { lost[b] = true })(h)
	only(func(_ *Call, b *Branch) bool { return !lost[b] })(h)
}

func rowLostByStatus(h *Hooks) {
	changes := map[*Branch]int{}
	h.Seeded = func(_ *Call, b *Branch) { changes[b]++ }
	only(func(_ *Call, b *Branch) bool { return changes[b] < 2 })(h)
}

func rejectedRows(h *Hooks) {
	var names []string
	h.Suggest = func(c *Call, name, s string) string {
		if name != "" {
			names = append(names, name)
		}
		return s
	}
	h.Branches = func(_ *Call, list []*Branch) []*Branch {
		for _, n := range names {
			list = append(list, &Branch{ID: "REJECTED", Name: n, Status: draft, Created: time.Now().UTC()})
		}
		return list
	}
}
