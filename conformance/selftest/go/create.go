package main

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"
)

const webHost = "app.branches.example"

const takenMessage = "Branch with this name already exists"

func (s *Service) create(c *Call) *Answer {
	name, ok := readName(c.Body)
	if s.hooks.Read != nil {
		name, ok = s.hooks.Read(c, name, ok)
	}
	c.Name = name
	valid := ok && validName(name)
	if ok && s.hooks.Valid != nil {
		valid = s.hooks.Valid(c, name, valid)
	}
	if !valid {
		return s.invalid(c, name)
	}
	by := c.World.OpenNamed(c.Workspace, name)
	if s.hooks.Taken != nil {
		by = s.hooks.Taken(c, name, by)
	}
	if by != nil {
		return failure("conflict", 409, takenMessage)
	}
	if s.hooks.Checked != nil {
		// Only here another call may come between.
		s.mu.Unlock()
		s.hooks.Checked(c)
		s.mu.Lock()
	}
	b := c.World.newBranch(name, c.Account)
	b.Workspace = c.Workspace
	if s.hooks.Make != nil {
		s.hooks.Make(c, b)
	}
	c.World.Branches[b.Workspace] = append(c.World.Branches[b.Workspace], b)
	if s.hooks.Stored != nil {
		s.hooks.Stored(c, b)
	}
	return &Answer{Kind: "created", Status: 201, Fields: []Field{
		{"branchId", b.ID}, {"branchName", name}, {"branchUrl", branchURL(c.Workspace, b.ID)},
	}}
}

func branchURL(workspace, id string) string {
	return "https://" + webHost + "/schemas/" + workspace + "/branches/" + id
}

func (s *Service) invalid(c *Call, name string) *Answer {
	suggestion := suggest(c, name)
	if s.hooks.Suggest != nil {
		suggestion = s.hooks.Suggest(c, name, suggestion)
	}
	return failure("invalid", 400, invalidMessage(suggestion))
}

func invalidMessage(suggestion string) string {
	return `Invalid branch name, try "` + suggestion + `" instead`
}

// readName reads the one field of the body; ok is false where the body is malformed.
func readName(body []byte) (name string, ok bool) {
	if !utf8.Valid(body) {
		return "", false
	}
	// A map, for a struct would take `Name` for `name`.
	var in map[string]json.RawMessage
	if json.Unmarshal(body, &in) != nil {
		return "", false
	}
	raw := bytes.TrimSpace(in["name"])
	if len(raw) == 0 || raw[0] != '"' {
		return "", false
	}
	return name, json.Unmarshal(raw, &name) == nil
}

func validName(name string) bool {
	return name != "" && strings.IndexFunc(name, func(r rune) bool { return !kebab(r) }) < 0
}

func kebab(r rune) bool {
	return 'a' <= r && r <= 'z' || '0' <= r && r <= '9' || r == '-'
}

// suggest proposes a valid name that is free, as near to the given one as it can.
func suggest(c *Call, name string) string {
	s := kebabize(name)
	if s == "" {
		s = "new-branch"
	}
	free := s
	for n := 2; c.World.OpenNamed(c.Workspace, free) != nil; n++ {
		free = s + "-" + strconv.Itoa(n)
	}
	return free
}

func kebabize(name string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(name) {
		switch {
		case kebab(r):
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	return strings.Trim(b.String(), "-")
}
