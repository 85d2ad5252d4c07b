package server

import (
	"net/http"
	"strings"
	"testing"
)

const token = "a-token-of-the-tests-0123456789"

// TestGuard sends what pages of a browser and strangers could send.
func TestGuard(t *testing.T) {
	s := start(t, Options{Origins: []string{"http://localhost:3000"}})
	port := s.url[strings.LastIndex(s.url, ":"):]
	cases := []struct {
		method, host, origin, site string
		status                     int
	}{
		{"GET", "127.0.0.1" + port, "", "", 200},
		{"GET", "localhost", "", "", 200},
		{"GET", "LOCALHOST.:1", "", "", 200},
		{"GET", "app.localhost:9", "", "", 200},
		{"GET", "[::1]:5", "", "", 200},
		{"GET", "127.8.9.1", "", "", 200},
		{"GET", "evil.example", "", "", 403},
		{"GET", "localhost.evil.example", "", "", 403},
		{"GET", "127.0.0.1.evil.example:80", "", "", 403},
		{"GET", "192.168.1.5", "", "", 403}, // bound to loopback alone
		{"GET", "0.0.0.0", "", "", 403},
		{"GET", "127.0.0.1" + port, "http://127.0.0.1" + port, "", 200},
		{"GET", "127.0.0.1" + port, "http://localhost:3000", "cross-site", 200},
		{"GET", "127.0.0.1" + port, "http://localhost:3001", "", 403},
		{"GET", "127.0.0.1" + port, "https://evil.example", "", 403},
		{"GET", "127.0.0.1" + port, "null", "", 403},
		{"GET", "127.0.0.1" + port, "", "cross-site", 403},
		{"GET", "127.0.0.1" + port, "", "same-site", 403},
		{"GET", "127.0.0.1" + port, "", "none", 200},
		{"OPTIONS", "127.0.0.1" + port, "http://localhost:3000", "", 204},
		{"OPTIONS", "127.0.0.1" + port, "https://evil.example", "", 403},
		{"OPTIONS", "evil.example", "http://localhost:3000", "", 403},
	}
	for _, c := range cases {
		q := request(t, c.method, s.url+"/v1/models", "")
		q.Host = c.host
		for name, value := range map[string]string{"Origin": c.origin, "Sec-Fetch-Site": c.site} {
			if value != "" {
				q.Header.Set(name, value)
			}
		}
		status, header, body := do(t, q)
		if status != c.status {
			t.Errorf("%+v: %d %s", c, status, body)
		}
		lets := header.Get("Access-Control-Allow-Origin")
		if foreign := c.origin == "http://localhost:3000" && c.status < 300; foreign != (lets == c.origin && lets != "") {
			t.Errorf("%+v: lets %q read", c, lets)
		}
	}
	two := request(t, "GET", s.url+"/v1/models", "")
	two.Header["Origin"] = []string{"http://localhost:3000", "https://evil.example"}
	if status, _, body := do(t, two); status != 403 {
		t.Errorf("of two origins one may ask: %d %s", status, body)
	}
	for _, kind := range []string{"text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"} {
		q := request(t, "POST", s.url+"/v1/chat/completions", `{`+question+`}`)
		q.Header.Set("Content-Type", kind) // what a form can send without a preflight
		if status, _, body := do(t, q); status != 415 {
			t.Errorf("%s: %d %s", kind, status, body)
		}
	}
}

// A token has to come with every request but /health. Who guesses is told to wait; whoever has a right
// one passes all the same.
func TestToken(t *testing.T) {
	s := start(t, Options{Tokens: []string{"another-token-of-the-tests", token}})
	var last http.Header
	var said string
	get := func(path, name, value string) int {
		q := request(t, "GET", s.url+path, "")
		if name != "" {
			q.Header.Set(name, value)
		}
		status, header, body := do(t, q)
		last, said = header, body
		form := `"type":"authentication_error"`
		if strings.HasPrefix(path, "/api/") {
			form = `{"error":"the access key (token) is missing`
		}
		if status == 401 && (header.Get("WWW-Authenticate") == "" || !strings.Contains(body, form)) {
			t.Errorf("%v %s", header, body)
		}
		return status
	}
	for path := range routes {
		want := 401
		if path == "/health" {
			want = 200
		}
		if got := get(path, "", ""); got != want {
			t.Errorf("%s without a token: %d", path, got)
		}
	}
	if a, b := get("/v1/models", "Authorization", "Bearer "+token), get("/v1/models", "X-Api-Key", token); a != 200 || b != 200 {
		t.Errorf("with the token: %d, %d", a, b)
	}
	for _, scheme := range []string{"bearer ", "BEARER  "} {
		if got := get("/v1/models", "Authorization", scheme+token); got != 200 {
			t.Errorf("with %q: %d", scheme, got)
		}
	}
	for i := range maxGuesses {
		if got := get("/v1/models", "Authorization", "Bearer "+token[:i]+"x"); got != 401 {
			t.Errorf("guess %d: %d", i, got)
		}
	}
	if got := get("/v1/models", "Authorization", "Bearer "+token+"x"); got != 429 {
		t.Errorf("after %d guesses: %d", maxGuesses, got)
	}
	if wait := last.Get("Retry-After"); wait == "" || !strings.Contains(said, "wait "+wait+" seconds") {
		t.Errorf("Retry-After is %q, and %s", wait, said)
	}
	if got := get("/v1/models", "Authorization", "Bearer "+token); got != 200 {
		t.Errorf("the right one after %d guesses: %d", maxGuesses, got)
	}
}

func TestOptionsRefused(t *testing.T) {
	for want, o := range map[string]Options{
		"a token is needed":    {Host: "0.0.0.0"},
		"token is needed":      {Host: "192.168.1.5"},
		"use at least 16":      {Tokens: []string{"short"}},
		"is not an origin":     {Origins: []string{"*"}},
		"give scheme and host": {Origins: []string{"localhost:3000/path"}},
	} {
		if _, err := New(nil, o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v; want %q", o, err, want)
		}
	}
	wide, err := newGuard(Options{Host: "0.0.0.0", Tokens: []string{token}})
	if err != nil {
		t.Fatal(err)
	}
	for host, want := range map[string]bool{"192.168.1.5:80": true, "[fe80::1]:80": true, "localhost": true, "evil.example": false, "": false} {
		if got := wide.knows(host); got != want {
			t.Errorf("bound to all addresses, %q is known: %v", host, got)
		}
	}
}
