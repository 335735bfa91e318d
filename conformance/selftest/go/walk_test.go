package main

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"regexp"
	"sort"
	"strings"
	"sync"
	"testing"
	"time"
)

// walker plays requests against one service and writes down what it gets, with
// ids and times replaced by what they stand for, so that two walks can be compared.
type walker struct {
	url    string
	client *http.Client
	mu     sync.Mutex
	known  map[string]bool
	ids    []string // id, label, id, label, …
	byName map[string]string
	events []event // only while a scene keeps time
	timed  bool
	out    strings.Builder
}

type event struct {
	at    time.Time
	label string
}

func newWalker(t *testing.T, p *Planting) *walker {
	t.Helper()
	server, url, err := listen(p, 0)
	if err != nil {
		t.Fatal(err)
	}
	w := &walker{
		url: url, known: map[string]bool{}, byName: map[string]string{},
		client: &http.Client{
			Transport:     &http.Transport{DisableCompression: true},
			Timeout:       5 * time.Second,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
	t.Cleanup(func() {
		w.client.CloseIdleConnections()
		_ = server.Close()
	})
	return w
}

func basic(pair string) string { return "Basic " + base64.StdEncoding.EncodeToString([]byte(pair)) }

const (
	alpha = "alpha:alpha-secret"
	beta  = "beta:beta:with:colons"
	gamma = "gamma:gamma-secret"
)

// do sends a request and gives the answer as text; header is name, value, name, value, …
func (w *walker) do(method, path, body string, header ...string) string {
	r, err := http.NewRequest(method, w.url+path, strings.NewReader(body))
	if err != nil {
		return err.Error()
	}
	for i := 0; i+1 < len(header); i += 2 {
		if header[i] == "chunked" {
			r.ContentLength, r.Body = -1, io.NopCloser(strings.NewReader(body))
			continue
		}
		r.Header.Set(header[i], header[i+1])
	}
	res, err := w.client.Do(r)
	if err != nil {
		return "no answer"
	}
	defer res.Body.Close()
	return answerText(res)
}

func answerText(res *http.Response) string {
	body, err := io.ReadAll(res.Body)
	var b bytes.Buffer
	fmt.Fprintln(&b, res.StatusCode)
	res.Header.Del("Date")
	res.Header.Del("Content-Length")
	_ = res.Header.Write(&b)
	fmt.Fprintf(&b, "%s %v", body, err)
	return b.String()
}

// say writes down what an answer comes to.
func (w *walker) say(label, answer string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	fmt.Fprintf(&w.out, "%s: %s\n", label, w.masked(answer))
}

var stampText = regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`)

func (w *walker) masked(s string) string {
	s = strings.NewReplacer(w.ids...).Replace(s)
	return stampText.ReplaceAllStringFunc(s, func(text string) string {
		t, err := time.Parse(timeFormat, text)
		if err != nil || time.Since(t) > 20*time.Second || time.Since(t) < 0 {
			return text
		}
		if !w.timed {
			return "<recently>"
		}
		i := sort.Search(len(w.events), func(i int) bool { return w.events[i].at.After(t) })
		if i == 0 {
			return "<before>"
		}
		return "<" + w.events[i-1].label + ">"
	})
}

// mark starts an event of a scene that keeps time.
func (w *walker) mark(label string) {
	if w.timed {
		time.Sleep(2 * time.Millisecond)
		w.events = append(w.events, event{time.Now().Truncate(time.Millisecond), fmt.Sprintf("%d %s", len(w.events), label)})
	}
}

func (w *walker) createBody(pair, workspace, body string, header ...string) {
	w.mark("create " + body)
	header = append([]string{"Authorization", basic(pair), "Content-Type", "application/json"}, header...)
	answer := w.do("POST", "/workspaces/"+workspace+"/branches/v1", body, header...)
	w.learn(workspace, answer)
	w.say("create "+workspace+" "+body, answer)
}

// learn keeps the id of a new branch.
func (w *walker) learn(workspace, answer string) {
	var got struct{ BranchID, BranchName string }
	_, body, _ := strings.Cut(answer, "\r\n{")
	if json.Unmarshal([]byte("{"+strings.TrimSuffix(body, " <nil>")), &got) != nil || got.BranchID == "" {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.byName[workspace+"/"+got.BranchName] = got.BranchID
	if !w.known[got.BranchID] {
		w.known[got.BranchID] = true
		// The number tells branches of the same name apart.
		w.ids = append(w.ids, got.BranchID, fmt.Sprintf("<id %d of %s/%s>", len(w.ids)/2, workspace, got.BranchName))
	}
}

func (w *walker) create(pair, workspace, name string, header ...string) {
	w.createBody(pair, workspace, `{"name":`+string(value(name))+`}`, header...)
}

func (w *walker) export(pair, workspace string, header ...string) {
	w.mark("export")
	header = append([]string{"Authorization", basic(pair)}, header...)
	w.say("export "+workspace, w.do("GET", "/workspaces/"+workspace+"/branches/export/v1", "", header...))
}

func (w *walker) seed(workspace, name, status string) {
	w.mark(status + " " + name)
	body := fmt.Sprintf(`{"workspaceId":%q,"branchId":%q,"branchStatus":%q}`, workspace, w.byName[workspace+"/"+name], status)
	w.say("seed "+name+" "+status, w.do("POST", "/seed", body))
}

// rawCreate writes the header names as they are given, on a connection of its own.
func (w *walker) rawCreate(lines, body string) {
	conn, err := net.Dial("tcp", strings.TrimPrefix(w.url, "http://"))
	if err != nil {
		w.say("raw", err.Error())
		return
	}
	defer conn.Close()
	fmt.Fprintf(conn, "POST /workspaces/north/branches/v1 HTTP/1.1\r\nHost: x\r\n%s\r\nContent-Length: %d\r\n\r\n%s", lines, len(body), body)
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		w.say("raw", err.Error())
		return
	}
	answer := answerText(res)
	w.learn("north", answer)
	w.say("raw "+body, answer)
}
