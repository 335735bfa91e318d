package main

import "strings"

func exportType(media string) func(*Hooks) {
	return on("export", func(_ *Call, a *Answer) { a.Type = media })
}

func exportHeader(key, value string) func(*Hooks) {
	return on("export", func(_ *Call, a *Answer) { a.Set(key, value) })
}

// everySecond quotes every second cell, whether it needs it or not.
func everySecond() func(string) string {
	n := 0
	return func(s string) string {
		n++
		if n%2 == 0 {
			return quoteAlways(s)
		}
		return quoteWhereNeeded(s)
	}
}

func quoteFilled(s string) string {
	if s == "" {
		return s
	}
	return quoteAlways(s)
}

func csvVariants() []Planting {
	return []Planting{
		variant("csv-line-feeds", "ends lines with line feeds", openCSV, written(",", "\n", quoteWhereNeeded)),
		variant("csv-no-last-line-end", "puts no line end behind the last row", openCSV,
			csvText(func(s string) string { return strings.TrimSuffix(s, "\r\n") })),
		variant("csv-line-feeds-no-last", "ends lines with line feeds, but not the last", openCSV, func(h *Hooks) {
			written(",", "\n", quoteWhereNeeded)(h)
			inner := h.CSV
			h.CSV = func(c *Call, s string) string { return strings.TrimSuffix(inner(c, s), "\n") }
		}),
		variant("csv-all-quoted", "quotes all cells", openCSV, written(",", "\r\n", quoteAlways)),
		variant("csv-filled-quoted", "quotes all cells but empty ones", openCSV, written(",", "\r\n", quoteFilled)),
		variant("csv-some-quoted", "quotes every second cell", openCSV, func(h *Hooks) { written(",", "\r\n", everySecond())(h) }),
		variant("csv-header-quoted", "quotes the column names only", openCSV, csvText(func(s string) string {
			first, rest, _ := strings.Cut(s, "\r\n")
			return `"` + strings.ReplaceAll(first, ",", `","`) + "\"\r\n" + rest
		})),
		variant("csv-byte-order-mark", "starts with a byte order mark", openCSV, csvText(func(s string) string { return "\ufeff" + s })),
		variant("csv-mark-and-quotes", "starts with a byte order mark and quotes all cells", openCSV, func(h *Hooks) {
			written(",", "\r\n", quoteAlways)(h)
			inner := h.CSV
			h.CSV = func(c *Call, s string) string { return "\ufeff" + inner(c, s) }
		}),
		variant("csv-type-bare", "names text/csv without a charset", openMedia, exportType("text/csv")),
		variant("csv-type-header", "names text/csv with `header=present`", openMedia, exportType("text/csv; header=present; charset=UTF-8")),
		variant("csv-type-capitals", "writes the media type in capitals", openMedia, exportType("TEXT/CSV;CHARSET=UTF-8")),
		variant("csv-type-plain", "names text/plain as media type of the export", openMedia, exportType("text/plain")),
		variant("csv-type-application", "names application/csv as media type of the export", openMedia, exportType("application/csv")),
		variant("csv-type-bytes", "names application/octet-stream as media type of the export", openMedia, exportType("application/octet-stream")),
		variant("csv-type-excel", "names application/vnd.ms-excel as media type of the export", openMedia, exportType("application/vnd.ms-excel")),
		variant("csv-type-html", "names text/html as media type of the export, as frameworks do by default", openMedia, exportType("text/html; charset=utf-8")),
		variant("csv-type-ascii", "names us-ascii as charset of the export", openMedia, exportType("text/csv; charset=us-ascii")),
		variant("csv-type-json", "names application/json as media type of the unchanged CSV", openMedia, exportType("application/json")),
		variant("csv-as-file", "offers the export as a file to be saved", openMedia, exportHeader("Content-Disposition", `attachment; filename="branches.csv"`)),
		variant("export-201", "answers 201 to an export", openMedia, status("export", 201)),
		variant("export-203", "answers 203 to an export", openMedia, status("export", 203)),
	}
}
