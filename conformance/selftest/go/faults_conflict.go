package main

import "strings"

// freeWhere takes some taken names for free.
func freeWhere(where func(c *Call, by *Branch) bool) func(*Hooks) {
	return taken(func(c *Call, _ string, by *Branch) *Branch {
		if by != nil && where(c, by) {
			return nil
		}
		return by
	})
}

// takenWhere takes names for taken that fit an open branch of the workspace in some way.
func takenWhere(where func(b *Branch, name string) bool) func(*Hooks) {
	return takenByAny(func(b *Branch, name string) bool { return b.Open() && where(b, name) })
}

// takenByAny looks at closed and merged branches too.
func takenByAny(where func(b *Branch, name string) bool) func(*Hooks) {
	return taken(func(c *Call, name string, by *Branch) *Branch {
		for _, b := range c.World.Branches[c.Workspace] {
			if by == nil && where(b, name) {
				by = b
			}
		}
		return by
	})
}

func hasStatus(s string) func(*Call, *Branch) bool {
	return func(_ *Call, by *Branch) bool { return by.Status == s }
}

// position is a branch's place in its workspace, from 0.
func position(c *Call, by *Branch) int {
	for i, b := range c.World.Branches[c.Workspace] {
		if b == by {
			return i
		}
	}
	return -1
}

func conflictFaults() []Planting {
	return []Planting{
		fault("duplicates-allowed", "creates a second branch of a name that is taken", say409,
			freeWhere(func(*Call, *Branch) bool { return true })),
		fault("duplicate-of-draft", "creates a second branch of the name of a Draft branch", sayFree, freeWhere(hasStatus(draft))),
		fault("duplicate-of-ready", "creates a second branch of the name of a ReadyForReview branch", sayFree, freeWhere(hasStatus(readyForReview))),
		fault("duplicate-of-approved", "creates a second branch of the name of an Approved branch", sayFree, freeWhere(hasStatus(approved))),
		fault("duplicate-by-another-account", "creates a second branch of a name that another account took", sayFree,
			freeWhere(func(c *Call, by *Branch) bool { return by.Account != c.Account.Name })),
		fault("duplicate-on-third-try", "creates the branch at every third request for a name that is taken", sayFree, thirdTry),
		fault("duplicate-of-old", "creates a second branch of a name that was taken more than 40 branches ago", sayFree,
			freeWhere(func(c *Call, by *Branch) bool { return len(c.World.Branches[c.Workspace])-position(c, by) > 40 })),
		fault("duplicate-past-100", "creates a second branch of a name that is taken by the 101st or a later branch", sayFree,
			freeWhere(func(c *Call, by *Branch) bool { return position(c, by) >= 100 })),
		fault("duplicate-of-newest", "creates a second branch of the name of the newest branch", sayFree,
			freeWhere(func(c *Call, by *Branch) bool { return position(c, by) == len(c.World.Branches[c.Workspace])-1 })),
		fault("duplicate-of-first", "creates a second branch of the name of the workspace's first branch", sayFree,
			freeWhere(func(c *Call, by *Branch) bool { return position(c, by) == 0 })),
		fault("duplicate-within-a-moment", "creates a second branch of a name that was taken less than 300 ms ago", sayFree,
			freeWhere(func(_ *Call, by *Branch) bool { return sinceCreation(by) < 0.3 })),
		fault("duplicate-of-one-character", "creates a second branch of a name of one character", sayFree,
			freeWhere(func(_ *Call, by *Branch) bool { return len(by.Name) == 1 })),
		fault("duplicate-of-digits", "creates a second branch of a name of digits alone", sayFree,
			freeWhere(func(_ *Call, by *Branch) bool { return strings.Trim(by.Name, "0123456789") == "" })),
		fault("duplicate-in-south", "creates a second branch of a taken name in the workspace south", sayFree,
			freeWhere(func(c *Call, _ *Branch) bool { return c.Workspace == "south" })),
		fault("duplicate-after-reuse", "finds no conflict for a name that a closed or merged branch had before the open one", sayFree,
			freeWhere(func(c *Call, by *Branch) bool {
				for _, b := range c.World.Branches[c.Workspace] {
					if b.Name == by.Name && !b.Open() {
						return true
					}
				}
				return false
			})),
		fault("taken-in-other-workspace", "answers 409 to a name that only the other workspace has", sayFree,
			taken(func(c *Call, name string, by *Branch) *Branch {
				if by == nil {
					by = c.World.OpenNamed(other(c.Workspace), name)
				}
				return by
			})),
		disputed("taken-by-closed", "answers 409 to the name of a Closed branch", sayFree,
			takenByAny(func(b *Branch, name string) bool { return b.Status == closed && b.Name == name })),
		disputed("taken-by-merged", "answers 409 to the name of a Merged branch", sayFree,
			takenByAny(func(b *Branch, name string) bool { return b.Status == merged && b.Name == name })),
		fault("taken-by-longer", "answers 409 to a name with which the name of another branch starts", sayCreated,
			takenWhere(func(b *Branch, name string) bool { return strings.HasPrefix(b.Name, name) })),
		fault("taken-by-shorter", "answers 409 to a name that starts with the name of another branch", sayCreated,
			takenWhere(func(b *Branch, name string) bool { return strings.HasPrefix(name, b.Name) })),
		fault("taken-by-same-letters", "compares names without their hyphens", sayCreated,
			takenWhere(func(b *Branch, name string) bool {
				return strings.ReplaceAll(b.Name, "-", "") == strings.ReplaceAll(name, "-", "")
			})),
		fault("taken-by-first-16", "compares only the first 16 characters of names", sayCreated,
			takenWhere(func(b *Branch, name string) bool { return cut(16)(b.Name) == cut(16)(name) })),
		fault("taken-by-64-start", "compares only the first 64 characters of names", sayCreated,
			takenWhere(func(b *Branch, name string) bool { return cut(64)(b.Name) == cut(64)(name) })),
		fault("taken-by-number-value", "compares names of digits as numbers", sayCreated,
			takenWhere(func(b *Branch, name string) bool {
				digits := strings.Trim(b.Name+name, "0123456789") == ""
				return digits && strings.TrimLeft(b.Name, "0") == strings.TrimLeft(name, "0")
			})),
		fault("taken-by-status", "answers 409 to a name that is a status in use, in lower case", sayCreated,
			takenWhere(func(b *Branch, name string) bool { return strings.ToLower(b.Status) == name })),
		fault("taken-after-rejection", "keeps the suggested name of a rejection as taken", sayCreated, suggestionTaken),
		fault("conflict-deletes", "deletes the branch that has the name as it answers 409", say409, onConflict(func(c *Call, b *Branch) { c.World.Remove(b) })),
		fault("conflict-renews-date", "sets the creation date of the branch that has the name anew", sayCreation,
			onConflict(func(_ *Call, b *Branch) { b.Created = b.Created.Add(sinceDuration(b)) })),
		fault("conflict-changes-owner", "makes the requester the creator of the branch that has the name", sayCreatorEmail,
			onConflict(func(c *Call, b *Branch) { b.CreatorID, b.CreatorEmail = c.Account.UserID(), c.Account.Email() })),
		disputed("conflict-resets-status", "sets the branch that has the name back to Draft", sayStatus,
			onConflict(func(_ *Call, b *Branch) { b.Status = draft })),
		fault("conflict-stores-too", "answers 409 but stores a second branch", say409, onConflict(func(c *Call, b *Branch) {
			c.World.Branches[b.Workspace] = append(c.World.Branches[b.Workspace], c.World.newBranch(b.Name, c.Account))
		})),
	}
}
