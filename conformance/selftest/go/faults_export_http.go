package main

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"strings"
)

// at moves requests to other paths before they are routed.
func at(f func(path string) string) func(*Hooks) {
	return func(h *Hooks) {
		h.Wrap = func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				r.URL.Path = f(r.URL.Path)
				next.ServeHTTP(w, r)
			})
		}
	}
}

// moved serves an operation at another end of the path than the documented one.
func moved(end, to string) func(*Hooks) {
	return at(func(path string) string {
		switch {
		case strings.HasSuffix(path, to):
			return strings.TrimSuffix(path, to) + end
		case strings.HasSuffix(path, end):
			return "/moved"
		}
		return path
	})
}

// asMethod serves a path under one more or another method.
func asMethod(end, right, wrong string) func(*Hooks) {
	return func(h *Hooks) {
		h.Wrap = func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if strings.HasSuffix(r.URL.Path, end) {
					switch r.Method {
					case wrong:
						r.Method = right
					case right:
						r.Method = wrong
					}
				}
				next.ServeHTTP(w, r)
			})
		}
	}
}

func exportBreaks(code int, where func(c *Call) bool) func(*Hooks) {
	return early(func(c *Call) *Answer {
		if c.Op == "export" && where(c) {
			return failure("broken", code, "Internal error")
		}
		return nil
	})
}

func holds(c *Call, f func(b *Branch) bool) bool {
	for _, b := range c.World.Branches[c.Workspace] {
		if f(b) {
			return true
		}
	}
	return false
}

func zipped(b []byte) []byte {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	// Writing to memory cannot fail.
	_, _ = z.Write(b)
	_ = z.Close()
	return out.Bytes()
}

func exportHTTPFaults() []Planting {
	return []Planting{
		fault("create-without-version", "serves Create Branch at `/branches` and not at `/branches/v1`", sayCreateAt, moved("/branches/v1", "/branches")),
		fault("create-at-v2", "serves Create Branch at `/branches/v2` and not at `/branches/v1`", sayCreateAt, moved("/branches/v1", "/branches/v2")),
		fault("create-at-version-first", "serves Create Branch at `/v1/branches` behind the workspace and not at `/branches/v1`", sayCreateAt,
			moved("/branches/v1", "/v1/branches")),
		fault("create-by-put", "serves Create Branch for PUT and not for POST", sayCreateAt, asMethod("/branches/v1", "POST", "PUT")),
		fault("export-by-post", "serves the export for POST and not for GET", sayExportAt, asMethod("/branches/export/v1", "GET", "POST")),
		fault("export-at-sample-path", "serves the export at `/export/v1` behind the workspace and not at `/branches/export/v1`", sayExportAt,
			moved("/branches/export/v1", "/export/v1")),
		fault("export-at-csv", "serves the export at `/branches/export.csv/v1` and not at `/branches/export/v1`", sayExportAt,
			moved("/branches/export/v1", "/branches/export.csv/v1")),
		fault("export-without-version", "serves the export at `/branches/export` and not with `/v1` behind it", sayExportAt,
			moved("/branches/export/v1", "/branches/export")),
		fault("export-needs-slash", "serves the export only with a slash behind the path", sayExportAt,
			moved("/branches/export/v1", "/branches/export/v1/")),
		fault("create-needs-slash", "serves Create Branch only with a slash behind the path", sayCreateAt, moved("/branches/v1", "/branches/v1/")),
		fault("export-500-with-merged", "answers 500 to the export of a workspace with a Merged branch", sayAll,
			exportBreaks(500, func(c *Call) bool { return holds(c, func(b *Branch) bool { return b.Status == merged }) })),
		fault("export-500-with-closed", "answers 500 to the export of a workspace with a Closed branch", sayAll,
			exportBreaks(500, func(c *Call) bool { return holds(c, func(b *Branch) bool { return b.Status == closed }) })),
		fault("export-404-when-empty", "answers 404 to the export of a workspace without branches", sayAll,
			exportBreaks(404, func(c *Call) bool { return len(c.World.Branches[c.Workspace]) == 0 })),
		fault("export-500-over-120", "answers 500 to the export of a workspace with more than 120 branches", sayAll,
			exportBreaks(500, func(c *Call) bool { return len(c.World.Branches[c.Workspace]) > 120 })),
		fault("export-500-at-once", "answers 500 to an export while another request is being handled", sayAll, func(h *Hooks) {
			h.Before = linger
			exportBreaks(500, func(c *Call) bool { return c.InFlight > 1 })(h)
		}),
		fault("export-500-long-names", "answers 500 to the export of a workspace with a name of more than 64 characters", sayAll,
			exportBreaks(500, func(c *Call) bool { return holds(c, func(b *Branch) bool { return len(b.Name) > 64 }) })),
		fault("export-needs-content-type", "answers 415 to an export request without a content type", sayExportAt,
			exportBreaks(415, func(c *Call) bool { return c.Request.Header.Get("Content-Type") == "" })),
		fault("export-needs-accept-csv", "answers 406 to an export request whose Accept header does not name text/csv", sayExportAt,
			exportBreaks(406, func(c *Call) bool { return !strings.Contains(c.Request.Header.Get("Accept"), "text/csv") })),
		fault("export-in-header", "exports the CSV in a header `x-csv` with an empty body", sayCSV, on("export", func(_ *Call, a *Answer) {
			a.Set("X-Csv", strings.ReplaceAll(string(a.Body), "\r\n", "|"))
			a.Body = []byte{}
		})),
		fault("export-zip-file", "exports the CSV as a compressed file of the type application/gzip", sayCSV, on("export", func(_ *Call, a *Answer) {
			a.Body, a.Type = zipped(a.Body), "application/gzip"
		})),
		fault("gzip-unmarked", "compresses the export without a Content-Encoding where the client accepts gzip", sayCSV, on("export", func(c *Call, a *Answer) {
			if strings.Contains(c.Request.Header.Get("Accept-Encoding"), "gzip") {
				a.Body = zipped(a.Body)
			}
		})),
		disputed("gzip-unasked", "compresses the export where the client does not ask for it", sayCSV, on("export", func(c *Call, a *Answer) {
			if c.Request.Header.Get("Accept-Encoding") == "" {
				a.Body = zipped(a.Body)
				a.Set("Content-Encoding", "gzip")
			}
		})),
		fault("export-as-link", "answers a link to a file in place of the CSV", sayCSV, on("export", func(c *Call, a *Answer) {
			a.Body, a.Type = []byte(`{"downloadUrl":"https://`+webHost+`/files/`+c.Workspace+`.csv"}`), "application/json"
		})),
		fault("export-accepted-only", "answers 202 with an empty body to an export", sayAll, on("export", func(_ *Call, a *Answer) {
			a.Status, a.Body = 202, []byte{}
		})),
		fault("export-304", "answers 304 to a second export though the client sent no condition", sayAll, func(h *Hooks) {
			on("export", func(c *Call, a *Answer) {
				if c.Nth == 2 {
					a.Status = 304
				}
			})(h)
		}),
		fault("export-login-page", "answers 200 with a login page in place of the CSV to every twelfth export", sayCSV, on("export", func(c *Call, a *Answer) {
			if c.Nth%12 == 0 {
				a.Body, a.Type = []byte("<html><body>Sign in</body></html>"), "text/html"
			}
		})),
		fault("export-creates", "creates a branch `export-1` by exporting", sayAll, func(h *Hooks) {
			h.Branches = func(c *Call, list []*Branch) []*Branch {
				if c.World.OpenNamed(c.Workspace, "export-1") == nil {
					c.World.Branches[c.Workspace] = append(c.World.Branches[c.Workspace], c.World.newBranch("export-1", c.Account))
				}
				return list
			}
		}),
	}
}
