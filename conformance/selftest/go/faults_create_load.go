package main

import (
	"strings"
	"time"
)

func early(f func(c *Call) *Answer) func(*Hooks) {
	return func(h *Hooks) { h.Early = f }
}

// breaking answers a status to creations where it is told to.
func breaking(code int, sentence string, where func(c *Call) bool) func(*Hooks) {
	return early(func(c *Call) *Answer {
		if c.Op == "create" && where(c) {
			return failure("broken", code, sentence)
		}
		return nil
	})
}

func total(c *Call) int { return len(c.World.Branches["north"]) + len(c.World.Branches["south"]) }

func createLoadFaults() []Planting {
	return []Planting{
		disputed("first-503", "answers 503 to the first creation after the start", sayCreated,
			breaking(503, "Service unavailable", func(c *Call) bool { return c.Nth == 1 })),
		fault("every-thirtieth-500", "answers 500 to every thirtieth create request", sayCreated,
			breaking(500, "Internal error", func(c *Call) bool { return c.Nth%30 == 0 })),
		fault("full-at-100", "refuses creations with 403 once there are 100 branches", sayCreated,
			breaking(403, "Too many branches", func(c *Call) bool { return total(c) >= 100 })),
		fault("full-at-10-drafts", "refuses creations with 409 while an account has ten drafts", sayCreated,
			breaking(409, takenMessage, func(c *Call) bool {
				n := 0
				for _, b := range c.World.Branches[c.Workspace] {
					if b.Account == c.Account.Name && b.Status == draft {
						n++
					}
				}
				return n >= 10
			})),
		disputed("chunked-411", "answers 411 to a body in chunks", sayCreated,
			breaking(411, "Length required", func(c *Call) bool { return len(c.TransferEncoding) > 0 })),
		disputed("content-type-parameter-415", "answers 415 to a content type with a charset", sayCreated,
			breaking(415, "Unsupported media type", func(c *Call) bool {
				return strings.Contains(c.Request.Header.Get("Content-Type"), ";")
			})),
		fault("creation-after-export-500", "answers 500 to the first creation after an export", sayCreated, afterExport),
		fault("same-name-at-once", "creates both of two branches of the same name that are requested at the same time", sayFree,
			func(h *Hooks) { h.Checked = linger }),
		fault("lost-when-at-once", "answers 201 but stores no branch while another request is being handled", sayCreated,
			func(h *Hooks) {
				h.Before = linger
				h.Stored = func(c *Call, b *Branch) {
					if c.InFlight > 1 {
						c.World.Remove(b)
					}
				}
			}),
		fault("same-id-at-once", "gives the same id to branches created within the same 20 milliseconds", sayID, sameIDAtOnce),
		fault("mixed-up-when-at-once", "answers the name of the branch before to a creation that overlaps another request", sayRequested,
			mixedUp),
		fault("500-when-five-at-once", "answers 500 to the fifth and further creations at the same time", sayCreated,
			func(h *Hooks) {
				h.Before = linger
				breaking(500, "Internal error", func(c *Call) bool { return c.InFlight >= 5 })(h)
			}),
		fault("creation-reads-old-body", "uses the body of the creation before where a request comes on the same connection within 50 ms",
			sayCreated, oldBody),
	}
}

func afterExport(h *Hooks) {
	exported := false
	h.Early = func(c *Call) *Answer {
		was := exported
		exported = c.Op == "export"
		if was && c.Op == "create" {
			return failure("broken", 500, "Internal error")
		}
		return nil
	}
}

func sameIDAtOnce(h *Hooks) {
	var last *Branch
	h.Make = func(_ *Call, b *Branch) {
		if last != nil && b.Created.Sub(last.Created) < 20*time.Millisecond {
			b.ID = last.ID
		}
		last = b
	}
}

func mixedUp(h *Hooks) {
	h.Before = linger
	var before string
	created(func(c *Call, a *Answer) {
		if c.InFlight > 1 && before != "" {
			a.Put("branchName", before)
		}
		before = c.Name
	})(h)
}

func oldBody(h *Hooks) {
	type use struct {
		at   time.Time
		name string
	}
	last := map[*Conn]use{}
	h.Read = func(c *Call, name string, ok bool) (string, bool) {
		before, seen := last[c.Conn]
		last[c.Conn] = use{time.Now(), name}
		if seen && ok && time.Since(before.at) < 50*time.Millisecond && before.name != "" {
			return before.name, true
		}
		return name, ok
	}
}
