package main

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"
	"time"
)

// Field is one member of a JSON object whose order matters.
type Field struct {
	Key   string
	Value any
}

// Answer is a response before it is sent. Body is made of Fields where it is nil.
type Answer struct {
	Kind   string // created, invalid, conflict, unauthorized, export, missing, method, seed
	Status int
	Type   string
	Header http.Header
	Fields []Field
	Body   []byte
	Delay  time.Duration // how long to wait before it is sent
}

func failure(kind string, status int, message string) *Answer {
	return &Answer{Kind: kind, Status: status, Fields: []Field{{"error", message}}}
}

// Set adds or replaces a header.
func (a *Answer) Set(key, value string) {
	if a.Header == nil {
		a.Header = http.Header{}
	}
	a.Header.Set(key, value)
}

// Text replaces the answer's body by plain text.
func (a *Answer) Text(s string) {
	a.Body, a.Type = []byte(s), "text/plain; charset=utf-8"
}

// Field finds the value of a key.
func (a *Answer) Field(key string) any {
	for _, f := range a.Fields {
		if f.Key == key {
			return f.Value
		}
	}
	return nil
}

// Put replaces the value of a key.
func (a *Answer) Put(key string, value any) {
	for i := range a.Fields {
		if a.Fields[i].Key == key {
			a.Fields[i].Value = value
		}
	}
}

// Rename replaces a key.
func (a *Answer) Rename(key, to string) {
	for i := range a.Fields {
		if a.Fields[i].Key == key {
			a.Fields[i].Key = to
		}
	}
}

// Drop takes a key out.
func (a *Answer) Drop(key string) {
	kept := []Field{}
	for _, f := range a.Fields {
		if f.Key != key {
			kept = append(kept, f)
		}
	}
	a.Fields = kept
}

// encode makes the body of the fields, unless there is one already.
func (a *Answer) encode() {
	if a.Body == nil && a.Fields != nil {
		a.Body = object(a.Fields)
		if a.Type == "" {
			a.Type = "application/json"
		}
	}
}

// object writes fields as a JSON object in their order.
func object(fields []Field) []byte {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, f := range fields {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(value(f.Key))
		b.WriteByte(':')
		b.Write(value(f.Value))
	}
	b.WriteByte('}')
	return b.Bytes()
}

// value writes one JSON value without the escapes meant for HTML.
func value(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err)
	}
	return bytes.TrimRight(b.Bytes(), "\n")
}

// send writes an answer in full.
func (a *Answer) send(w http.ResponseWriter) {
	time.Sleep(a.Delay)
	for k, v := range a.Header {
		w.Header()[k] = v
	}
	if a.Type != "" {
		w.Header().Set("Content-Type", a.Type)
	}
	if a.Status != 204 && a.Status != 304 && w.Header().Get("Transfer-Encoding") == "" {
		w.Header().Set("Content-Length", strconv.Itoa(len(a.Body)))
	}
	w.WriteHeader(a.Status)
	if a.Status != 204 && a.Status != 304 {
		// A client that is gone cannot be told so.
		_, _ = w.Write(a.Body)
	}
}
