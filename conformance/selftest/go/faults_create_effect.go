package main

import "slices"

func stored(f func(c *Call, b *Branch)) func(*Hooks) {
	return func(h *Hooks) { h.Stored = f }
}

func made(f func(c *Call, b *Branch)) func(*Hooks) {
	return func(h *Hooks) { h.Make = f }
}

// putAt gives a branch to a workspace beside the one it was created in.
func (w *World) putAt(workspace string, b *Branch) {
	twin := *b
	twin.Workspace = workspace
	w.Branches[workspace] = append(w.Branches[workspace], &twin)
}

func createEffectFaults() []Planting {
	return []Planting{
		fault("not-stored", "answers 201 but stores no branch", sayCreated,
			stored(func(c *Call, b *Branch) { c.World.Remove(b) })),
		fault("every-seventh-not-stored", "answers 201 but stores no branch at every seventh create request", sayCreated,
			stored(func(c *Call, b *Branch) {
				if c.Nth%7 == 0 {
					c.World.Remove(b)
				}
			})),
		fault("beta-not-stored", "stores no branch that the account beta creates", sayCreated,
			stored(func(c *Call, b *Branch) {
				if c.Account.Name == "beta" {
					c.World.Remove(b)
				}
			})),
		fault("stored-elsewhere", "stores the branch in the other workspace", sayNew, made(func(_ *Call, b *Branch) {
			b.Workspace = other(b.Workspace)
		})),
		fault("stored-in-both", "stores the branch in both workspaces", sayNew,
			stored(func(c *Call, b *Branch) { c.World.putAt(other(b.Workspace), b) })),
		fault("stored-twice", "stores two branches at one creation", sayNew, stored(func(c *Call, b *Branch) {
			twin := *b
			twin.ID += "2"
			c.World.Branches[b.Workspace] = append(c.World.Branches[b.Workspace], &twin)
		})),
		fault("stored-with-suffix", "stores the branch under its name with `-1` behind it", sayCreated,
			made(func(_ *Call, b *Branch) { b.Name += "-1" })),
		fault("stored-cut-at-32", "stores names cut after 32 characters", sayCreated,
			made(func(_ *Call, b *Branch) { b.Name = cut(32)(b.Name) })),
		fault("only-newest-100-kept", "forgets the oldest branch at the creation of the 101st", sayCreated,
			stored(func(c *Call, b *Branch) {
				if l := c.World.Branches[b.Workspace]; len(l) > 100 {
					c.World.Branches[b.Workspace] = l[1:]
				}
			})),
		fault("creation-drops-drafts-of-others", "forgets the drafts of other accounts at a creation", sayAll,
			stored(func(c *Call, b *Branch) {
				c.World.Branches[b.Workspace] = slices.DeleteFunc(c.World.Branches[b.Workspace], func(o *Branch) bool {
					return o.Account != b.Account && o.Status == draft
				})
			})),
		fault("same-id-every-tenth", "gives every tenth branch the id of the one before", sayID, made(func(c *Call, b *Branch) {
			if l := c.World.Branches[b.Workspace]; len(l)%10 == 9 {
				b.ID = l[len(l)-1].ID
			}
		})),
		fault("id-of-the-closed", "gives a branch the id of a closed one that had its name", sayID, made(func(c *Call, b *Branch) {
			for _, o := range c.World.Branches[b.Workspace] {
				if o.Name == b.Name && !o.Open() {
					b.ID = o.ID
				}
			}
		})),
		fault("id-from-name-start", "makes the id of the first eight characters of the name", sayID,
			made(func(_ *Call, b *Branch) { b.ID = cut(8)(b.Name) })),
		fault("closed-is-replaced", "replaces a closed or merged branch when its name is used again", sayRow,
			stored(func(c *Call, b *Branch) {
				for _, o := range slices.Clone(c.World.Branches[b.Workspace]) {
					if o != b && o.Name == b.Name && !o.Open() {
						c.World.Remove(o)
					}
				}
			})),
		fault("creation-touches-the-one-before", "overwrites the creation date of the branch before at a creation", sayCreation,
			stored(func(c *Call, b *Branch) {
				if l := c.World.Branches[b.Workspace]; len(l) > 1 {
					l[len(l)-2].Created = b.Created.AddDate(0, 0, 1)
				}
			})),
	}
}
