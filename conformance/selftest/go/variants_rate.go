package main

import (
	"net/http"
	"time"
)

// nowAndThen answers every nth call of an account in place of the operation.
func nowAndThen(n int, answer func() *Answer) func(*Hooks) {
	return func(h *Hooks) {
		calls := map[string]int{}
		h.Early = func(c *Call) *Answer {
			calls[c.Account.Name]++
			if calls[c.Account.Name]%n == 0 {
				return answer()
			}
			return nil
		}
	}
}

func byAccountAndOperation(c *Call) string { return c.Account.Name + " " + c.Op }

func limitAnswer(f func(a *Answer)) func() *Answer {
	return func() *Answer {
		a := tooMany()
		f(a)
		return a
	}
}

// softly answers more than five requests a second of an account and operation as told.
func softly(f func(a *Answer)) func(*Hooks) {
	return func(h *Hooks) {
		limitedBy(5, time.Second, byAccountAndOperation)(h)
		limit := h.Early
		h.Early = func(c *Call) *Answer {
			a := limit(c)
			if a != nil {
				f(a)
			}
			return a
		}
	}
}

func rateVariants() []Planting {
	return []Planting{
		variant("rate-every-tenth", "answers 429 with Retry-After to every tenth request of an account", openErrors, nowAndThen(10, tooMany)),
		variant("rate-every-fourth", "answers 429 with Retry-After to every fourth request of an account", openErrors, nowAndThen(4, tooMany)),
		variant("rate-after-date", "answers 429 with a date as Retry-After to every tenth request", openErrors, nowAndThen(10, limitAnswer(func(a *Answer) {
			a.Set("Retry-After", time.Now().Add(time.Second).UTC().Format(http.TimeFormat))
		}))),
		variant("rate-without-hint", "answers 429 without Retry-After and body to every tenth request", openErrors, nowAndThen(10, limitAnswer(func(a *Answer) {
			a.Header, a.Fields = nil, nil
		}))),
		variant("rate-503", "answers 503 with Retry-After to every tenth request", openErrors, nowAndThen(10, limitAnswer(func(a *Answer) { a.Status = 503 }))),
		variant("rate-bursts-of-five", "answers 429 to more than five requests a second of an account and operation", openSoft, softly(func(*Answer) {})),
		variant("rate-bursts-plain-text", "answers 429 in plain text to more than five requests a second", openErrors,
			softly(func(a *Answer) { a.Text("Slow down") })),
		variant("rate-retry-zero", "answers 429 with Retry-After 0 to more than five requests a second", openErrors,
			softly(func(a *Answer) { a.Set("Retry-After", "0") })),
		variant("rate-headers", "tells the limit in headers", openSoft, withHeaders("RateLimit-Limit", "1", "RateLimit-Remaining", "0", "RateLimit-Reset", "1", "X-RateLimit-Limit", "1")),
		variant("rate-delays", "answers 300 ms late where an account calls more than once a second", openSoft, func(h *Hooks) {
			last := map[string]time.Time{}
			h.Answer = func(c *Call, a *Answer) {
				if c.Account == nil {
					return
				}
				k := byAccountAndOperation(c)
				if time.Since(last[k]) < time.Second {
					a.Delay = 300 * time.Millisecond
				}
				last[k] = time.Now()
			}
		}),
	}
}
