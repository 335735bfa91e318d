package main

import (
	"strings"
	"time"
)

func sinceDuration(b *Branch) time.Duration { return time.Since(b.Created) }

func sinceCreation(b *Branch) float64 { return sinceDuration(b).Seconds() }

// onConflict does something to the branch that has the name.
func onConflict(f func(c *Call, b *Branch)) func(*Hooks) {
	return taken(func(c *Call, _ string, by *Branch) *Branch {
		if by != nil {
			f(c, by)
		}
		return by
	})
}

func thirdTry(h *Hooks) {
	tries := map[string]int{}
	h.Taken = func(c *Call, name string, by *Branch) *Branch {
		if by == nil {
			return nil
		}
		key := c.Workspace + "/" + name
		tries[key]++
		if tries[key]%3 == 0 {
			return nil
		}
		return by
	}
}

func suggestionTaken(h *Hooks) {
	kept := map[string]*Branch{}
	h.Suggest = func(c *Call, _, s string) string {
		kept[c.Workspace+"/"+s] = &Branch{Name: s}
		return s
	}
	h.Taken = func(c *Call, name string, by *Branch) *Branch {
		if by == nil {
			return kept[c.Workspace+"/"+name]
		}
		return by
	}
}

func clash(f func(c *Call, a *Answer)) func(*Hooks) { return on("conflict", f) }

func clashSays(sentence string) func(*Hooks) { return message("conflict", sentence) }

func conflictAnswerFaults() []Planting {
	return []Planting{
		fault("conflict-400", "answers 400 to a taken name", say409, status("conflict", 400)),
		fault("conflict-422", "answers 422 to a taken name", say409, status("conflict", 422)),
		fault("conflict-500", "answers 500 to a taken name", say409, status("conflict", 500)),
		fault("conflict-200", "answers 200 with the existing branch to a taken name", say409, existing(200)),
		fault("conflict-201", "answers 201 with the existing branch to a taken name", say409, existing(201)),
		fault("conflict-303", "redirects to the existing branch for a taken name", say409, clash(func(c *Call, a *Answer) {
			a.Status = 303
			a.Set("Location", branchURL(c.Workspace, c.World.OpenNamed(c.Workspace, c.Name).ID))
		})),
		fault("conflict-with-suggestion", "answers 409 with the sentence of an invalid name", say409Body,
			clash(func(c *Call, a *Answer) { a.Put("error", invalidMessage(suggest(c, c.Name))) })),
		fault("conflict-other-sentence", "answers `Branch already exists`", say409Body, clashSays("Branch already exists")),
		fault("conflict-lower-case", "starts the sentence of the answer 409 with a small letter", say409Body, clashSays("branch with this name already exists")),
		fault("conflict-full-stop", "ends the sentence of the answer 409 with a full stop", say409Body, clashSays(takenMessage+".")),
		fault("conflict-the-name", "writes `the same name` for `this name`", say409Body, clashSays("Branch with the same name already exists")),
		fault("conflict-names-it", "writes the taken name in the sentence of the answer 409", say409Body, clash(func(c *Call, a *Answer) {
			a.Put("error", strings.Replace(takenMessage, "this name", "name "+c.Name, 1))
		})),
		fault("conflict-blank-behind", "ends the sentence of the answer 409 with a blank", say409Body, clashSays(takenMessage+" ")),
		fault("conflict-message-field", "names the field `message` in the answer 409", sayErrorBody,
			clash(func(_ *Call, a *Answer) { a.Rename("error", "message") })),
		fault("conflict-plain-text", "answers 409 with the bare sentence", sayErrorBody, clash(func(_ *Call, a *Answer) { a.Text(takenMessage) })),
		fault("conflict-empty", "answers 409 without a body", sayErrorBody, clash(func(_ *Call, a *Answer) { a.Body = []byte{} })),
		fault("conflict-object", "puts an object in the field error of the answer 409", sayErrorBody,
			clash(func(_ *Call, a *Answer) { a.Put("error", map[string]any{"code": "CONFLICT", "message": takenMessage}) })),
		fault("conflict-list", "puts a list in the field error of the answer 409", sayErrorBody,
			clash(func(_ *Call, a *Answer) { a.Put("error", []string{takenMessage}) })),
		disputed("conflict-more-fields", "adds the field `branchId` to the answer 409", sayErrorBody, clash(func(c *Call, a *Answer) {
			a.Fields = append(a.Fields, Field{"branchId", c.World.OpenNamed(c.Workspace, c.Name).ID})
		})),
	}
}

func existing(code int) func(*Hooks) {
	return clash(func(c *Call, a *Answer) {
		b := c.World.OpenNamed(c.Workspace, c.Name)
		a.Status = code
		a.Fields = []Field{{"branchId", b.ID}, {"branchName", b.Name}, {"branchUrl", branchURL(c.Workspace, b.ID)}}
	})
}
