package main

import (
	"fmt"
	"strconv"
	"time"
)

func sinceTime(t time.Time) float64 { return time.Since(t).Seconds() }

// dated changes the text of all four date columns, or of one where it is named.
func dated(column string, f func(t time.Time) string) func(*Hooks) {
	return func(h *Hooks) {
		h.Cell = func(_ *Call, b *Branch, col, text string) string {
			t := b.date(col)
			if t.IsZero() || column != "" && column != col {
				return text
			}
			return f(t)
		}
	}
}

// shifted is off by some time.
func shifted(column string, by time.Duration) func(*Hooks) {
	return dated(column, func(t time.Time) string { return t.Add(by).Format(timeFormat) })
}

func formatted(format string) func(*Hooks) {
	return dated("", func(t time.Time) string { return t.Format(format) })
}

var berlin = time.FixedZone("", 2*60*60)

func dateFaults() []Planting {
	list := []Planting{
		fault("dates-with-offset", "exports dates in the zone +02:00 in place of UTC", sayCreation,
			dated("", func(t time.Time) string { return t.In(berlin).Format(time.RFC3339) })),
		fault("dates-local-as-utc", "exports the local time of the zone +02:00 with a Z behind it", sayCreation,
			dated("", func(t time.Time) string { return t.In(berlin).Format(timeFormat) })),
		fault("dates-half-hour-off", "exports dates five and a half hours late", sayCreation, shifted("", 330*time.Minute)),
		fault("dates-hour-early", "exports dates an hour early", sayCreation, shifted("", -time.Hour)),
		fault("dates-month-early", "exports dates with the month counted from zero", sayCreation,
			dated("", func(t time.Time) string {
				return fmt.Sprintf("%d-%02d-%sZ", t.Year(), int(t.Month())-1, t.Format("02T15:04:05.000"))
			})),
		fault("dates-minutes-as-month", "exports the minutes in the place of the month", sayCreation,
			dated("", func(t time.Time) string { return t.Format("2006-04-02T15:04:05.000Z") })),
		fault("dates-month-as-minutes", "exports the month in the place of the minutes", sayCreation,
			dated("", func(t time.Time) string { return t.Format("2006-01-02T15:01:05.000Z") })),
		fault("dates-day-late", "exports dates a day late", sayCreation, shifted("", 24*time.Hour)),
		fault("dates-year-off", "exports dates of the year before", sayCreation,
			dated("", func(t time.Time) string { return t.AddDate(-1, 0, 0).Format(timeFormat) })),
		fault("dates-midnight", "exports midnight of the day as time", sayCreation, formatted("2006-01-02T00:00:00.000Z")),
		disputed("dates-without-time", "exports dates without a time of day", sayCreation, formatted("2006-01-02")),
		fault("dates-without-minutes", "exports the full hour as time", sayCreation, formatted("2006-01-02T15:00:00.000Z")),
		disputed("dates-two-digit-year", "exports years in two digits", sayCreation, formatted("06-01-02 15:04:05")),
		fault("dates-milliseconds-as-seconds", "exports dates of 1970 for having divided the seconds by a thousand", sayCreation,
			dated("", func(t time.Time) string { return time.Unix(t.Unix()/1000, 0).UTC().Format(timeFormat) })),
		fault("dates-epoch-zero", "exports the start of 1970 as creation date", sayCreation,
			dated("creationDate", func(time.Time) string { return time.Unix(0, 0).UTC().Format(timeFormat) })),
		fault("dates-invalid", "exports `Invalid Date` as creation date", sayCreation, dated("creationDate", func(time.Time) string { return "Invalid Date" })),
		fault("dates-relative", "exports dates in words such as `3 seconds ago`", sayCreation, dated("", func(t time.Time) string {
			return strconv.Itoa(int(sinceTime(t))) + " seconds ago"
		})),
		fault("creation-date-empty", "exports no creation date", sayCreation, dated("creationDate", func(time.Time) string { return "" })),
		fault("creation-date-now", "exports the time of the export as creation date", sayCreation,
			dated("creationDate", func(time.Time) string { return time.Now().UTC().Format(timeFormat) })),
		fault("creation-date-ten-minutes-late", "exports creation dates ten minutes late", sayCreation, shifted("creationDate", 10*time.Minute)),
		fault("creation-date-of-first", "exports the creation date of the oldest branch for all", sayCreation,
			cells("creationDate", func(c *Call, _ *Branch, _ string) string {
				return stamp(c.World.Branches[c.Workspace][0].Created, timeFormat)
			})),
		fault("creation-date-of-status", "exports the time of the last change of status as creation date", sayCreation, func(h *Hooks) {
			changed := map[*Branch]time.Time{}
			h.Seeded = func(_ *Call, b *Branch) { changed[b] = time.Now().UTC() }
			cells("creationDate", func(_ *Call, b *Branch, t string) string {
				if at, ok := changed[b]; ok {
					return stamp(at, timeFormat)
				}
				return t
			})(h)
		}),
		fault("creation-date-offset-for-south", "exports creation dates of the workspace south an hour late", sayCreation,
			cells("creationDate", func(_ *Call, b *Branch, t string) string {
				if b.Workspace == "south" {
					return stamp(b.Created.Add(time.Hour), timeFormat)
				}
				return t
			})),
		fault("creation-date-moves", "exports a creation date that is a minute later with every export", sayCreation,
			cells("creationDate", func(c *Call, b *Branch, _ string) string {
				return stamp(b.Created.Add(time.Duration(c.Nth-1)*time.Minute), timeFormat)
			})),
		fault("creation-date-lost-on-merge", "exports no creation date for Merged branches", sayCreation,
			cells("creationDate", func(_ *Call, b *Branch, t string) string {
				if b.Status == merged {
					return ""
				}
				return t
			})),
	}
	for _, d := range []struct{ column, short, clause string }{
		{"lastPublishedDate", "published-date", sayPublished},
		{"markedReadyForReviewDate", "ready-date", sayReady},
		{"branchMergedDate", "merged-date", sayMerged},
	} {
		list = append(list,
			fault(d.short+"-with-offset", "exports "+d.column+" in the zone +02:00 in place of UTC", d.clause,
				dated(d.column, func(t time.Time) string { return t.In(berlin).Format(time.RFC3339) })),
			fault(d.short+"-hours-late", "exports "+d.column+" two hours late", d.clause, shifted(d.column, 2*time.Hour)),
			fault(d.short+"-day-early", "exports "+d.column+" a day early", d.clause, shifted(d.column, -24*time.Hour)),
			fault(d.short+"-yes", "exports `true` as "+d.column, d.clause, dated(d.column, func(time.Time) string { return "true" })),
			fault(d.short+"-now", "exports the time of the export as "+d.column, d.clause,
				dated(d.column, func(time.Time) string { return time.Now().UTC().Format(timeFormat) })),
		)
	}
	return list
}
