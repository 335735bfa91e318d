package main

import (
	"net"
	"net/http"
)

// Hooks are the places where a planting may differ from the correct service.
// Each is called with the correct result, and what it returns takes its place.
// All but Conn, Wrap, Before and Send are called under the service's lock.
type Hooks struct {
	Conn     func(net.Conn) net.Conn
	Wrap     func(http.Handler) http.Handler
	Before   func(c *Call)
	Auth     func(c *Call, a *Account) *Account
	Early    func(c *Call) *Answer // an answer in place of the operation's, after authentication
	Read     func(c *Call, name string, ok bool) (string, bool)
	Valid    func(c *Call, name string, ok bool) bool
	Suggest  func(c *Call, name, suggestion string) string
	Taken    func(c *Call, name string, by *Branch) *Branch
	Checked  func(c *Call) // between the check of the name and the making of the branch
	Make     func(c *Call, b *Branch)
	Stored   func(c *Call, b *Branch)
	Seeded   func(c *Call, b *Branch)
	Branches func(c *Call, list []*Branch) []*Branch
	Cell     func(c *Call, b *Branch, column, text string) string
	Table    func(c *Call, t [][]string) [][]string
	CSV      func(c *Call, body string) string
	Answer   func(c *Call, a *Answer) // before the body is encoded
	Bytes    func(c *Call, a *Answer) // after it
	Send     func(w http.ResponseWriter, c *Call, a *Answer) bool
}
