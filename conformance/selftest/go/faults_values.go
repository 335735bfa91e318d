package main

import (
	"strconv"
	"strings"
)

// creatorCells shows another account as the creator.
func creatorCells(f func(c *Call, b *Branch) *Account) func(*Hooks) {
	return func(h *Hooks) {
		h.Cell = func(c *Call, b *Branch, column, text string) string {
			a := f(c, b)
			switch {
			case a != nil && column == "branchCreatorId":
				return a.UserID()
			case a != nil && column == "branchCreatorEmail":
				return a.Email()
			}
			return text
		}
	}
}

func listCell(f func(emails []string) string) func(*Hooks) {
	return cells("collaborators", func(_ *Call, b *Branch, _ string) string { return f(b.Collaborators) })
}

func localPart(s string) string {
	s, _, _ = strings.Cut(s, "@")
	return s
}

// helpers changes the list where there is someone in it.
func helpers(f func(emails []string) []string) func(*Hooks) {
	return listCell(func(e []string) string {
		if len(e) == 0 {
			return emailList(e)
		}
		return emailList(f(e))
	})
}

func valueFaults() []Planting {
	return []Planting{
		fault("creator-is-requester", "exports the account that asks as creator of every branch", sayCreatorID,
			creatorCells(func(c *Call, _ *Branch) *Account { return c.Account })),
		fault("creator-is-last-creator", "exports the creator of the newest branch as creator of all", sayCreatorID,
			creatorCells(func(c *Call, _ *Branch) *Account {
				l := c.World.Branches[c.Workspace]
				return c.World.Accounts[l[len(l)-1].Account]
			})),
		fault("creator-id-empty", "exports no branchCreatorId", sayCreatorID, text("branchCreatorId", func(string) string { return "" })),
		fault("creator-email-empty", "exports no branchCreatorEmail", sayCreatorEmail, text("branchCreatorEmail", func(string) string { return "" })),
		fault("creator-id-branch-id", "exports the branch's id as branchCreatorId", sayCreatorID,
			cells("branchCreatorId", func(_ *Call, b *Branch, _ string) string { return b.ID })),
		fault("creator-id-changes", "exports another branchCreatorId in every export", sayCreatorID,
			cells("branchCreatorId", func(c *Call, _ *Branch, t string) string { return t + "-" + strconv.Itoa(c.Nth) })),
		fault("creator-email-without-domain", "exports only the part before the @ of branchCreatorEmail", sayCreatorEmail, text("branchCreatorEmail", localPart)),
		fault("creator-email-is-account", "exports the account's bare name as branchCreatorEmail", sayCreatorEmail,
			cells("branchCreatorEmail", func(_ *Call, b *Branch, _ string) string { return b.Account })),
		fault("creator-email-masked", "exports branchCreatorEmail with stars for all but its first character", sayCreatorEmail,
			text("branchCreatorEmail", func(s string) string { return s[:1] + strings.Repeat("*", len(s)-1) })),
		fault("creator-email-id", "exports the user id as branchCreatorEmail too", sayCreatorEmail,
			cells("branchCreatorEmail", func(_ *Call, b *Branch, _ string) string { return b.CreatorID })),
		fault("creator-is-merger", "exports the merging user as creator of Merged branches", sayCreatorEmail,
			cells("branchCreatorEmail", func(_ *Call, b *Branch, t string) string {
				if b.Status == merged {
					return b.MergedBy
				}
				return t
			})),
		fault("creator-becomes-reviewer", "exports the user who marked it ready as the creator's e-mail from then on", sayCreatorEmail,
			cells("branchCreatorEmail", func(_ *Call, b *Branch, t string) string {
				if b.ReadyBy != "" {
					return b.ReadyBy
				}
				return t
			})),
		fault("creator-lost-on-close", "exports no creator for Closed branches", sayCreatorID, func(h *Hooks) {
			h.Cell = func(_ *Call, b *Branch, column, t string) string {
				if b.Status == closed && strings.HasPrefix(column, "branchCreator") {
					return ""
				}
				return t
			}
		}),
		fault("collaborators-count", "exports the number of collaborators", sayCollaborators,
			listCell(func(e []string) string { return strconv.Itoa(len(e)) })),
		fault("collaborators-names", "exports the collaborators' names in place of their e-mails", sayCollaborators,
			helpers(func(e []string) []string {
				out := []string{}
				for _, s := range e {
					out = append(out, localPart(s))
				}
				return out
			})),
		fault("collaborators-ids", "exports the collaborators' user ids in place of their e-mails", sayCollaborators,
			helpers(func(e []string) []string {
				out := []string{}
				for _, s := range e {
					out = append(out, "usr_"+localPart(s))
				}
				return out
			})),
		fault("collaborators-object-text", "exports `[object Object]` for each collaborator", sayCollaborators,
			helpers(func(e []string) []string {
				return strings.Split(strings.Repeat("[object Object],", len(e)-1)+"[object Object]", ",")
			})),
		fault("collaborators-type-name", "exports `System.String[]` where there are collaborators", sayCollaborators,
			text("collaborators", func(s string) string {
				if s == "[]" {
					return s
				}
				return "System.String[]"
			})),
		fault("collaborators-cut", "cuts the cell of the collaborators after 20 characters", sayCollaborators, text("collaborators", cut(20))),
		fault("collaborators-of-workspace", "exports the collaborators of the whole workspace for each branch", sayCollaborators,
			cells("collaborators", func(c *Call, _ *Branch, _ string) string {
				var all []string
				for _, b := range c.World.Branches[c.Workspace] {
					all = append(all, b.Collaborators...)
				}
				return emailList(all)
			})),
		fault("collaborators-of-row-before", "adds the collaborators of the row before to each row", sayCollaborators,
			cells("collaborators", func(c *Call, b *Branch, t string) string {
				i := position(c, b)
				if i < 1 {
					return t
				}
				return emailList(append(append([]string{}, c.World.Branches[c.Workspace][i-1].Collaborators...), b.Collaborators...))
			})),
		fault("collaborators-once", "exports collaborators only the first time", sayCollaborators,
			cells("collaborators", func(c *Call, _ *Branch, t string) string {
				if c.Nth > 1 {
					return "[]"
				}
				return t
			})),
		fault("collaborators-lost-on-merge", "exports no collaborators once a branch is Merged", sayCollaborators,
			cells("collaborators", func(_ *Call, b *Branch, t string) string {
				if b.Status == merged {
					return "[]"
				}
				return t
			})),
		fault("collaborators-grow", "adds the same collaborators again at each change of status", sayCollaborators, func(h *Hooks) {
			h.Seeded = func(_ *Call, b *Branch) { b.Collaborators = append(b.Collaborators, b.Collaborators...) }
		}),
		disputed("collaborators-creator-too", "lists the creator among the collaborators", sayCollaborators,
			cells("collaborators", func(_ *Call, b *Branch, _ string) string {
				return emailList(append([]string{b.CreatorEmail}, b.Collaborators...))
			})),
		fault("collaborators-columns", "spreads the collaborators over several cells", sayColumns, func(h *Hooks) {
			h.Table = func(c *Call, t [][]string) [][]string {
				for i, b := range c.World.Branches[c.Workspace] {
					for n, e := range b.Collaborators {
						if n == 0 {
							t[i+1][6] = e
						} else {
							t[i+1] = append(t[i+1][:6+n:6+n], append([]string{e}, t[i+1][6+n:]...)...)
						}
					}
				}
				return t
			}
		}),
	}
}
