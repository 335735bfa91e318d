package main

import (
	"bytes"
	"net"
	"strings"
	"time"
)

// denying refuses some of the accounts that are in the right.
func denying(f func(c *Call) bool) func(*Hooks) {
	return auth(func(c *Call, a *Account) *Account {
		if a != nil && f(c) {
			return nil
		}
		return a
	})
}

func authRefuseFaults() []Planting {
	return []Planting{
		fault("colon-in-secret-refused", "refuses secrets that hold a colon", sayAuth, denying(func(c *Call) bool {
			_, secret, _ := c.Basic()
			return strings.Contains(secret, ":")
		})),
		fault("refused-after-100-requests", "refuses right credentials after 100 create requests", sayAuth,
			denying(func(c *Call) bool { return c.Op == "create" && c.Nth > 100 })),
		fault("every-twentieth-refused", "answers 401 to every twentieth create request with right credentials", sayAuth,
			denying(func(c *Call) bool { return c.Op == "create" && c.Nth%20 == 0 })),
		fault("south-cannot-export", "refuses right credentials on the export of the workspace south", sayAuth,
			denying(func(c *Call) bool { return c.Op == "export" && c.Workspace == "south" })),
		fault("one-account-a-workspace", "refuses all but the account that called first in a workspace", sayAuth, oneAccount),
		fault("refused-after-wrong-secret", "refuses the right secret once after a wrong one for the same account", sayAuth, staleRefusal),
		disputed("locked-after-three", "refuses the right secret for good after three wrong ones", sayAuth, lockOut),
		fault("refused-while-busy", "answers 401 to right credentials while another request is being handled", sayAuth, refusedWhileBusy),
		fault("refused-on-reused-connection", "answers 401 to right credentials from the third request of a connection on", sayAuth,
			denying(func(c *Call) bool { return c.Conn.Requests >= 2 })),
		fault("lowercase-header-name", "does not see the header when its name is written in lower case", sayAuth,
			func(h *Hooks) { h.Conn = func(c net.Conn) net.Conn { return lowercaseBlind{c} } }),
	}
}

// lowercaseBlind spoils the name of an authorization header that is written in lower case.
type lowercaseBlind struct{ net.Conn }

func (l lowercaseBlind) Read(p []byte) (int, error) {
	n, err := l.Conn.Read(p)
	copy(p[:n], bytes.ReplaceAll(p[:n], []byte("\nauthorization:"), []byte("\nauthorizatiox:")))
	return n, err
}

func oneAccount(h *Hooks) {
	first := map[string]*Account{}
	h.Auth = func(c *Call, a *Account) *Account {
		if a == nil {
			return nil
		}
		if first[a.Workspace] == nil {
			first[a.Workspace] = a
		}
		if first[a.Workspace] != a {
			return nil
		}
		return a
	}
}

func staleRefusal(h *Hooks) {
	wrong := map[string]bool{}
	h.Auth = func(c *Call, a *Account) *Account {
		name, _, _ := c.Basic()
		if a != nil && wrong[name] {
			delete(wrong, name)
			return nil
		}
		wrong[name] = a == nil
		return a
	}
}

func lockOut(h *Hooks) {
	wrong := map[string]int{}
	h.Auth = func(c *Call, a *Account) *Account {
		who, name, secret := known(c)
		if who != nil && who.Secret != secret {
			wrong[name]++
		}
		if wrong[name] >= 3 {
			return nil
		}
		return a
	}
}

func refusedWhileBusy(h *Hooks) {
	h.Before = linger
	h.Auth = func(c *Call, a *Account) *Account {
		if c.InFlight > 1 {
			return nil
		}
		return a
	}
}

// linger makes requests that come together overlap.
func linger(*Call) { time.Sleep(15 * time.Millisecond) }
