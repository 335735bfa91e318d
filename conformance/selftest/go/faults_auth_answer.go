package main

import "strings"

// refusal changes the answer 401 of Create Branch.
func refusal(f func(c *Call, a *Answer)) func(*Hooks) {
	return on("unauthorized", func(c *Call, a *Answer) {
		if c.Op == "create" {
			f(c, a)
		}
	})
}

func refusalSays(sentence string) func(*Hooks) {
	return refusal(func(_ *Call, a *Answer) { a.Put("error", sentence) })
}

// refusalWhere gives a status where the header is as told.
func refusalWhere(code int, where func(c *Call) bool) func(*Hooks) {
	return refusal(func(c *Call, a *Answer) {
		if where(c) {
			a.Status = code
		}
	})
}

func noHeader(c *Call) bool { return header(c) == "" }

func wrongSecret(c *Call) bool {
	a, _, _ := known(c)
	return a != nil
}

func unknownAccount(c *Call) bool {
	_, name, _ := known(c)
	return name != "" && c.World.Accounts[name] == nil
}

func badBase64(c *Call) bool {
	coded, ok := strings.CutPrefix(header(c), "Basic ")
	return ok && coded != "" && !decodes(coded)
}

func decodes(coded string) bool {
	_, err := decode(coded)
	return err == nil
}

func withoutColon(c *Call) bool {
	coded, ok := strings.CutPrefix(header(c), "Basic ")
	if !ok {
		return false
	}
	pair, err := decode(coded)
	return err == nil && !strings.Contains(pair, ":")
}

func authAnswerFaults() []Planting {
	return []Planting{
		fault("missing-header-403", "answers 403 where the header is missing", say401, refusalWhere(403, noHeader)),
		fault("missing-header-400", "answers 400 where the header is missing", say401, refusalWhere(400, noHeader)),
		fault("wrong-secret-403", "answers 403 to a wrong secret", say401, refusalWhere(403, wrongSecret)),
		fault("unknown-account-404", "answers 404 to an unknown account", say401, refusalWhere(404, unknownAccount)),
		fault("bad-base64-500", "answers 500 to Base64 that cannot be decoded", say401, refusalWhere(500, badBase64)),
		fault("no-colon-500", "answers 500 to a decoded pair without a colon", say401, refusalWhere(500, withoutColon)),
		fault("other-scheme-400", "answers 400 to another scheme than Basic", say401,
			refusalWhere(400, func(c *Call) bool { return header(c) != "" && !strings.HasPrefix(header(c), "Basic") })),
		fault("refusal-200", "answers 200 with the body of a refusal", say401, refusalWhere(200, func(*Call) bool { return true })),
		fault("refusal-redirects", "redirects to a login page where the header is missing", say401,
			refusal(func(c *Call, a *Answer) {
				if noHeader(c) {
					a.Status = 302
					a.Set("Location", "/login")
				}
			})),
		fault("refusal-404", "answers 404 in place of 401", say401, refusalWhere(404, func(*Call) bool { return true })),
		fault("refusal-plain-text", "answers 401 with the bare text `Unauthorized`", sayErrorBody,
			refusal(func(_ *Call, a *Answer) { a.Text("Unauthorized") })),
		fault("refusal-html", "answers 401 with an HTML page", sayErrorBody, refusal(func(_ *Call, a *Answer) {
			a.Body, a.Type = []byte("<html><body><h1>401 Unauthorized</h1></body></html>"), "text/html"
		})),
		fault("refusal-empty", "answers 401 without a body", sayErrorBody,
			refusal(func(_ *Call, a *Answer) { a.Body = []byte{} })),
		fault("refusal-lowercase", "writes `unauthorized` in lower case", say401Body, refusalSays("unauthorized")),
		fault("refusal-full-stop", "puts a full stop behind `Unauthorized`", say401Body, refusalSays("Unauthorized.")),
		fault("refusal-british", "writes `Unauthorised` with an s", say401Body, refusalSays("Unauthorised")),
		fault("refusal-with-number", "writes `401 Unauthorized` as error", say401Body, refusalSays("401 Unauthorized")),
		fault("refusal-newline", "ends the error `Unauthorized` with a line feed", say401Body, refusalSays("Unauthorized\n")),
		fault("refusal-message-field", "names the field `message` in the answer 401", sayErrorBody,
			refusal(func(_ *Call, a *Answer) { a.Rename("error", "message") })),
		fault("refusal-capital-field", "names the field `Error` in the answer 401", sayErrorBody,
			refusal(func(_ *Call, a *Answer) { a.Rename("error", "Error") })),
		fault("refusal-object", "puts an object in the field error of the answer 401", sayErrorBody,
			refusal(func(_ *Call, a *Answer) { a.Put("error", map[string]string{"message": "Unauthorized"}) })),
		fault("refusal-code", "puts the number 401 in the field error", sayErrorBody,
			refusal(func(_ *Call, a *Answer) { a.Put("error", 401) })),
		fault("refusal-list", "puts the answer 401 in an array", sayErrorBody, refusal(func(_ *Call, a *Answer) {
			a.Body, a.Type = []byte(`[{"error":"Unauthorized"}]`), "application/json"
		})),
		fault("refusal-in-header", "tells `Unauthorized` in a header `x-error` with an empty object as body", sayErrorBody,
			refusal(func(_ *Call, a *Answer) {
				a.Set("X-Error", "Unauthorized")
				a.Fields = []Field{}
			})),
		fault("missing-header-told", "answers `Missing authorization header` where the header is missing", say401Body,
			refusal(func(c *Call, a *Answer) {
				if noHeader(c) {
					a.Put("error", "Missing authorization header")
				}
			})),
		fault("wrong-secret-told", "answers `Wrong secret` to a wrong secret", say401Body, refusal(func(c *Call, a *Answer) {
			if wrongSecret(c) {
				a.Put("error", "Wrong secret")
			}
		})),
		disputed("refusal-more-fields", "adds the field `status` to the answer 401", sayErrorBody,
			refusal(func(_ *Call, a *Answer) { a.Fields = append(a.Fields, Field{"status", 401}) })),
		disputed("name-before-credentials", "answers 400 to an invalid name before it looks at the credentials", say401,
			refusal(func(c *Call, a *Answer) {
				if name, ok := readName(c.Body); !ok || !validName(name) {
					*a = *failure("invalid", 400, invalidMessage(suggest(c, name)))
				}
			})),
		disputed("conflict-before-credentials", "answers 409 to a taken name before it looks at the credentials", say401,
			refusal(func(c *Call, a *Answer) {
				if name, ok := readName(c.Body); ok && c.World.OpenNamed(c.Workspace, name) != nil {
					*a = *failure("conflict", 409, takenMessage)
				}
			})),
	}
}
