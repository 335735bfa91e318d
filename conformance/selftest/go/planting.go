package main

// Planting is one deviation from the correct service: a fault or a lawful variant.
type Planting struct {
	Name       string `json:"name"`
	Does       string `json:"does"`
	Clause     string `json:"clause"`
	Disputable bool   `json:"disputable"`
	plant      func(*Hooks)
}

func fault(name, does, clause string, plant func(*Hooks)) Planting {
	return Planting{name, does, clause, false, plant}
}

// disputed is a fault that a careful reader of the document might let pass.
func disputed(name, does, clause string, plant func(*Hooks)) Planting {
	return Planting{name, does, clause, true, plant}
}

// variant is lawful; its clause is the sentence that leaves it open.
func variant(name, does, clause string, plant func(*Hooks)) Planting {
	return Planting{name, does, clause, false, plant}
}

func join(lists ...[]Planting) []Planting {
	var all []Planting
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}

// The helpers below make a planting of the one hook that it needs.

func auth(f func(c *Call, a *Account) *Account) func(*Hooks) {
	return func(h *Hooks) { h.Auth = f }
}

// admit lets in further accounts where the correct service would not.
func admit(f func(c *Call) *Account) func(*Hooks) {
	return auth(func(c *Call, a *Account) *Account {
		if a != nil {
			return a
		}
		return c.Here(f(c))
	})
}

func read(f func(c *Call, name string, ok bool) (string, bool)) func(*Hooks) {
	return func(h *Hooks) { h.Read = f }
}

// allow takes further names for valid.
func allow(f func(name string) bool) func(*Hooks) {
	return func(h *Hooks) {
		h.Valid = func(_ *Call, name string, ok bool) bool { return ok || f(name) }
	}
}

// refuse takes some valid names for invalid.
func refuse(f func(name string) bool) func(*Hooks) {
	return func(h *Hooks) {
		h.Valid = func(_ *Call, name string, ok bool) bool { return ok && !f(name) }
	}
}

func suggesting(f func(c *Call, name, suggestion string) string) func(*Hooks) {
	return func(h *Hooks) { h.Suggest = f }
}

func taken(f func(c *Call, name string, by *Branch) *Branch) func(*Hooks) {
	return func(h *Hooks) { h.Taken = f }
}

func branches(f func(c *Call, list []*Branch) []*Branch) func(*Hooks) {
	return func(h *Hooks) { h.Branches = f }
}

func cells(column string, f func(c *Call, b *Branch, text string) string) func(*Hooks) {
	return func(h *Hooks) {
		h.Cell = func(c *Call, b *Branch, col, text string) string {
			if col == column {
				return f(c, b, text)
			}
			return text
		}
	}
}

// text changes every filled cell of a column.
func text(column string, f func(string) string) func(*Hooks) {
	return cells(column, func(_ *Call, _ *Branch, t string) string {
		if t == "" {
			return t
		}
		return f(t)
	})
}

func table(f func(t [][]string) [][]string) func(*Hooks) {
	return func(h *Hooks) { h.Table = func(_ *Call, t [][]string) [][]string { return f(t) } }
}

func csvText(f func(body string) string) func(*Hooks) {
	return func(h *Hooks) { h.CSV = func(_ *Call, body string) string { return f(body) } }
}

// on changes the answers of one kind before their bodies are encoded.
func on(kind string, f func(c *Call, a *Answer)) func(*Hooks) {
	return func(h *Hooks) {
		h.Answer = func(c *Call, a *Answer) {
			if a.Kind == kind {
				f(c, a)
			}
		}
	}
}

// after changes the answers of one kind once their bodies are encoded.
func after(kind string, f func(c *Call, a *Answer)) func(*Hooks) {
	return func(h *Hooks) {
		h.Bytes = func(c *Call, a *Answer) {
			if a.Kind == kind {
				f(c, a)
			}
		}
	}
}

func status(kind string, code int) func(*Hooks) {
	return on(kind, func(_ *Call, a *Answer) { a.Status = code })
}

// message replaces the error sentence of one kind of answer.
func message(kind, sentence string) func(*Hooks) {
	return on(kind, func(_ *Call, a *Answer) { a.Put("error", sentence) })
}
