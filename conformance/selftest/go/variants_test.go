package main

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// patiently sends a request again for as long as it is told to wait.
func patiently(t *testing.T, c *http.Client, method, url, body string) (int, string) {
	t.Helper()
	for range 5 {
		r, err := http.NewRequest(method, url, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", basic(alpha))
		if body != "" {
			r.Header.Set("Content-Type", "application/json")
		}
		res, err := c.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(res.Body)
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		if res.StatusCode != 429 && res.StatusCode != 503 {
			return res.StatusCode, string(text)
		}
		time.Sleep(time.Second)
	}
	t.Fatal("always told to wait")
	return 0, ""
}

// A variant does its work like the correct service, for a client that is patient.
func TestEveryVariantWorks(t *testing.T) {
	for _, p := range variants() {
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			server, url, err := listen(&p, 0)
			if err != nil {
				t.Fatal(err)
			}
			defer server.Close()
			client := &http.Client{Transport: &http.Transport{DisableCompression: strings.HasPrefix(p.Name, "deflate")}}
			defer client.CloseIdleConnections()
			for name, want := range map[string]int{"some-name": 201, "Bad Name": 400} {
				status, body := patiently(t, client, "POST", url+"/workspaces/north/branches/v1", `{"name":"`+name+`"}`)
				if status != want {
					t.Errorf("%s: %d %s", name, status, body)
				}
			}
			if status, body := patiently(t, client, "POST", url+"/workspaces/north/branches/v1", `{"name":"some-name"}`); status != 409 {
				t.Errorf("taken: %d %s", status, body)
			}
			status, body := patiently(t, client, "GET", url+"/workspaces/north/branches/export/v1", "")
			if status/100 != 2 || !strings.Contains(body, "branchMergedUserEmail") {
				t.Errorf("export: %d %s", status, body)
			}
		})
	}
}
