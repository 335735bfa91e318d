package main

import (
	"encoding/base64"
	"encoding/json"
	"html"
	"strings"
	"unicode/utf16"
)

// written writes the table in another way.
func written(comma, end string, quote func(string) string) func(*Hooks) {
	return func(h *Hooks) {
		var t [][]string
		h.Table = func(_ *Call, full [][]string) [][]string {
			t = full
			return full
		}
		h.CSV = func(*Call, string) string { return writeCSV(t, comma, end, quote) }
	}
}

func plain(s string) string { return s }

func quoteFor(special string) func(string) string {
	return func(s string) string {
		if strings.ContainsAny(s, special+"\"\r\n") {
			return quoteAlways(s)
		}
		return s
	}
}

func backslashed(s string) string {
	if strings.ContainsAny(s, ",\"\r\n") {
		return `"` + strings.ReplaceAll(s, `"`, `\"`) + `"`
	}
	return s
}

// typed gives the export another body with its media type.
func typed(media string, f func(body string) string) func(*Hooks) {
	return on("export", func(_ *Call, a *Answer) { a.Body, a.Type = []byte(f(string(a.Body))), media })
}

func csvFaults() []Planting {
	return []Planting{
		fault("tabs", "separates the cells by tabs", sayCSV, written("\t", "\r\n", quoteFor("\t"))),
		disputed("semicolons", "separates the cells by semicolons", sayCSV, written(";", "\r\n", quoteFor(";"))),
		fault("pipes", "separates the cells by `|`", sayCSV, written("|", "\r\n", quoteFor("|"))),
		fault("blank-behind-comma", "puts a blank behind each comma between cells", sayColumns, written(", ", "\r\n", quoteWhereNeeded)),
		fault("cells-unquoted", "does not quote cells that hold commas or quotes", sayCSV, written(",", "\r\n", plain)),
		fault("quotes-not-doubled", "does not double the quotes within a quoted cell", sayCSV,
			written(",", "\r\n", func(s string) string {
				if quoteWhereNeeded(s) == s {
					return s
				}
				return `"` + s + `"`
			})),
		fault("quotes-backslashed", "writes a backslash before the quotes within a cell in place of doubling them", sayCSV, written(",", "\r\n", backslashed)),
		fault("single-quoted-cells", "quotes all cells with single quotes", sayCSV,
			written(",", "\r\n", func(s string) string { return "'" + s + "'" })),
		disputed("carriage-returns-only", "ends lines with a lone carriage return", sayCSV, written(",", "\r", quoteWhereNeeded)),
		fault("line-feeds-as-text", "writes backslash and n where a line should end", sayCSV, written(",", `\n`, quoteWhereNeeded)),
		fault("doubled-carriage-return", "ends lines with two carriage returns and a line feed", sayCSV, written(",", "\r\r\n", quoteWhereNeeded)),
		fault("comma-at-line-end", "ends every line with a comma", sayColumns, written(",", ",\r\n", quoteWhereNeeded)),
		fault("comma-at-row-ends", "ends every line but the first with a comma", sayColumns, csvText(func(s string) string {
			first, rest, _ := strings.Cut(s, "\r\n")
			return first + "\r\n" + strings.ReplaceAll(rest, "\r\n", ",\r\n")
		})),
		fault("separator-line", "starts the export with the line `sep=,`", sayColumns, csvText(func(s string) string { return "sep=,\r\n" + s })),
		fault("comment-line", "starts the export with a comment line", sayColumns, csvText(func(s string) string { return "# branch stats\r\n" + s })),
		fault("title-line", "starts the export with a line that names the workspace", sayColumns,
			func(h *Hooks) { h.CSV = func(c *Call, s string) string { return c.Workspace + "\r\n" + s } }),
		fault("last-line-cut", "lacks the last ten characters of the export", sayCSV,
			csvText(func(s string) string { return s[:max(0, len(s)-10)] })),
		fault("cut-at-8-kib", "cuts the export after 8192 bytes", sayAll, csvText(cut(8192))),
		fault("cut-at-4-kib", "cuts the export after 4096 bytes", sayAll, csvText(cut(4096))),
		fault("rows-run-together", "puts no line end between the rows of branches", sayRow, csvText(func(s string) string {
			first, rest, _ := strings.Cut(s, "\r\n")
			return first + "\r\n" + strings.ReplaceAll(rest, "\r\n", "")
		})),
		fault("header-runs-on", "puts no line end behind the column names", sayColumns,
			csvText(func(s string) string { return strings.Replace(s, "\r\n", "", 1) })),
		fault("empty-cells-left-out", "leaves out empty cells with their commas", sayColumns, eachRow(func(row []string) []string {
			kept := []string{}
			for _, s := range row {
				if s != "" {
					kept = append(kept, s)
				}
			}
			return kept
		})),
		fault("trailing-empty-cells-left-out", "leaves out the empty cells at a row's end", sayColumns, eachRow(func(row []string) []string {
			for len(row) > 0 && row[len(row)-1] == "" {
				row = row[:len(row)-1]
			}
			return row
		})),
		fault("json-rows", "exports a JSON array in place of CSV", sayCSV, jsonRows),
		fault("html-table", "exports an HTML table in place of CSV", sayCSV, typed("text/html", func(s string) string {
			return "<table><tr><td>" + strings.NewReplacer(",", "</td><td>", "\r\n", "</td></tr><tr><td>").Replace(s) + "</td></tr></table>"
		})),
		fault("html-escapes", "writes quotes in the export as HTML escapes", sayCSV, csvText(html.EscapeString)),
		fault("base64-export", "exports the CSV in Base64", sayCSV, typed("text/csv", func(s string) string {
			return base64.StdEncoding.EncodeToString([]byte(s))
		})),
		disputed("json-string-export", "exports the CSV as a JSON string", sayCSV, typed("application/json", func(s string) string { return string(value(s)) })),
		disputed("csv-in-json-object", "exports the CSV in a field of a JSON object", sayCSV,
			typed("application/json", func(s string) string { return `{"csv":` + string(value(s)) + `}` })),
		disputed("utf-16-export", "exports in UTF-16", sayCSV, typed("text/csv; charset=utf-16le", func(s string) string {
			b := []byte{0xff, 0xfe}
			for _, u := range utf16.Encode([]rune(s)) {
				b = append(b, byte(u), byte(u>>8))
			}
			return string(b)
		})),
		fault("null-behind", "ends the export with the character U+0000", sayCSV, csvText(func(s string) string { return s + "\x00" })),
		fault("transposed", "writes a row for each column and a column for each branch", sayRow, table(func(t [][]string) [][]string {
			next := make([][]string, len(columns))
			for i := range columns {
				for _, row := range t {
					next[i] = append(next[i], row[i])
				}
			}
			return next
		})),
		fault("export-twice", "writes the whole export twice", sayRow, csvText(func(s string) string { return s + s })),
		disputed("empty-export-empty-body", "exports nothing, not even column names, where there are no branches", sayColumns,
			table(func(t [][]string) [][]string {
				if len(t) == 1 {
					return nil
				}
				return t
			})),
	}
}

func jsonRows(h *Hooks) {
	var rows []map[string]string
	h.Table = func(_ *Call, t [][]string) [][]string {
		rows = []map[string]string{}
		for _, row := range t[1:] {
			m := map[string]string{}
			for i, name := range columns {
				m[name] = row[i]
			}
			rows = append(rows, m)
		}
		return t
	}
	on("export", func(_ *Call, a *Answer) {
		// A table of strings always has a JSON form.
		a.Body, _ = json.Marshal(rows)
		a.Type = "application/json"
	})(h)
}
