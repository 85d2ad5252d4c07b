package hub

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	"inglenook/hub/fault"
)

// origin is a server that records which requests came with a token, and redirects as the test
// says.
type origin struct {
	*httptest.Server
	mu    sync.Mutex
	token map[string]bool // by path
	to    map[string]string
	code  int
}

func newOrigin(t *testing.T, secure bool) *origin {
	o := &origin{token: map[string]bool{}, to: map[string]string{}, code: http.StatusFound}
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		o.mu.Lock()
		defer o.mu.Unlock()
		if r.Header.Get("Authorization") != "" || r.Header.Get("Cookie") != "" || strings.Contains(r.URL.String()+r.Referer(), secret) {
			o.token[r.URL.Path] = true
		}
		if to := o.to[r.URL.Path]; to != "" {
			w.Header().Set("Location", to)
			w.WriteHeader(o.code)
			return
		}
		_, _ = io.WriteString(w, "[]")
	})
	if o.Server = httptest.NewUnstartedServer(h); secure {
		o.StartTLS()
	} else {
		o.Start()
	}
	t.Cleanup(o.Close)
	return o
}

func (o *origin) saw(path string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.token[path]
}

// The token is sent only to the endpoint's own scheme, host and port, and no longer once a
// redirect has led away from there.
func TestTokenStaysAtTheEndpoint(t *testing.T) {
	other := func(address, host string) string { // the same server by another name
		u, _ := url.Parse(address)
		u.Host = host + ":" + u.Port()
		return u.String()
	}
	type setup struct{ hub, away *origin }
	for _, c := range []struct {
		name   string
		secure bool // the endpoint is https
		code   int
		route  func(s setup) map[string]string // of the endpoint
		back   func(s setup) map[string]string // of the other server
		told   []string                        // paths of the endpoint that see the token besides /api/models
		err    string
	}{
		{name: "same host", route: func(s setup) map[string]string { return map[string]string{"/api/models": "/b"} }, told: []string{"/b"}},
		{name: "same host, absolute", route: func(s setup) map[string]string { return map[string]string{"/api/models": s.hub.URL + "/b"} }, told: []string{"/b"}},
		{name: "other port", route: func(s setup) map[string]string { return map[string]string{"/api/models": s.away.URL + "/b"} }},
		{name: "other host", route: func(s setup) map[string]string {
			return map[string]string{"/api/models": other(s.away.URL, "localhost") + "/b"}
		}},
		{name: "the endpoint by another name", route: func(s setup) map[string]string {
			return map[string]string{"/api/models": other(s.hub.URL, "localhost") + "/b"}
		}},
		{name: "307", code: 307, route: func(s setup) map[string]string { return map[string]string{"/api/models": s.away.URL + "/b"} }},
		{name: "308", code: 308, route: func(s setup) map[string]string { return map[string]string{"/api/models": s.away.URL + "/b"} }},
		{name: "chain of three", route: func(s setup) map[string]string {
			return map[string]string{"/api/models": "/b", "/b": "/c", "/c": s.away.URL + "/d"}
		}, told: []string{"/b", "/c"}},
		{
			name: "away and back", route: func(s setup) map[string]string { return map[string]string{"/api/models": s.away.URL + "/b"} },
			back: func(s setup) map[string]string { return map[string]string{"/b": s.hub.URL + "/c"} },
		},
		{name: "user and password in the address", route: func(s setup) map[string]string {
			return map[string]string{"/api/models": strings.Replace(s.away.URL, "//", "//me:"+secret+"@", 1) + "/b"}
		}},
		{name: "without a scheme", route: func(s setup) map[string]string {
			return map[string]string{"/api/models": strings.TrimPrefix(s.away.URL, "http:") + "/b"}
		}},
		{name: "https to http", secure: true, err: "from https to http", route: func(s setup) map[string]string { return map[string]string{"/api/models": s.away.URL + "/b"} }},
		{name: "https to http on the same host", secure: true, err: "from https to http", route: func(s setup) map[string]string {
			return map[string]string{"/api/models": strings.Replace(s.hub.URL, "https:", "http:", 1) + "/b"}
		}},
		{name: "https stays", secure: true, route: func(s setup) map[string]string { return map[string]string{"/api/models": "/b"} }, told: []string{"/b"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := setup{newOrigin(t, c.secure), newOrigin(t, false)}
			s.hub.to = c.route(s)
			if c.back != nil {
				s.away.to = c.back(s)
			}
			if c.code != 0 {
				s.hub.code = c.code
			}
			var log strings.Builder
			client := connect(t, s.hub.URL, withToken, func(o *Options) {
				o.OnConnection = func(e Connection) { log.WriteString(e.URL + e.Error + e.Proxy) }
				if c.secure {
					o.RootCAs = s.hub.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs
				}
			})
			_, err := client.Search(context.Background(), Query{})
			if c.err == "" && err != nil {
				t.Fatal(err)
			}
			if c.err != "" {
				mustSay(t, err, fault.ErrProtocol, c.err)
			}
			if !s.hub.saw("/api/models") {
				t.Error("the endpoint did not get the token")
			}
			for _, path := range []string{"/b", "/c", "/d"} {
				want := false
				for _, p := range c.told {
					want = want || p == path
				}
				if got := s.hub.saw(path); got != want {
					t.Errorf("%s of the endpoint saw a token: %v", path, got)
				}
				if s.away.saw(path) {
					t.Errorf("%s of another server saw a token", path)
				}
			}
			if strings.Contains(log.String(), secret) {
				t.Error("the log holds the token")
			}
		})
	}
}

// The token is never sent over plain http to another computer.
func TestTokenNeedsHTTPS(t *testing.T) {
	for endpoint, want := range map[string]bool{
		"https://hub.test": true, "http://hub.test": false, "http://127.0.0.1:8080": true, "http://[::1]:80": true, "http://localhost:1": true,
		"http://127.0.0.1.hub.test": false, "http://192.168.1.2": false,
	} {
		c := connect(t, endpoint, withToken)
		if got := c.mayHaveToken(c.apiURL("models")); got != want {
			t.Errorf("%s gets the token: %v", endpoint, got)
		}
	}
}

// A proxy is used for other computers, with its password, and without our token if the endpoint
// is plain http.
func TestProxy(t *testing.T) {
	seen := make(chan *http.Request, 10)
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen <- r
		_, _ = io.WriteString(w, "[]")
	}))
	defer proxy.Close()
	address := strings.Replace(proxy.URL, "//", "//me:pass@", 1)
	var log []Connection
	c := connect(t, "http://hub.test", withToken, func(o *Options) {
		o.Proxy, o.NoProxy = address, "direct.test"
		o.OnConnection = func(e Connection) { log = append(log, e) }
	})
	if _, err := c.Search(context.Background(), Query{}); err != nil {
		t.Fatal(err)
	}
	r := <-seen
	if r.URL.Host != "hub.test" || r.Header.Get("Proxy-Authorization") == "" || r.Header.Get("Authorization") != "" {
		t.Errorf("%v %v", r.URL, r.Header)
	}
	if len(log) != 1 || log[0].Proxy != strings.TrimPrefix(proxy.URL, "http://") || log[0].Token {
		t.Errorf("%+v", log)
	}
	aside := connect(t, "http://direct.test", func(o *Options) { o.Proxy, o.NoProxy = address, "direct.test" })
	aside.tuning.tries = 1
	if _, err := aside.Search(context.Background(), Query{}); err == nil || len(seen) != 0 {
		t.Errorf("%v, %d requests went to the proxy", err, len(seen))
	}
}
