package main

import (
	"fmt"
	"sort"
	"strings"
	"sync"
	"time"
)

// scenes are played in this order against one service, but those alone against one of their own.
var scenes = []struct {
	name  string
	play  func(w *walker)
	alone bool
}{
	{"basics", basics, false}, {"together", together, true}, {"steps", steps, false}, {"names", names, false},
	{"bodies", bodies, false}, {"credentials", credentials, false}, {"crowd", crowd, false},
}

func basics(w *walker) {
	w.export(gamma, "south")
	w.create(alpha, "north", "my-first-branch")
	w.export(alpha, "north")
	w.create(beta, "north", "of-beta")
	w.export(beta, "north", "Accept-Encoding", "gzip")
	w.create(alpha, "north", "of-beta")
	w.create(alpha, "north", "of-beta")
	w.create(beta, "north", "of-beta")
	w.create(alpha, "north", "my-first-branch")
	w.create(gamma, "south", "my-first-branch")
	w.create(gamma, "south", "my-first-branch")
	w.create(gamma, "south", "my-first-branch-2", "chunked", "")
	w.create(alpha, "north", "My Branch")
	w.create(alpha, "north", "my-branch")
	w.create(alpha, "north", "Other_Name-X")
	w.create(alpha, "north", "Other_Name-X")
	w.create(alpha, "north", "")
	w.create(alpha, "north", "Of-Beta")
	w.create(alpha, "north", "of-bet")
	w.create(alpha, "north", "charset", "Content-Type", "application/json; charset=utf-8")
	w.export(alpha, "north")
	w.export(gamma, "south")
	w.export(alpha, "north")
	w.say("by PUT", w.do("PUT", "/workspaces/north/branches/v1", "", "Authorization", basic(alpha)))
}

func names(w *walker) {
	long := "abcdefghij-klmnopqrstuvwxyz-0123456789-"
	valid := []string{
		"z", "a", "9", "0", "b2", "a1-b", "1-2", "007", "7", "1e5", "1234567", "null", "true", "export", "v1", "constructor", "select-drop",
		"draft", "main", "a--b", "-lead", "trail-", "test-it", "ab-c", "abc", "a-bc", long, long + long + "x", long + long + "y", "two-3", "end9", "one-two-three", "constructors",
	}
	for _, n := range valid {
		w.create(alpha, "north", n)
	}
	w.create(alpha, "north", "0")
	w.create(alpha, "north", "7")
	w.export(alpha, "north")
	for _, c := range []string{"A", "_", " ", ".", "/", "#", "@", "+", "%", ":", ",", `"`, "\t", "–", "\u00ad", "`", "[", "{", "\x00", "😀", "ü", "٣", "日", "\n"} {
		w.create(beta, "north", "n-"+c+"-n"+c+"b")
	}
	for _, n := range []string{"Xyz", "xyZ", " pad ", "tail\n", "one\nTWO", "  ", long + "a-B", strings.Repeat("Q", 120), "Xyz", "xyz"} {
		w.create(alpha, "north", n)
	}
	w.export(alpha, "north")
}

func bodies(w *walker) {
	for _, b := range []string{
		``, ` `, `{`, `nonsense`, `name=form-name`, `bare-text`, `null`, `[]`, `"string-body"`, `12`, `{}`, `{"name":null}`, `{"name":42}`,
		`{"name":true}`, `{"name":["listed"]}`, `{"name":{"a":1}}`, `[{"name":"in-list"}]`, `{"Name":"capital-key"}`, `{"branchName":"other-key"}`,
		`{"name":"comma",}`, `{'name':'single'}`, `{"name":/* c */"comment"}`, `{name:"bare-key"}`, `{"name":"unclosed"`, `{"name":"rest"} x`,
		"{\"name\":\"bad-\xff\"}", `{"name":"\u0061-escape"}`, "\n{\"name\":\"before\"}", "{\"name\":\"behind\"}\n", "{\n\"name\":\"within\"\n}",
	} {
		w.createBody(alpha, "north", b)
	}
	w.say("query", w.do("POST", "/workspaces/north/branches/v1?name=in-query", "{}", "Authorization", basic(alpha)))
	w.export(alpha, "north")
}

func credentials(w *walker) {
	list := []string{
		"Basic", "Basic ", "Basic Og==", "Basic %%%", basic("no-colon"), basic("alpha:"), basic("alpha:alpha-secre"), basic("alpha:alpha-secrets"),
		basic("alpha:ALPHA-SECRET"), basic("ALPHA:alpha-secret"), basic("alpha:alpha-secret "), basic("alpha-secret:alpha"), basic("alpha:wrong"),
		basic("nobody:alpha-secret"), basic("alpha:beta:with:colons"), basic("beta:beta:other"), basic("beta:wrong"), basic("alpha:alpha-se-other"),
		"Basic alpha:alpha-secret", strings.Replace(basic(alpha), "Basic", "Bearer", 1), strings.Replace(basic(alpha), "Basic", "Foo", 1),
		strings.TrimPrefix(basic(alpha), "Basic "), basic(alpha) + " more", "",
	}
	try := func(i int, header ...string) {
		name := fmt.Sprintf("credentials-%d", i)
		answer := w.do("POST", "/workspaces/north/branches/v1", `{"name":"`+name+`"}`, header...)
		w.learn("north", answer)
		w.say("create with "+fmt.Sprint(header), answer)
		w.say("export with "+fmt.Sprint(header), w.do("GET", "/workspaces/north/branches/export/v1", "", header...))
	}
	for i, h := range list {
		try(i, "Authorization", h)
	}
	w.export(alpha, "north")
	try(100)
	try(101, "X-Authorization", basic(alpha))
	try(102, "Cookie", "session=s-4711")
	w.say("query", w.do("POST", "/workspaces/north/branches/v1?authorization="+strings.ReplaceAll(basic(alpha), " ", "%20"), `{"name":"cred-query"}`))
	w.say("bad name", w.do("POST", "/workspaces/north/branches/v1", `{"name":"Bad"}`))
	w.say("taken name", w.do("POST", "/workspaces/north/branches/v1", `{"name":"of-beta"}`))
	w.rawCreate("authorization: "+basic(alpha), `{"name":"raw-lower"}`)
	w.export(alpha, "north")
}

func steps(w *walker) {
	w.timed = true
	defer func() { w.timed = false }()
	w.create(alpha, "north", "walked")
	w.create(beta, "north", "bystander")
	w.seed("north", "bystander", readyForReview)
	w.create(gamma, "south", "walked")
	for _, s := range []string{readyForReview, approved, draft, readyForReview, approved, merged} {
		w.seed("north", "walked", s)
		w.create(beta, "north", "walked")
		if s != merged {
			w.export(alpha, "north")
		}
	}
	w.create(beta, "north", "walked")
	w.export(beta, "north")
	w.export(gamma, "south")
	w.seed("south", "walked", readyForReview)
	w.seed("south", "walked", closed)
	w.create(gamma, "south", "walked")
	w.create(gamma, "south", "walked")
	w.export(gamma, "south")
	w.create(gamma, "south", "closed-later")
	w.seed("south", "closed-later", closed)
	w.create(gamma, "south", "approved")
	w.seed("south", "approved", approved)
	w.export(gamma, "south")
	w.create(gamma, "south", "approved")
}

// together sends requests at the same time; the order of their answers is no matter.
func together(w *walker) {
	w.create(gamma, "south", "still-here")
	var wait sync.WaitGroup
	var mu sync.Mutex
	var got []string
	answers := make([]string, 10)
	for i := range 10 {
		wait.Go(func() {
			name := fmt.Sprintf("together-%d", i%8)
			answer := w.do("POST", "/workspaces/north/branches/v1", `{"name":"`+name+`"}`, "Authorization", basic(alpha))
			answers[i] = answer
			first, _, _ := strings.Cut(answer, "\r\n")
			if i < 8 && !strings.Contains(answer, name) && !strings.Contains(answer, takenMessage) {
				first += answer
			}
			mu.Lock()
			defer mu.Unlock()
			got = append(got, first[:min(3, len(first))]+name)
		})
	}
	wait.Wait()
	sort.Slice(answers, func(i, j int) bool { return createdName(answers[i]) < createdName(answers[j]) })
	for _, a := range answers {
		w.learn("north", a)
	}
	sort.Strings(got)
	w.say("together", strings.Join(got, " "))
	answer := w.do("GET", "/workspaces/north/branches/export/v1", "", "Authorization", basic(alpha))
	rows := strings.Split(w.masked(answer), "\r\n")
	sort.Strings(rows)
	w.say("export", strings.Join(rows, "\n"))
	for range 4 {
		wait.Go(func() {
			w.say("export at once", w.do("GET", "/workspaces/south/branches/export/v1", "", "Authorization", basic(gamma)))
		})
	}
	wait.Wait()
}

// createdName is the text behind the name in an answer 201.
func createdName(answer string) string {
	_, name, _ := strings.Cut(answer, `"branchName":`)
	return name
}

// crowd goes on until all numbers up to 150 are passed.
func crowd(w *walker) {
	for i := range 160 {
		w.create(gamma, "south", fmt.Sprintf("crowd-%d", i))
		if i%40 == 20 {
			w.export(gamma, "south")
		}
		if i == 100 {
			time.Sleep(time.Millisecond)
			w.create(gamma, "south", "Crowded")
		}
	}
	w.create(gamma, "south", "crowd-1")
	w.create(gamma, "south", "crowd-140")
	w.export(gamma, "south")
	for range 30 {
		// So many rows are too much to compare each time.
		answer := w.do("GET", "/workspaces/south/branches/export/v1", "", "Authorization", basic(gamma))
		w.say("export", fmt.Sprint(answer[:min(3, len(answer))], strings.Count(answer, "\n")))
	}
}
