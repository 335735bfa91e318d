package main

import (
	"encoding/json"
	"slices"
	"time"
)

// users take turns, so that a second event on a branch is by somebody else.
var users = []string{"ada", "ben", "cleo", "dara", "eli"}

func (w *World) nextUser(workspace string) string {
	u := users[w.seeds%len(users)]
	w.seeds++
	return u + "@" + workspace + ".example"
}

func (b *Branch) helped(email string) {
	if !slices.Contains(b.Collaborators, email) {
		b.Collaborators = append(b.Collaborators, email)
	}
}

// bring puts a branch into a status, through the steps that users would take.
func (w *World) bring(b *Branch, status string) {
	now := time.Now().UTC()
	if status == readyForReview || status == approved || status == merged {
		author, helper := w.nextUser(b.Workspace), w.nextUser(b.Workspace)
		b.helped(author)
		b.helped(helper)
		if b.Ready.IsZero() {
			b.Ready, b.ReadyBy = now, author
		}
	}
	if status == merged {
		b.MergedBy = w.nextUser(b.Workspace)
		b.Merged = now
		b.Published = now
	}
	b.Status = status
}

// seed answers POST /seed, the stand-in for users.
func (s *Service) seed(c *Call) *Answer {
	var in struct {
		Workspace string `json:"workspaceId"`
		BranchID  string `json:"branchId"`
		Status    string `json:"branchStatus"`
	}
	if err := json.Unmarshal(c.Body, &in); err != nil {
		return failure("seed", 400, "the body is no JSON object: "+err.Error())
	}
	switch in.Status {
	case draft, readyForReview, approved, merged, closed:
	default:
		return failure("seed", 400, "the document knows no status "+in.Status)
	}
	b := s.World.Find(in.Workspace, in.BranchID)
	if b == nil {
		return failure("seed", 404, "there is no such branch")
	}
	c.Workspace = in.Workspace
	s.World.bring(b, in.Status)
	if s.hooks.Seeded != nil {
		s.hooks.Seeded(c, b)
	}
	return &Answer{Kind: "seed", Status: 204}
}
