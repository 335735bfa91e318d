package main

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// sent sends answers in a way of its own.
func sent(f func(w http.ResponseWriter, a *Answer)) func(*Hooks) {
	return func(h *Hooks) {
		h.Send = func(w http.ResponseWriter, _ *Call, a *Answer) bool {
			f(w, a)
			return true
		}
	}
}

// prepare sets the headers of an answer but no length.
func prepare(w http.ResponseWriter, a *Answer) {
	for k, v := range a.Header {
		w.Header()[k] = v
	}
	if a.Type != "" {
		w.Header().Set("Content-Type", a.Type)
	}
}

// inPieces sends a body in chunks of a size with a pause between them.
func inPieces(size int, pause time.Duration) func(*Hooks) {
	return sent(func(w http.ResponseWriter, a *Answer) {
		prepare(w, a)
		w.WriteHeader(a.Status)
		for i := 0; i < len(a.Body); i += size {
			// A client that is gone cannot be told so.
			_, _ = w.Write(a.Body[i:min(i+size, len(a.Body))])
			_ = http.NewResponseController(w).Flush()
			time.Sleep(pause)
		}
	})
}

// raw sends an answer as the bytes that f makes, and hangs up.
func raw(f func(a *Answer) []byte) func(*Hooks) {
	return sent(func(w http.ResponseWriter, a *Answer) {
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		// A client that is gone cannot be told so.
		_, _ = conn.Write(f(a))
		_ = conn.Close()
	})
}

// lines are the header lines of an answer.
func lines(a *Answer) string {
	var b bytes.Buffer
	_ = a.Header.Write(&b)
	if a.Type != "" {
		b.WriteString("Content-Type: " + a.Type + "\r\n")
	}
	return b.String()
}

func connectionVariants() []Planting {
	return []Planting{
		variant("chunked", "sends bodies in chunks of 100 bytes", openUnsaid, inPieces(100, 0)),
		variant("chunked-small", "sends bodies in chunks of seven bytes", openUnsaid, inPieces(7, 0)),
		variant("chunked-slowly", "sends bodies in ten chunks with 20 ms between them", openUnsaid, sent(func(w http.ResponseWriter, a *Answer) {
			h := Hooks{}
			inPieces(len(a.Body)/10+1, 20*time.Millisecond)(&h)
			h.Send(w, nil, a)
		})),
		variant("chunked-with-trailer", "sends a trailer behind the chunks", openUnsaid, sent(func(w http.ResponseWriter, a *Answer) {
			w.Header().Set("Trailer", "X-Checksum")
			prepare(w, a)
			w.WriteHeader(a.Status)
			_, _ = w.Write(a.Body)
			w.Header().Set("X-Checksum", "none")
		})),
		variant("closes-always", "closes the connection after every answer", openUnsaid, withHeaders("Connection", "close")),
		variant("closes-after-errors", "closes the connection after every error", openUnsaid, func(h *Hooks) {
			h.Answer = func(_ *Call, a *Answer) {
				if a.Status >= 400 {
					a.Set("Connection", "close")
				}
			}
		}),
		variant("closes-after-ten", "closes a connection after ten requests", openUnsaid, func(h *Hooks) {
			h.Answer = func(c *Call, a *Answer) {
				if c.Conn.Requests >= 9 {
					a.Set("Connection", "close")
				}
			}
		}),
		variant("body-until-close", "sends bodies without a length and closes the connection", openUnsaid, raw(func(a *Answer) []byte {
			return append([]byte(fmt.Sprintf("HTTP/1.1 %d %s\r\n%sConnection: close\r\n\r\n", a.Status, http.StatusText(a.Status), lines(a))), a.Body...)
		})),
		variant("http-1-0", "answers in HTTP/1.0", openUnsaid, raw(func(a *Answer) []byte {
			return append([]byte(fmt.Sprintf("HTTP/1.0 %d %s\r\n%sContent-Length: %d\r\n\r\n", a.Status, http.StatusText(a.Status), lines(a), len(a.Body))), a.Body...)
		})),
		variant("no-reason-phrase", "sends no words behind the status code", openUnsaid, raw(func(a *Answer) []byte {
			return append([]byte(fmt.Sprintf("HTTP/1.1 %d \r\n%sContent-Length: %d\r\nConnection: close\r\n\r\n", a.Status, lines(a), len(a.Body))), a.Body...)
		})),
		variant("other-reason-phrase", "sends other words behind the status code", openUnsaid, raw(func(a *Answer) []byte {
			return append([]byte(fmt.Sprintf("HTTP/1.1 %d As You Like It\r\n%sContent-Length: %d\r\nConnection: close\r\n\r\n", a.Status, lines(a), len(a.Body))), a.Body...)
		})),
		variant("header-lines-lower-case", "writes header names in lower case", openUnsaid, raw(func(a *Answer) []byte {
			names := strings.NewReplacer("Content-Type:", "content-type:", "Www-Authenticate:", "www-authenticate:").Replace(lines(a))
			return append([]byte(fmt.Sprintf("HTTP/1.1 %d %s\r\n%scontent-length:%d\r\nconnection:close\r\n\r\n", a.Status, http.StatusText(a.Status), names, len(a.Body))), a.Body...)
		})),
		variant("header-lines-upper-case", "writes header names in capitals with blanks behind the values", openUnsaid, raw(func(a *Answer) []byte {
			names := strings.NewReplacer("Content-Type:", "CONTENT-TYPE:", "Www-Authenticate:", "WWW-AUTHENTICATE:").Replace(lines(a))
			return append([]byte(fmt.Sprintf("HTTP/1.1 %d %s\r\n%sCONTENT-LENGTH:   %d  \r\nCONNECTION: Close\r\n\r\n", a.Status, http.StatusText(a.Status), names, len(a.Body))), a.Body...)
		})),
		variant("early-hints", "sends an interim answer 103 before the answer", openUnsaid, func(h *Hooks) {
			h.Send = func(w http.ResponseWriter, _ *Call, _ *Answer) bool {
				w.Header().Set("Link", "</style.css>; rel=preload")
				w.WriteHeader(http.StatusEarlyHints)
				return false
			}
		}),
	}
}
