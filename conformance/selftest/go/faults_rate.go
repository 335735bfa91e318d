package main

import "time"

const sayTooMany = "Too many requests"

// limited answers 429 where a key was used within some time before.
func limited(window time.Duration, key func(c *Call) string) func(*Hooks) {
	return limitedBy(1, window, key)
}

// limitedBy answers 429 to more than n calls of a key within a window.
func limitedBy(n int, window time.Duration, key func(c *Call) string) func(*Hooks) {
	return func(h *Hooks) {
		uses := map[string][]time.Time{}
		h.Early = func(c *Call) *Answer {
			k, now := key(c), time.Now()
			recent := []time.Time{}
			for _, t := range uses[k] {
				if now.Sub(t) < window {
					recent = append(recent, t)
				}
			}
			uses[k] = recent
			if k == "" || len(recent) < n {
				uses[k] = append(recent, now)
				return nil
			}
			return tooMany()
		}
	}
}

func tooMany() *Answer {
	a := failure("limited", 429, sayTooMany)
	a.Set("Retry-After", "1")
	return a
}

// crossLimited answers 429 to an account that follows another within a second.
func crossLimited(place func(c *Call) string) func(*Hooks) {
	return func(h *Hooks) {
		type use struct {
			at      time.Time
			account string
		}
		last := map[string]use{}
		h.Early = func(c *Call) *Answer {
			k := place(c)
			before, seen := last[k]
			if seen && before.account != c.Account.Name && time.Since(before.at) < time.Second {
				return tooMany()
			}
			last[k] = use{time.Now(), c.Account.Name}
			return nil
		}
	}
}

func rateFaults() []Planting {
	return []Planting{
		fault("rate-by-workspace", "answers 429 to an account that calls within a second after another of its workspace", sayRate, crossLimited(byWorkspace)),
		fault("rate-by-everyone", "answers 429 to an account that calls within a second after any other", sayRate,
			crossLimited(func(*Call) string { return "" })),
		fault("rate-both-operations", "answers 429 to an export within a second after a creation of the same account", sayEach, func(h *Hooks) {
			created := map[string]time.Time{}
			h.Early = func(c *Call) *Answer {
				if c.Op == "export" && time.Since(created[c.Account.Name]) < time.Second {
					return tooMany()
				}
				if c.Op == "create" {
					created[c.Account.Name] = time.Now()
				}
				return nil
			}
		}),
		fault("rate-creation-after-export", "answers 429 to a creation within a second after an export of the same account", sayEach, func(h *Hooks) {
			exported := map[string]time.Time{}
			h.Early = func(c *Call) *Answer {
				if c.Op == "create" && time.Since(exported[c.Account.Name]) < time.Second {
					return tooMany()
				}
				if c.Op == "export" {
					exported[c.Account.Name] = time.Now()
				}
				return nil
			}
		}),
		fault("rate-every-three-seconds", "answers 429 to more than one request of an operation in three seconds", sayEach,
			limited(3*time.Second, func(c *Call) string { return c.Op + c.Account.Name })),
		fault("rate-ten-a-minute", "answers 429 to more than ten requests of an operation in a minute", sayEach,
			limitedBy(10, time.Minute, func(c *Call) string { return c.Op + c.Account.Name })),
		fault("rate-hundred-for-good", "answers 429 for good after a hundred requests of an account", sayEach,
			limitedBy(100, time.Hour, func(c *Call) string { return c.Account.Name })),
		fault("rate-beta-half", "answers 429 to the account beta for more than one request in two seconds", sayEach,
			limited(2*time.Second, func(c *Call) string {
				if c.Account.Name != "beta" {
					return ""
				}
				return c.Op
			})),
		disputed("rate-hard", "answers 429 to every request of an operation within a second after one of the same account", saySoft,
			limited(time.Second, func(c *Call) string { return c.Op + c.Account.Name })),
		disputed("rate-hard-503", "answers 503 to every request within a second after one of the same account", saySoft, func(h *Hooks) {
			limited(time.Second, func(c *Call) string { return c.Op + c.Account.Name })(h)
			limit := h.Early
			h.Early = func(c *Call) *Answer {
				a := limit(c)
				if a != nil {
					a.Status = 503
				}
				return a
			}
		}),
		fault("rate-stores-too", "answers 429 to every request within a second after one of the account but creates the branch", sayCreated, func(h *Hooks) {
			last := map[string]time.Time{}
			h.Answer = func(c *Call, a *Answer) {
				if a.Kind != "created" {
					return
				}
				soon := time.Since(last[c.Account.Name]) < time.Second
				last[c.Account.Name] = time.Now()
				if soon {
					*a = *tooMany()
				}
			}
		}),
	}
}
