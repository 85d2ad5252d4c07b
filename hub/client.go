package hub

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"time"

	"golang.org/x/net/http/httpproxy"
)

// DefaultEndpoint is the Hub itself.
const DefaultEndpoint = "https://huggingface.co"

// Options say how to reach the Hub; the zero value is the Hub itself, without a token,
// through the proxy that the environment names.
type Options struct {
	// Endpoint is a server that speaks the Hub's protocol, https://HOST; the API and the files
	// both come from there. "": DefaultEndpoint.
	Endpoint string
	// Token goes to the endpoint only, and only over https or to this computer.
	Token string
	// Proxy is http://, https:// or socks5://, with user and password where it wants them.
	// "": what HTTPS_PROXY, HTTP_PROXY and NO_PROXY say; "direct": none.
	Proxy string
	// NoProxy are hosts, domains and networks that Proxy is not for, as in NO_PROXY.
	NoProxy string
	// RootCAs are the authorities whose certificates count; nil: the system's.
	RootCAs *x509.CertPool
	// Offline forbids every connection, until SetOffline.
	Offline bool
	// Limit is how many bytes a second all downloads together may take; 0: no limit.
	Limit int64
	// UserAgent names the program to the server; "": this package.
	UserAgent string
	// OnConnection is told of every request when it has ended, redirects one by one.
	OnConnection func(Connection)
}

// Connection is one request as a log should have it: without secrets.
type Connection struct {
	At       time.Time
	Method   string
	URL      string // without its query, which may hold a signature
	Proxy    string // host of the proxy; "" without
	Range    string // the part of a file that was asked for
	Token    bool   // whether the token went along
	Status   int    // 0: no answer
	Bytes    int64  // of the answer's body that were read
	Duration time.Duration
	Error    string
}

// Client talks to one endpoint. Its methods may be called from any goroutine.
type Client struct {
	options  Options
	endpoint *url.URL
	http     *http.Client
	speed    *limiter
	slots    chan struct{} // one for each request for a file's bytes
	space    ledger
	tuning   tuning

	mu      sync.Mutex
	offline bool
	live    context.Context // ends when connections are forbidden
	cut     context.CancelCauseFunc
}

var tokenForm = regexp.MustCompile(`^[!-~]{1,512}$`)

// NewClient checks the options. It opens no connection.
func NewClient(o Options) (*Client, error) {
	endpoint, err := parseEndpoint(o.Endpoint)
	if err != nil {
		return nil, err
	}
	if o.Token != "" && !tokenForm.MatchString(o.Token) {
		return nil, errors.New("the token has characters that no token has; copy it again from the Hub's page of access tokens")
	}
	proxy, err := parseProxy(o)
	if err != nil {
		return nil, err
	}
	if o.UserAgent == "" {
		o.UserAgent = "inglenook-hub"
	}
	t := defaultTuning()
	dialer := &net.Dialer{Timeout: t.connect, KeepAlive: 30 * time.Second}
	c := &Client{
		options: o, endpoint: endpoint, tuning: t,
		speed: newLimiter(o.Limit),
		slots: make(chan struct{}, t.requests),
		http: &http.Client{
			// Redirects are followed in send, one by one.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
			Transport: &http.Transport{
				Proxy:                  proxy,
				DialContext:            dialer.DialContext,
				TLSClientConfig:        &tls.Config{RootCAs: o.RootCAs, MinVersion: tls.VersionTLS12},
				TLSHandshakeTimeout:    t.connect,
				MaxIdleConnsPerHost:    t.requests,
				IdleConnTimeout:        30 * time.Second,
				MaxResponseHeaderBytes: 256 << 10,
				DisableCompression:     true, // a range of compressed bytes would be another range
			},
		},
	}
	c.setOffline(o.Offline)
	return c, nil
}

// errClosed: the client was given up, mostly for one with other settings.
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

// Endpoint is the address that requests go to.
func (c *Client) Endpoint() string { return c.endpoint.String() }

// Offline reports whether connections are forbidden.
func (c *Client) Offline() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.offline
}

// SetOffline forbids or allows connections. Those that are open end at once.
func (c *Client) SetOffline(offline bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if offline != c.offline {
		c.cut(ErrOffline)
		c.setOffline(offline)
	}
}

func (c *Client) setOffline(offline bool) {
	c.offline = offline
	c.live, c.cut = context.WithCancelCause(context.Background())
	if offline {
		c.cut(ErrOffline)
	}
}

// SetLimit sets how many bytes a second all downloads together may take; 0: no limit.
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
		return nil, errors.New("the endpoint is not an address; it looks like " + DefaultEndpoint)
	case u.User != nil:
		return nil, errors.New("the endpoint has a user and a password in its address; leave them out and give a token")
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
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https" && u.Scheme != "socks5") {
		return nil, errors.New("the proxy is not an address; it looks like http://proxy.example:3128")
	}
	choose := (&httpproxy.Config{HTTPProxy: o.Proxy, HTTPSProxy: o.Proxy, NoProxy: o.NoProxy}).ProxyFunc()
	return func(r *http.Request) (*url.URL, error) { return choose(r.URL) }, nil
}

// Test asks the endpoint for one small answer and reports whether it speaks the Hub's protocol;
// where there is a token, whose it is.
func (c *Client) Test(ctx context.Context) (user string, err error) {
	if c.options.Token != "" {
		var who struct {
			Name string `json:"name"`
		}
		if err := c.getJSON(ctx, c.apiURL("whoami-v2"), &who); err != nil {
			if errors.Is(err, ErrGated) {
				return "", fail(ErrGated, err, "%s does not accept the token; make a new one on its page of access tokens", c.endpoint.Host)
			}
			return "", err
		}
		return plain(who.Name), nil
	}
	_, err = c.Search(ctx, Query{Limit: 1})
	if err != nil {
		return "", fmt.Errorf("the connection test failed: %w", err)
	}
	return "", nil
}
