package main

import (
	"strconv"
	"time"
)

func asDate(f func(t time.Time) string) func(*Hooks) { return dated("", f) }

func dateVariants() []Planting {
	return []Planting{
		variant("dates-seconds", "writes dates without milliseconds", openFormats, formatted("2006-01-02T15:04:05Z")),
		variant("dates-microseconds", "writes dates with microseconds", openFormats, formatted("2006-01-02T15:04:05.000000Z")),
		variant("dates-nanoseconds", "writes dates with nanoseconds", openFormats, formatted("2006-01-02T15:04:05.000000000Z")),
		variant("dates-zero-offset", "writes dates with `+00:00` for Z", openFormats, formatted("2006-01-02T15:04:05.000+00:00")),
		variant("dates-zero-offset-short", "writes dates with `+0000` for Z", openFormats, formatted("2006-01-02T15:04:05+0000")),
		variant("dates-blank", "writes dates with a blank for the T and no zone", openFormats, formatted("2006-01-02 15:04:05")),
		variant("dates-blank-utc", "writes dates with a blank for the T and `UTC` behind", openFormats, formatted("2006-01-02 15:04:05 UTC")),
		variant("dates-go", "writes dates such as `2026-01-02 15:04:05.123456 +0000 UTC`", openFormats, formatted("2006-01-02 15:04:05.000000 +0000 UTC")),
		variant("dates-no-zone", "writes dates with a T and no zone", openFormats, formatted("2006-01-02T15:04:05.000")),
		variant("dates-basic", "writes dates such as 20260102T150405Z", openFormats, formatted("20060102T150405Z")),
		variant("dates-http", "writes dates as HTTP headers do", openFormats, formatted("Mon, 02 Jan 2006 15:04:05 GMT")),
		variant("dates-mail", "writes dates as mail headers do", openFormats, formatted("Mon, 02 Jan 2006 15:04:05 +0000")),
		variant("dates-javascript", "writes dates as JavaScript's toString does in UTC", openFormats,
			formatted("Mon Jan 02 2006 15:04:05 GMT+0000 (Coordinated Universal Time)")),
		variant("dates-unix-seconds", "writes dates as seconds since 1970", openFormats,
			asDate(func(t time.Time) string { return strconv.FormatInt(t.Unix(), 10) })),
		variant("dates-unix-milliseconds", "writes dates as milliseconds since 1970", openFormats,
			asDate(func(t time.Time) string { return strconv.FormatInt(t.UnixMilli(), 10) })),
		variant("dates-unix-fraction", "writes dates as seconds since 1970 with a fraction", openFormats,
			asDate(func(t time.Time) string { return strconv.FormatFloat(float64(t.UnixMilli())/1000, 'f', 3, 64) })),
		variant("dates-words", "writes dates such as `January 2, 2026 15:04:05 UTC`", openFormats, formatted("January 2, 2006 15:04:05 UTC")),
		variant("dates-twelve-hours", "writes dates with AM and PM", openFormats, formatted("2006-01-02 03:04:05 PM UTC")),
		variant("dates-lower-case", "writes dates with t and z in lower case", openFormats, formatted("2006-01-02t15:04:05z")),
		variant("dates-minutes", "writes dates to the minute", openFormats, formatted("2006-01-02T15:04Z")),
		variant("dates-slashes", "writes dates with slashes, year first", openFormats, formatted("2006/01/02 15:04:05")),
	}
}
