package main

import (
	"bytes"
	"fmt"
	"net/http"
)

func rewritten(f func(body []byte) []byte) func(*Hooks) {
	return after("created", func(_ *Call, a *Answer) { a.Body = f(a.Body) })
}

func createdWireFaults() []Planting {
	return []Planting{
		fault("json-trailing-comma", "ends the object of the answer 201 with a comma", sayFields,
			rewritten(func(b []byte) []byte { return append(b[:len(b)-1:len(b)-1], ",}"...) })),
		fault("json-single-quotes", "writes the answer 201 with single quotes", sayFields,
			rewritten(func(b []byte) []byte { return bytes.ReplaceAll(b, []byte(`"`), []byte(`'`)) })),
		fault("json-cut", "lacks the closing brace of the answer 201", sayFields,
			rewritten(func(b []byte) []byte { return b[:len(b)-1] })),
		fault("json-twice", "writes the object of the answer 201 twice", sayFields,
			rewritten(func(b []byte) []byte { return bytes.Repeat(b, 2) })),
		fault("json-guard", "puts the guard `)]}',` before the answer 201", sayFields,
			rewritten(func(b []byte) []byte { return append([]byte(")]}',\n"), b...) })),
		fault("json-unquoted-keys", "writes the keys of the answer 201 without quotes", sayFields, on("created", func(_ *Call, a *Answer) {
			a.Body = fmt.Appendf(nil, `{branchId:%q,branchName:%q,branchUrl:%q}`,
				a.Field("branchId"), a.Field("branchName"), a.Field("branchUrl"))
			a.Type = "application/json"
		})),
		fault("created-as-form", "answers the three fields form-encoded", sayFields, on("created", func(_ *Call, a *Answer) {
			a.Body = fmt.Appendf(nil, "branchId=%v&branchName=%v&branchUrl=%v",
				a.Field("branchId"), a.Field("branchName"), a.Field("branchUrl"))
			a.Type = "application/x-www-form-urlencoded"
		})),
		fault("created-empty-body", "answers 201 without a body", sayFields,
			on("created", func(_ *Call, a *Answer) { a.Body = []byte{} })),
		fault("created-cut-off", "breaks the connection in the middle of the answer 201 to every fifth create request", sayFields,
			func(h *Hooks) {
				h.Send = func(w http.ResponseWriter, c *Call, a *Answer) bool {
					return a.Kind == "created" && c.Nth%5 == 0 && cutOff(w, a)
				}
			}),
		fault("export-cut-off", "breaks the connection in the middle of an export of more than ten branches", sayAll,
			func(h *Hooks) {
				h.Send = func(w http.ResponseWriter, c *Call, a *Answer) bool {
					return a.Kind == "export" && bytes.Count(a.Body, []byte("\n")) > 11 && cutOff(w, a)
				}
			}),
		fault("first-answer-again-on-connection", "repeats the first answer 201 for later creations on the same connection", sayCreated,
			func(h *Hooks) {
				after("created", func(c *Call, a *Answer) {
					if last := c.Conn.Last["created"]; last != nil {
						a.Body = last.Body
					}
				})(h)
			}),
	}
}

// cutOff promises the whole body, sends half of it and hangs up.
func cutOff(w http.ResponseWriter, a *Answer) bool {
	conn, buffer, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return false
	}
	fmt.Fprintf(buffer, "HTTP/1.1 %d %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n",
		a.Status, http.StatusText(a.Status), a.Type, len(a.Body))
	// The client is to see a broken answer, so nothing here can go more wrong.
	_, _ = buffer.Write(a.Body[:len(a.Body)/2])
	_ = buffer.Flush()
	_ = conn.Close()
	return true
}
