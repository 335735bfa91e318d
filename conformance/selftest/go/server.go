// Command server serves the Branch Management HTTP API, rightly, with a planted fault, or in a lawful variant.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	list := flag.Bool("list", false, "print every fault and variant as JSON")
	every := flag.Bool("every", false, "serve every one, each on a port of its own")
	port := flag.Int("port", 0, "the port to serve one on")
	only := flag.String("only", "correct", "the one to serve")
	flag.Parse()
	var err error
	switch {
	case *list:
		err = printList(os.Stdout)
	case *every:
		err = serveEvery(os.Stdin, os.Stdout)
	default:
		err = serveOnly(*only, *port)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "server:", err)
		os.Exit(1)
	}
}

func printList(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	return e.Encode(map[string][]Planting{"faults": faults(), "variants": variants()})
}

// listen serves one planting (or the correct service, for nil) and gives its address.
func listen(p *Planting, port int) (*http.Server, string, error) {
	s := newService(p)
	l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		return nil, "", err
	}
	url := "http://" + l.Addr().String()
	if s.hooks.Conn != nil {
		l = &wrappedListener{l, s.hooks.Conn}
	}
	server := &http.Server{Handler: s.Handler(), ConnContext: withConn, ErrorLog: quiet}
	go func() {
		if err := server.Serve(l); err != http.ErrServerClosed {
			fmt.Fprintln(os.Stderr, "server:", err)
		}
	}()
	return server, url, nil
}

type wrappedListener struct {
	net.Listener
	wrap func(net.Conn) net.Conn
}

func (l *wrappedListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return l.wrap(c), nil
}

func serveEvery(in io.Reader, out io.Writer) error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, os.Interrupt)
	defer stop()
	all := append([]Planting{{Name: "correct"}}, join(faults(), variants())...)
	for i := range all {
		p := &all[i]
		if p.plant == nil {
			p = nil
		}
		_, url, err := listen(p, 0)
		if err != nil {
			return err
		}
		if err := announce(out, all[i].Name, url); err != nil {
			return err
		}
	}
	go func() {
		// Whatever ends the input ends the service.
		_, _ = io.Copy(io.Discard, in)
		stop()
	}()
	<-ctx.Done()
	return nil
}

func serveOnly(name string, port int) error {
	p, err := find(name)
	if err != nil {
		return err
	}
	_, url, err := listen(p, port)
	if err != nil {
		return err
	}
	if err := announce(os.Stdout, name, url); err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, os.Interrupt)
	defer stop()
	<-ctx.Done()
	return nil
}

// announce says on a line of JSON where a service listens, and who may call it.
func announce(out io.Writer, name, url string) error {
	type account struct {
		WorkspaceID string `json:"workspaceId"`
		Account     string `json:"account"`
	}
	said := struct {
		Name     string    `json:"name"`
		BaseURL  string    `json:"baseUrl"`
		Accounts []account `json:"accounts"`
	}{Name: name, BaseURL: url}
	for _, a := range accounts {
		said.Accounts = append(said.Accounts, account{a.Workspace, a.Name + ":" + a.Secret})
	}
	return json.NewEncoder(out).Encode(said)
}

// find gives the planting of a name, and nil for the correct service.
func find(name string) (*Planting, error) {
	if name == "correct" {
		return nil, nil
	}
	for _, p := range join(faults(), variants()) {
		if p.Name == name {
			return &p, nil
		}
	}
	return nil, fmt.Errorf("there is nothing named %q", name)
}
