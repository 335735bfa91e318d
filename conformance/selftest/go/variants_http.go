package main

import (
	"bytes"
	"compress/flate"
	"compress/zlib"
	"net/http"
	"strings"
	"time"
)

// withHeaders adds headers to every answer.
func withHeaders(pairs ...string) func(*Hooks) {
	return func(h *Hooks) {
		h.Answer = func(_ *Call, a *Answer) {
			for i := 0; i < len(pairs); i += 2 {
				a.Set(pairs[i], pairs[i+1])
			}
		}
	}
}

// coded compresses all bodies for clients that ask for it.
func coded(name string, code func([]byte) []byte) func(*Hooks) {
	return func(h *Hooks) {
		h.Bytes = func(c *Call, a *Answer) {
			if strings.Contains(c.Request.Header.Get("Accept-Encoding"), name) && len(a.Body) > 0 {
				a.Body = code(a.Body)
				a.Set("Content-Encoding", name)
				a.Set("Vary", "Accept-Encoding")
			}
		}
	}
}

func deflated(b []byte) []byte {
	var out bytes.Buffer
	z, err := zlib.NewWriterLevel(&out, flate.BestSpeed)
	if err != nil {
		panic(err)
	}
	// Writing to memory cannot fail.
	_, _ = z.Write(b)
	_ = z.Close()
	return out.Bytes()
}

// redirecting sends clients to the same path below another one.
func redirecting(code int, absolute bool) func(*Hooks) {
	return func(h *Hooks) {
		h.Wrap = func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if path, ok := strings.CutPrefix(r.URL.Path, "/api"); ok {
					r.URL.Path = path
					next.ServeHTTP(w, r)
					return
				}
				to := "/api" + r.URL.RequestURI()
				if absolute {
					to = "http://" + r.Host + to
				}
				w.Header().Set("Location", to)
				w.WriteHeader(code)
			})
		}
	}
}

func slow(d time.Duration) func(*Hooks) {
	return func(h *Hooks) { h.Before = func(*Call) { time.Sleep(d) } }
}

func httpVariants() []Planting {
	return []Planting{
		variant("headers-of-security", "sends the usual headers of a careful web server", openUnsaid, withHeaders(
			"Strict-Transport-Security", "max-age=31536000", "X-Content-Type-Options", "nosniff", "X-Frame-Options", "DENY",
			"Content-Security-Policy", "default-src 'none'")),
		variant("headers-of-cors", "sends the headers that let browsers in", openUnsaid,
			withHeaders("Access-Control-Allow-Origin", "*", "Access-Control-Expose-Headers", "*")),
		variant("headers-of-request", "sends an id of the request and of the server", openUnsaid,
			withHeaders("X-Request-Id", "7f3c", "Server", "branches/1.0", "Via", "1.1 edge")),
		variant("headers-of-cookie", "sets cookies that it does not use", openUnsaid,
			withHeaders("Set-Cookie", "lb=node-1; Path=/; HttpOnly")),
		variant("headers-of-no-store", "forbids to store its answers", openUnsaid, withHeaders("Cache-Control", "no-store", "Pragma", "no-cache")),
		variant("headers-of-cache", "allows to store the export privately for no time", openUnsaid,
			withHeaders("Cache-Control", "private, max-age=0", "Etag", `W/"1"`)),
		variant("headers-of-language", "names the language of its answers", openUnsaid, withHeaders("Content-Language", "en")),
		variant("headers-of-deprecation", "warns that the version will end", openUnsaid,
			withHeaders("Deprecation", "true", "Sunset", "Wed, 01 Jan 2031 00:00:00 GMT", "Link", `</v2>; rel="successor-version"`)),
		variant("header-long", "sends a header of four thousand characters", openUnsaid, withHeaders("X-Trace", strings.Repeat("t", 4000))),
		variant("gzip-where-asked", "compresses answers by gzip for clients that accept it", openUnsaid, coded("gzip", zipped)),
		variant("deflate-where-asked", "compresses answers by deflate for clients that accept it", openUnsaid, coded("deflate", deflated)),
		variant("redirect-307", "redirects every request by 307 to a path below /api", openBase, redirecting(307, false)),
		variant("redirect-308", "redirects every request by 308 to a path below /api", openBase, redirecting(308, false)),
		variant("redirect-absolute", "redirects every request by 308 to a full URL on its own host", openBase, redirecting(308, true)),
		variant("slow-200", "answers 200 ms late", openUnsaid, slow(200*time.Millisecond)),
		variant("slow-700", "answers 700 ms late", openUnsaid, slow(700*time.Millisecond)),
		variant("slow-now-and-then", "answers every tenth request a second late", openUnsaid, func(h *Hooks) {
			h.Answer = func(c *Call, a *Answer) {
				if c.Nth%10 == 0 {
					a.Delay = time.Second
				}
			}
		}),
		variant("head-allowed", "answers HEAD on the export's path", openUnsaid, func(h *Hooks) {
			h.Wrap = func(next http.Handler) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if r.Method == "HEAD" && strings.HasSuffix(r.URL.Path, "/export/v1") {
						r.Method = "GET"
					}
					next.ServeHTTP(w, r)
				})
			}
		}),
		variant("other-methods-404", "answers 404 in place of 405 to other methods", openUnsaid, status("method", 404)),
		variant("other-methods-401", "answers 401 in place of 405 to other methods", openUnsaid, status("method", 401)),
	}
}
