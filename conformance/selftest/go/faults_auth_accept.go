package main

import (
	"net/http"
	"strings"
	"time"
)

func known(c *Call) (a *Account, name, secret string) {
	name, secret, _ = c.Basic()
	return c.World.Accounts[name], name, secret
}

// secretFits lets a known account in when its secret and the given one fit in some way.
func secretFits(fits func(right, given string) bool) func(*Hooks) {
	return admit(func(c *Call) *Account {
		if a, _, given := known(c); a != nil && fits(a.Secret, given) {
			return a
		}
		return nil
	})
}

// anyone is an account of the workspace, for faults that don't look who calls.
func anyone(c *Call) *Account {
	if c.Workspace == "south" {
		return c.World.Accounts["gamma"]
	}
	return c.World.Accounts["alpha"]
}

func admitFor(op string, f func(c *Call) bool) func(*Hooks) {
	return admit(func(c *Call) *Account {
		if (op == "" || c.Op == op) && f(c) {
			return anyone(c)
		}
		return nil
	})
}

func header(c *Call) string { return c.Request.Header.Get("Authorization") }

func pairProves(c *Call, pair string) *Account {
	name, secret, _ := strings.Cut(pair, ":")
	return c.Lookup(name, secret)
}

func codedProves(c *Call, coded string) *Account {
	name, secret, ok := splitPair(coded)
	if !ok {
		return nil
	}
	return c.Lookup(name, secret)
}

func authAcceptFaults() []Planting {
	return []Planting{
		fault("create-without-header", "creates branches without an authorization header", say401,
			admitFor("create", func(c *Call) bool { return header(c) == "" })),
		fault("export-without-header", "exports without an authorization header", sayAuth,
			admitFor("export", func(c *Call) bool { return header(c) == "" })),
		fault("export-with-any-header", "exports with whatever authorization header there is", sayAuth,
			admitFor("export", func(c *Call) bool { return header(c) != "" })),
		fault("any-secret", "accepts any secret for a known account", say401,
			secretFits(func(_, _ string) bool { return true })),
		fault("any-secret-on-export", "accepts any secret for a known account on export only", sayAuth,
			admit(func(c *Call) *Account {
				if a, _, _ := known(c); c.Op == "export" {
					return a
				}
				return nil
			})),
		fault("any-secret-for-beta", "accepts any secret for the account beta", say401,
			admit(func(c *Call) *Account {
				if a, name, _ := known(c); name == "beta" {
					return a
				}
				return nil
			})),
		fault("any-account-name", "accepts a right secret under an account name that does not exist", say401,
			admit(func(c *Call) *Account {
				a, _, secret := known(c)
				for _, o := range c.World.Accounts {
					if a == nil && secret == o.Secret {
						return o
					}
				}
				return nil
			})),
		fault("empty-secret", "accepts an empty secret", say401,
			secretFits(func(_, given string) bool { return given == "" })),
		fault("secret-without-last-character", "accepts a secret that lacks its last character", say401,
			secretFits(func(right, given string) bool { return given == right[:len(right)-1] })),
		fault("secret-with-more-behind", "accepts a right secret with further characters behind it", say401,
			secretFits(func(right, given string) bool { return strings.HasPrefix(given, right) })),
		fault("secret-first-eight", "compares only the first eight characters of a secret", say401,
			secretFits(func(right, given string) bool { return len(given) >= 8 && given[:8] == right[:8] })),
		fault("secret-any-case", "compares secrets without regard to case", say401, secretFits(strings.EqualFold)),
		fault("secret-trimmed", "accepts white space around the secret", say401,
			secretFits(func(right, given string) bool { return strings.TrimSpace(given) == right })),
		fault("secret-to-second-colon", "compares a secret only up to its first colon", say401,
			secretFits(func(right, given string) bool {
				r, _, _ := strings.Cut(right, ":")
				g, _, _ := strings.Cut(given, ":")
				return r == g
			})),
		fault("account-any-case", "accepts the account's name in another case", say401,
			admit(func(c *Call) *Account {
				name, secret, _ := c.Basic()
				return c.Lookup(strings.ToLower(name), secret)
			})),
		fault("pair-swapped", "accepts secret and account name in swapped order", say401,
			admit(func(c *Call) *Account {
				name, secret, _ := c.Basic()
				return c.Lookup(secret, name)
			})),
		fault("secret-of-another", "accepts the secret of another account of the workspace", say401,
			admit(func(c *Call) *Account {
				a, _, secret := known(c)
				for _, o := range c.World.Accounts {
					if a != nil && o.Workspace == a.Workspace && o.Secret == secret {
						return a
					}
				}
				return nil
			})),
		fault("pair-not-encoded", "accepts the pair after `Basic ` without Base64", say401,
			admit(func(c *Call) *Account {
				pair, ok := strings.CutPrefix(header(c), "Basic ")
				if !ok {
					return nil
				}
				return pairProves(c, pair)
			})),
		fault("bearer-scheme", "accepts the pair under the scheme Bearer", say401,
			admit(func(c *Call) *Account {
				coded, ok := strings.CutPrefix(header(c), "Bearer ")
				if !ok {
					return nil
				}
				return codedProves(c, coded)
			})),
		fault("no-scheme", "accepts the Base64 text without `Basic ` before it", say401,
			admit(func(c *Call) *Account { return codedProves(c, header(c)) })),
		fault("any-scheme", "accepts the pair after any word as scheme", say401,
			admit(func(c *Call) *Account {
				_, coded, _ := strings.Cut(header(c), " ")
				return codedProves(c, coded)
			})),
		fault("words-behind-base64", "accepts further words behind the Base64 text", say401,
			admit(func(c *Call) *Account {
				words := strings.Fields(header(c))
				if len(words) < 3 || words[0] != "Basic" {
					return nil
				}
				return codedProves(c, words[1])
			})),
		fault("credentials-in-query", "accepts the credentials in a query parameter `authorization`", say401,
			admit(func(c *Call) *Account {
				name, secret, _ := splitBasic(c.URL.Query().Get("authorization"))
				return c.Lookup(name, secret)
			})),
		fault("credentials-in-other-header", "accepts the credentials in a header `x-authorization`", say401,
			admit(func(c *Call) *Account {
				name, secret, _ := splitBasic(c.Request.Header.Get("X-Authorization"))
				return c.Lookup(name, secret)
			})),
		fault("connection-stays-authorized", "asks for no header on a connection that was authorized before", say401,
			admitFor("", func(c *Call) bool { return header(c) == "" && c.Conn.Authed })),
		fault("every-tenth-unchecked", "does not check the credentials of every tenth create request", say401,
			admitFor("create", func(c *Call) bool { return c.Nth%10 == 0 })),
		fault("empty-header-value", "accepts an authorization header without a value", say401,
			admitFor("", func(c *Call) bool {
				v, ok := c.Request.Header["Authorization"]
				return ok && v[0] == ""
			})),
		fault("empty-credentials", "accepts the Base64 encoding of a lone colon", say401,
			admitFor("", func(c *Call) bool { return header(c) == "Basic Og==" })),
		fault("creates-in-spite-of-401", "creates the branch though it answers 401 to a wrong secret", sayAuth, createsInSpite),
		fault("authorized-for-a-moment", "asks for no header within a second after an authorized request", say401, authorizedForAMoment),
		fault("cookie-in-place-of-header", "sets a cookie and later takes it in place of the header", say401, cookieInPlace),
	}
}

func createsInSpite(h *Hooks) {
	h.Auth = func(c *Call, a *Account) *Account {
		name, ok := readName(c.Body)
		who, _, _ := known(c)
		if a == nil && who != nil && c.Op == "create" && c.Here(who) != nil && ok && validName(name) &&
			c.World.OpenNamed(c.Workspace, name) == nil {
			c.World.Branches[c.Workspace] = append(c.World.Branches[c.Workspace], c.World.newBranch(name, who))
		}
		return a
	}
}

func authorizedForAMoment(h *Hooks) {
	var last time.Time
	h.Auth = func(c *Call, a *Account) *Account {
		if a != nil {
			last = time.Now()
		} else if header(c) == "" && time.Since(last) < time.Second {
			return anyone(c)
		}
		return a
	}
}

func cookieInPlace(h *Hooks) {
	admitFor("", func(c *Call) bool {
		k, err := c.Cookie("session")
		return err == nil && k.Value == "s-4711"
	})(h)
	h.Answer = func(c *Call, a *Answer) {
		if c.Account != nil {
			a.Set("Set-Cookie", (&http.Cookie{Name: "session", Value: "s-4711", Path: "/"}).String())
		}
	}
}
