package remote

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"

	"inglenook/hub"
	"inglenook/loopback"
)

// Address is where a server listens: scheme, host and the path before "/v1", "/api" or
// "/info". It holds no secret.
type Address struct{ u *url.URL }

// errAddress says what an address looks like.
var errAddress = errors.New("this is not the address of a server; it looks like http://localhost:8080 or https://models.example.com")

// routes are the ends of addresses that people copy; the rest is the address.
var routes = []string{"/chat/completions", "/completions", "/embeddings", "/rerank", "/models", "/v1", "/api/chat", "/api/tags", "/api"}

// ParseAddress reads an address as a person types or copies it. Without a scheme it is
// http for this computer and https for others. A token within the address is returned
// apart, so that the address can be shown and logged.
func ParseAddress(text string) (a Address, token string, err error) {
	text = strings.TrimSpace(text)
	if !strings.Contains(text, "://") {
		scheme := "https://"
		if u, err := url.Parse("http://" + text); err == nil && isLocal(u.Hostname()) {
			scheme = "http://"
		}
		text = scheme + text
	}
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || strings.ContainsAny(u.Host, " \t\\") {
		return Address{}, "", errAddress
	}
	if ip := net.ParseIP(u.Hostname()); ip != nil && ip.IsUnspecified() {
		return Address{}, "", fmt.Errorf("%s says that a server listens everywhere, and is no address to reach it at; give localhost, or the name of its computer", u.Hostname())
	}
	if u.User != nil {
		token = u.User.Username()
		if password, ok := u.User.Password(); ok && password != "" {
			token = password
		}
	}
	for name, values := range u.Query() {
		switch strings.ToLower(name) {
		case "token", "key", "api_key", "api-key", "apikey", "access_token":
			token = values[0]
		default:
			return Address{}, "", errors.New("the address has a question mark with something behind it, which is no part of a server's address; leave that out")
		}
	}
	u.User, u.RawQuery, u.ForceQuery, u.Fragment, u.RawPath = nil, "", false, "", ""
	u.Host = strings.ToLower(u.Host)
	u.Path = strings.TrimRight(u.Path, "/")
	for _, r := range routes {
		u.Path = strings.TrimSuffix(u.Path, r)
	}
	return Address{u}, token, nil
}

// String returns the address without secrets.
func (a Address) String() string { return a.u.String() }

// Host is how sentences name the server.
func (a Address) Host() string { return a.u.Host }

// Local reports whether what is sent there stays on this computer.
func (a Address) Local() bool { return isLocal(a.u.Hostname()) }

// Private reports whether nobody in between can read what is sent there.
func (a Address) Private() bool { return a.u.Scheme == "https" || a.Local() }

// Proxy is the host of the proxy that requests to the server go through under some options; "": they
// go there directly.
func (a Address) Proxy(o hub.Options) string {
	transport, err := hub.NewTransport(o)
	if err != nil || transport.Proxy == nil {
		return ""
	}
	proxy, err := transport.Proxy(&http.Request{URL: a.u})
	if err != nil || proxy == nil {
		return ""
	}
	return proxy.Host
}

// join returns the address of a route.
func (a Address) join(path string) string { return a.u.String() + path }

func isLocal(host string) bool {
	return loopback.Host(strings.ToLower(host))
}
