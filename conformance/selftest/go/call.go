package main

import (
	"context"
	"encoding/base64"
	"io"
	"net"
	"net/http"
	"strings"
)

// Conn is what a service remembers about one connection.
type Conn struct {
	Requests int
	Authed   bool
	Last     map[string]*Answer // the last answer of each kind
}

type connKey struct{}

func withConn(ctx context.Context, _ net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, &Conn{Last: map[string]*Answer{}})
}

// Call is one request on its way through the service.
type Call struct {
	*http.Request
	World     *World
	Op        string // "create", "export", "seed" or "" for anything else
	Workspace string
	Body      []byte
	Account   *Account
	Name      string // the requested branch name, once it is read
	Nth       int    // which request of its operation this is, from 1
	InFlight  int    // how many requests were being handled on arrival, this one included
	Conn      *Conn
}

func (s *Service) newCall(r *http.Request) (*Call, error) {
	body, err := io.ReadAll(r.Body)
	c := &Call{Request: r, World: s.World, Body: body}
	c.Conn, _ = r.Context().Value(connKey{}).(*Conn)
	if c.Conn == nil {
		c.Conn = &Conn{Last: map[string]*Answer{}}
	}
	c.route()
	return c, err
}

// route finds the operation that the path and the method name.
func (c *Call) route() {
	p := strings.Split(strings.TrimPrefix(c.URL.Path, "/"), "/")
	switch {
	case c.URL.Path == "/seed" && c.Method == "POST":
		c.Op = "seed"
	case len(p) == 4 && p[0] == "workspaces" && p[2] == "branches" && p[3] == "v1":
		c.Op, c.Workspace = "create", p[1]
	case len(p) == 5 && p[0] == "workspaces" && p[2] == "branches" && p[3] == "export" && p[4] == "v1":
		c.Op, c.Workspace = "export", p[1]
	}
}

// Basic takes the account's name and secret out of the authorization header.
func (c *Call) Basic() (name, secret string, ok bool) {
	return splitBasic(c.Request.Header.Get("Authorization"))
}

func splitBasic(header string) (name, secret string, ok bool) {
	coded, ok := strings.CutPrefix(header, "Basic ")
	if !ok {
		return "", "", false
	}
	return splitPair(coded)
}

func splitPair(coded string) (name, secret string, ok bool) {
	pair, err := decode(coded)
	if err != nil {
		return "", "", false
	}
	return strings.Cut(pair, ":")
}

// Lookup finds the account that a name and a secret prove.
func (c *Call) Lookup(name, secret string) *Account {
	a := c.World.Accounts[name]
	if a == nil || a.Secret != secret {
		return nil
	}
	return a
}

// Here keeps an account only where the workspace of the call is its own or is unknown.
func (c *Call) Here(a *Account) *Account {
	if a == nil {
		return nil
	}
	if _, known := c.World.Branches[c.Workspace]; known && a.Workspace != c.Workspace {
		return nil
	}
	return a
}

// decode gives the text behind Base64.
func decode(coded string) (string, error) {
	pair, err := base64.StdEncoding.DecodeString(coded)
	return string(pair), err
}
