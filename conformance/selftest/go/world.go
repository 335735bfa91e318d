package main

import (
	"crypto/rand"
	"slices"
	"time"
)

// The statuses that the document lists for a branch.
const (
	draft          = "Draft"
	readyForReview = "ReadyForReview"
	approved       = "Approved"
	merged         = "Merged"
	closed         = "Closed"
)

// Account is a service account of one workspace.
type Account struct {
	Name, Secret, Workspace string
}

// UserID is the id under which the account's branches name their creator.
func (a *Account) UserID() string { return "usr_" + a.Workspace + "_" + a.Name }

// Email is the address under which the account's branches name their creator.
func (a *Account) Email() string { return a.Name + "@accounts." + a.Workspace + ".example" }

// Branch is one branch of a workspace with all that the export tells of it.
type Branch struct {
	ID, Name, Workspace string
	Account             string
	CreatorID           string
	CreatorEmail        string
	Created             time.Time
	Status              string
	Collaborators       []string
	Published           time.Time
	Ready               time.Time
	ReadyBy             string
	Merged              time.Time
	MergedBy            string
}

// Open tells whether the branch holds its name: neither merged nor closed.
func (b *Branch) Open() bool { return b.Status != merged && b.Status != closed }

// World is everything one service knows.
type World struct {
	Accounts map[string]*Account
	Branches map[string][]*Branch // by workspace, oldest first
	seeds    int
}

// The accounts of every world, those of the first workspace first.
var accounts = []*Account{
	{"alpha", "alpha-secret", "north"},
	{"beta", "beta:with:colons", "north"},
	{"gamma", "gamma-secret", "south"},
}

func newWorld() *World {
	w := &World{Accounts: map[string]*Account{}, Branches: map[string][]*Branch{"north": nil, "south": nil}}
	for _, a := range accounts {
		w.Accounts[a.Name] = a
	}
	return w
}

// OpenNamed finds the open branch of a workspace that holds a name.
func (w *World) OpenNamed(workspace, name string) *Branch {
	for _, b := range w.Branches[workspace] {
		if b.Name == name && b.Open() {
			return b
		}
	}
	return nil
}

// Find finds a branch of a workspace by its id.
func (w *World) Find(workspace, id string) *Branch {
	for _, b := range w.Branches[workspace] {
		if b.ID == id {
			return b
		}
	}
	return nil
}

// newBranch makes a draft branch without storing it.
func (w *World) newBranch(name string, by *Account) *Branch {
	return &Branch{
		ID: rand.Text()[:12], Name: name, Workspace: by.Workspace, Account: by.Name,
		CreatorID: by.UserID(), CreatorEmail: by.Email(),
		Created: time.Now().UTC(), Status: draft,
	}
}

// Remove takes a branch out of its workspace.
func (w *World) Remove(b *Branch) {
	w.Branches[b.Workspace] = slices.DeleteFunc(w.Branches[b.Workspace], func(o *Branch) bool { return o == b })
}

// other names the workspace that is not the given one.
func other(workspace string) string {
	if workspace == "north" {
		return "south"
	}
	return "north"
}
