package main

import (
	"log"
	"net/http"
	"sync"
	"sync/atomic"
)

// Service is one world behind one handler, with at most one planting.
type Service struct {
	World    *World
	hooks    Hooks
	mu       sync.Mutex
	inFlight atomic.Int32
	counts   map[string]int
}

func newService(p *Planting) *Service {
	s := &Service{World: newWorld(), counts: map[string]int{}}
	if p != nil {
		p.plant(&s.hooks)
	}
	return s
}

// Handler is the service as HTTP sees it.
func (s *Service) Handler() http.Handler {
	var h http.Handler = http.HandlerFunc(s.serve)
	if s.hooks.Wrap == nil {
		return h
	}
	wrapped := s.hooks.Wrap(h)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/seed" {
			h.ServeHTTP(w, r)
			return
		}
		wrapped.ServeHTTP(w, r)
	})
}

func (s *Service) serve(w http.ResponseWriter, r *http.Request) {
	n := s.inFlight.Add(1)
	defer s.inFlight.Add(-1)
	c, err := s.newCall(r)
	if err != nil {
		http.Error(w, "the body could not be read", http.StatusBadRequest)
		return
	}
	c.InFlight = int(n)
	if s.hooks.Before != nil && c.Op != "seed" {
		s.hooks.Before(c)
	}
	a := s.answer(c)
	if s.hooks.Send != nil && c.Op != "seed" && s.hooks.Send(w, c, a) {
		return
	}
	a.send(w)
}

// answer carries a call out, one at a time.
func (s *Service) answer(c *Call) *Answer {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.counts[c.Op]++
	c.Nth = s.counts[c.Op]
	a := s.dispatch(c)
	if c.Op == "seed" {
		a.encode()
		return a
	}
	if s.hooks.Answer != nil {
		s.hooks.Answer(c, a)
	}
	a.encode()
	if s.hooks.Bytes != nil {
		s.hooks.Bytes(c, a)
	}
	c.Conn.Requests++
	c.Conn.Authed = c.Conn.Authed || c.Account != nil
	c.Conn.Last[a.Kind] = a
	return a
}

func (s *Service) dispatch(c *Call) *Answer {
	switch {
	case c.Op == "seed":
		return s.seed(c)
	case c.Op == "":
		return failure("missing", 404, "Not found")
	case c.Op == "create" && c.Method != "POST":
		a := failure("method", 405, "Method not allowed")
		a.Set("Allow", "POST")
		return a
	case c.Op == "export" && c.Method != "GET":
		a := failure("method", 405, "Method not allowed")
		a.Set("Allow", "GET")
		return a
	}
	return s.operate(c)
}

// operate answers the two documented operations.
func (s *Service) operate(c *Call) *Answer {
	name, secret, ok := c.Basic()
	if ok {
		c.Account = c.Here(c.Lookup(name, secret))
	}
	if s.hooks.Auth != nil {
		c.Account = s.hooks.Auth(c, c.Account)
	}
	if c.Account == nil {
		a := failure("unauthorized", 401, "Unauthorized")
		a.Set("WWW-Authenticate", `Basic realm="branches"`)
		return a
	}
	if _, known := c.World.Branches[c.Workspace]; !known {
		return failure("missing", 404, "Workspace not found")
	}
	if s.hooks.Early != nil {
		if a := s.hooks.Early(c); a != nil {
			return a
		}
	}
	if c.Op == "export" {
		return s.export(c)
	}
	return s.create(c)
}

// quiet keeps the standard library's complaints about broken connections away.
var quiet = log.New(discard{}, "", 0)

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }
