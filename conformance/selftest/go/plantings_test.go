package main

import (
	"flag"
	"os"
	"regexp"
	"testing"
)

// The walks wait more than they work, so more of them may go on than there are processors.
func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("test.parallel", "16"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// walk plays the scenes against a planting for as long as goOn wants to.
func walk(t *testing.T, p *Planting, goOn func(i int, transcript string) bool) {
	t.Helper()
	main := newWalker(t, p)
	for i, s := range scenes {
		w := main
		if s.alone {
			w = newWalker(t, p)
		}
		w.out.Reset()
		s.play(w)
		if !goOn(i, w.out.String()) {
			return
		}
	}
}

// played are the transcripts of the correct service, scene by scene.
func played(t *testing.T) []string {
	t.Helper()
	var out []string
	walk(t, nil, func(_ int, transcript string) bool {
		out = append(out, transcript)
		return true
	})
	return out
}

// differsIn names the first scene in which a planting shows.
func differsIn(t *testing.T, p *Planting, right []string) string {
	t.Helper()
	scene := ""
	walk(t, p, func(i int, transcript string) bool {
		if transcript != right[i] {
			scene = scenes[i].name
		}
		return scene == ""
	})
	return scene
}

func TestCorrectIsSteady(t *testing.T) {
	right := played(t)
	for range 3 {
		if scene := differsIn(t, nil, right); scene != "" {
			t.Errorf("two walks of the correct service differ in %s", scene)
		}
	}
}

// No fault is without effect: each shows in some scene.
func TestEveryFaultShows(t *testing.T) {
	right := played(t)
	for _, p := range faults() {
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			scene := differsIn(t, &p, right)
			if scene == "" {
				t.Error("shows nowhere")
			}
			t.Logf("shows in %q", scene)
		})
	}
}

func TestNamesAndDeclarations(t *testing.T) {
	kebabName := regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	seen := map[string]bool{"correct": true}
	disputable := 0
	for _, p := range join(faults(), variants()) {
		if seen[p.Name] || !kebabName.MatchString(p.Name) {
			t.Errorf("bad or doubled name %q", p.Name)
		}
		seen[p.Name] = true
		if p.Does == "" || p.Clause == "" || p.plant == nil {
			t.Errorf("%s lacks something", p.Name)
		}
		if p.Disputable {
			disputable++
		}
	}
	if len(faults()) < 220 || len(variants()) < 110 || disputable*10 > len(faults()) {
		t.Errorf("%d faults, %d disputable, %d variants", len(faults()), disputable, len(variants()))
	}
}
