package hub

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"inglenook/hub/fault"

	"golang.org/x/net/http/httpproxy"
)

// DefaultEndpoint is the Hub itself.
const DefaultEndpoint = "https://huggingface.co"

// Options configure access to the Hub. The zero value uses the Hub itself, without a token,
// through the proxy that the environment names.
type Options struct {
	// Endpoint is a server that speaks the Hub's protocol, https://HOST; it serves both the API
	// and the files. "": DefaultEndpoint.
	Endpoint string
	// Token is sent only to the endpoint, and only over https or to this computer.
	Token string
	// Proxy is http://, https:// or socks5://, with user and password if required. "": from
	// HTTPS_PROXY, HTTP_PROXY and NO_PROXY; "direct": none.
	Proxy string
	// NoProxy lists hosts, domains and networks that bypass Proxy, as in NO_PROXY.
	NoProxy string
	// RootCAs are the trusted certificate authorities; nil: the system's.
	RootCAs *x509.CertPool
	// Offline forbids every connection until SetOffline allows them.
	Offline bool
	// Limit is the maximum rate of all downloads together, in bytes per second; 0: no limit.
	Limit int64
	// UserAgent identifies the program to the server; "": this package.
	UserAgent string
	// OnConnection is called after every request, with each redirect as a request of its own.
	OnConnection func(Connection)
}

// Connection describes one request for a log, without secrets.
type Connection struct {
	At       time.Time
	Method   string
	URL      string // without the query, which may hold a signature
	Proxy    string // host of the proxy; "" without one
	Range    string // the requested part of a file
	Token    bool   // whether the token was sent
	Status   int    // 0: no response
	Stopped  bool   // by whoever asked: a Cancel, or a question that changed meanwhile
	Bytes    int64  // read from the response's body
	Duration time.Duration
	Error    string
}

// Client talks to one endpoint. It is safe for concurrent use.
type Client struct {
	options  Options
	endpoint *url.URL
	http     *http.Client
	speed    *limiter
	slots    chan struct{} // one for each concurrent request for a file's bytes
	space    ledger
	tuning   tuning

	mu      sync.Mutex
	offline bool
	live    context.Context // ends when connections are forbidden
	cut     context.CancelCauseFunc
}

var tokenForm = regexp.MustCompile(`^[!-~]+$`)

const maxToken = 512 // bytes

// NewClient validates the options and returns a client. It opens no connection.
func NewClient(o Options) (*Client, error) {
	endpoint, err := parseEndpoint(o.Endpoint)
	if err != nil {
		return nil, err
	}
	if o.Token != "" && (len(o.Token) > maxToken || !tokenForm.MatchString(o.Token)) {
		return nil, errors.New("the token has characters that no token has; copy it again from the page of access tokens of the model store")
	}
	transport, err := NewTransport(o)
	if err != nil {
		return nil, err
	}
	if o.UserAgent == "" {
		o.UserAgent = "inglenook-hub"
	}
	t := defaultTuning()
	c := &Client{
		options: o, endpoint: endpoint, tuning: t,
		speed: newLimiter(o.Limit),
		slots: make(chan struct{}, t.requests),
		http: &http.Client{
			// Redirects are followed in send, one by one.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
			Transport:     transport,
		},
	}
	c.setOffline(o.Offline)
	return c, nil
}

// NewTransport returns how connections are made under the options: proxy, trusted authorities
// and time limits. Endpoint and token play no part in it.
func NewTransport(o Options) (*http.Transport, error) {
	proxy, err := parseProxy(o)
	if err != nil {
		return nil, err
	}
	t := defaultTuning()
	dialer := &net.Dialer{Timeout: t.connect, KeepAlive: 30 * time.Second}
	return &http.Transport{
		Proxy:                  proxy,
		DialContext:            dialer.DialContext,
		TLSClientConfig:        &tls.Config{RootCAs: o.RootCAs, MinVersion: tls.VersionTLS12},
		TLSHandshakeTimeout:    t.connect,
		MaxIdleConnsPerHost:    t.requests,
		IdleConnTimeout:        30 * time.Second,
		MaxResponseHeaderBytes: 256 << 10,
		DisableCompression:     true, // a range of the compressed bytes would be a different range
	}, nil
}

// errClosed: the client was closed, usually because one with other settings replaces it.
var errClosed = errors.New("the client is closed")

// Close ends all connections.
func (c *Client) Close() {
	c.mu.Lock()
	c.cut(errClosed)
	c.mu.Unlock()
	c.http.CloseIdleConnections()
}

// gone reports whether the client is closed.
func (c *Client) gone() bool { return errors.Is(context.Cause(c.alive()), errClosed) }

// Endpoint returns the address that requests are sent to.
func (c *Client) Endpoint() string { return c.endpoint.String() }

// Offline reports whether connections are forbidden.
func (c *Client) Offline() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.offline
}

// SetOffline forbids or allows connections. Forbidding ends open ones at once.
func (c *Client) SetOffline(offline bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if offline != c.offline {
		c.cut(fault.ErrOffline)
		c.setOffline(offline)
	}
}

func (c *Client) setOffline(offline bool) {
	c.offline = offline
	c.live, c.cut = context.WithCancelCause(context.Background())
	if offline {
		c.cut(fault.ErrOffline)
	}
}

// SetLimit sets the maximum rate of all downloads together, in bytes per second; 0: no limit.
func (c *Client) SetLimit(bytesPerSecond int64) { c.speed.set(bytesPerSecond) }

func (c *Client) alive() context.Context {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.live
}

func parseEndpoint(text string) (*url.URL, error) {
	if text == "" {
		text = DefaultEndpoint
	}
	u, err := url.Parse(strings.TrimRight(text, "/"))
	switch {
	case err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" || u.RawQuery != "" || u.Fragment != "":
		return nil, errors.New("the address is not complete; it looks like " + DefaultEndpoint)
	case u.User != nil:
		return nil, errors.New("the model store address has a user and a password in it; leave them out and give a token")
	}
	u.Host = strings.ToLower(u.Host)
	return u, nil
}

func parseProxy(o Options) (func(*http.Request) (*url.URL, error), error) {
	switch o.Proxy {
	case "":
		return http.ProxyFromEnvironment, nil
	case "direct":
		return nil, nil
	}
	u, err := url.Parse(o.Proxy)
	if err != nil || u.Hostname() == "" || !isPort(u.Port()) || (u.Scheme != "http" && u.Scheme != "https" && u.Scheme != "socks5") {
		return nil, errors.New("the proxy is not an address; it looks like http://proxy.example:3128")
	}
	choose := (&httpproxy.Config{HTTPProxy: o.Proxy, HTTPSProxy: o.Proxy, NoProxy: o.NoProxy}).ProxyFunc()
	return func(r *http.Request) (*url.URL, error) { return choose(r.URL) }, nil
}

// isPort reports whether the port of an address can be one; "": the usual one.
func isPort(text string) bool {
	n, err := strconv.Atoi(text)
	return text == "" || err == nil && n > 0 && n <= 65535
}

// Test makes one small request and returns an error unless the endpoint speaks the Hub's
// protocol. With a token, it also returns the user to whom the token belongs.
func (c *Client) Test(ctx context.Context) (user string, err error) {
	if c.options.Token != "" {
		var who struct {
			Name string `json:"name"`
		}
		if err := c.getJSON(ctx, c.apiURL("whoami-v2"), &who); err != nil {
			if errors.Is(err, fault.ErrGated) {
				return "", fault.New(fault.ErrGated, err, "%s does not accept the token; make a new one on its page of access tokens", c.endpoint.Host)
			}
			return "", err
		}
		return fault.Plain(who.Name), nil
	}
	_, err = c.Search(ctx, Query{Limit: 1})
	if err != nil {
		return "", err
	}
	return "", nil
}
