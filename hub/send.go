package hub

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"syscall"
	"time"

	"inglenook/hub/fault"
	"inglenook/loopback"
)

const maxRedirects = 10

// exchange is a request with its response.
type exchange struct {
	*http.Response
	first http.Header // of the endpoint's own response, if that was a redirect
	at    *url.URL    // the address that answered in the end
	away  bool        // that address is not the endpoint's
	ctx   context.Context
}

// send makes one request and follows its redirects, all of them if metadata is false. The
// token is sent as long as the address is the endpoint's, and never again after a redirect
// away from it. With metadata, send stops at the response that describes the file, which may
// itself be a redirect.
//
// The caller closes the body, or passes the exchange to discard.
func (c *Client) send(ctx context.Context, method string, to *url.URL, header http.Header, metadata bool) (*exchange, error) {
	live := c.alive()
	if live.Err() != nil {
		return nil, c.offlineError()
	}
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(live, func() { cancel(context.Cause(live)) })
	done := sync.OnceFunc(func() { stop(); cancel(nil) })

	x, err := c.follow(ctx, method, to, header, metadata)
	if err != nil {
		err = c.sendError(ctx, to, err)
		done()
		return nil, err
	}
	x.ctx = ctx
	x.Body = &countedBody{ReadCloser: x.Body, done: done}
	return x, nil
}

func (c *Client) follow(ctx context.Context, method string, to *url.URL, header http.Header, metadata bool) (*exchange, error) {
	x := &exchange{at: to, away: !sameOrigin(to, c.endpoint)}
	for hop := 0; ; hop++ {
		r, err := c.hop(ctx, method, x.at, header, !x.away)
		if err != nil {
			return nil, err
		}
		x.Response = r
		if r.StatusCode < 300 || r.StatusCode > 399 || r.StatusCode == http.StatusNotModified {
			return x, nil
		}
		if x.first == nil || !x.away {
			x.first = r.Header
		}
		if metadata && describesFile(r.Header) {
			return x, nil
		}
		next, err := redirectTarget(x.at, r.Header.Get("Location"))
		discard(r)
		if err == nil && hop == maxRedirects {
			err = fault.New(fault.ErrProtocol, nil, "%s redirects in circles", to.Host)
		}
		if err != nil {
			return nil, err
		}
		x.at, x.away = next, x.away || !sameOrigin(next, c.endpoint)
	}
}

// hop makes one request without following redirects.
func (c *Client) hop(ctx context.Context, method string, to *url.URL, header http.Header, ours bool) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, method, to.String(), nil)
	if err != nil {
		return nil, err
	}
	for name, values := range header {
		request.Header[name] = values
	}
	request.Header.Set("Accept-Encoding", "identity")
	request.Header.Set("User-Agent", c.options.UserAgent)
	withToken := ours && c.mayHaveToken(to)
	if withToken {
		request.Header.Set("Authorization", "Bearer "+c.options.Token)
	}
	record := c.record(request, withToken)
	response, err := c.http.Do(request)
	if err != nil {
		record(0, 0, err)
		return nil, err
	}
	response.Body = &countedBody{ReadCloser: response.Body, ended: func(n int64, err error) { record(response.StatusCode, n, err) }}
	return response, nil
}

// mayHaveToken reports whether the token may be sent to an address: it has the endpoint's
// scheme, host and port, and nobody in between can read it.
func (c *Client) mayHaveToken(u *url.URL) bool {
	return c.options.Token != "" && sameOrigin(u, c.endpoint) && (u.Scheme == "https" || loopback.Host(u.Hostname()))
}

func sameOrigin(a, b *url.URL) bool {
	return a.Scheme == b.Scheme && strings.EqualFold(a.Hostname(), b.Hostname()) && portOf(a) == portOf(b)
}

func portOf(u *url.URL) string {
	switch {
	case u.Port() != "":
		return u.Port()
	case u.Scheme == "https":
		return "443"
	}
	return "80"
}

// describesFile reports whether a response has the headers by which the Hub describes a file.
func describesFile(h http.Header) bool {
	return h.Get(headerCommit) != "" || h.Get(headerLinkedETag) != ""
}

// redirectTarget validates the target of a redirect: no other scheme, no step from https to
// http, and no user or password, which would be sent.
func redirectTarget(from *url.URL, location string) (*url.URL, error) {
	next, err := from.Parse(location)
	switch {
	case location == "" || err != nil:
		return nil, fault.New(fault.ErrProtocol, nil, "%s redirects to nowhere", from.Host)
	case next.Scheme != "http" && next.Scheme != "https" || next.Host == "":
		return nil, fault.New(fault.ErrProtocol, nil, "%s redirects to an address that is not http or https, which Inglenook does not follow", from.Host)
	case from.Scheme == "https" && next.Scheme == "http":
		return nil, fault.New(fault.ErrProtocol, nil, "%s redirects from https to http, which Inglenook does not follow", from.Host)
	}
	next.User = nil
	next.Fragment = ""
	return next, nil
}

func (c *Client) offlineError() error {
	if !c.Offline() {
		return errClosed
	}
	return fault.New(fault.ErrOffline, nil, "offline mode is on; turn it off to reach %s", c.endpoint.Host)
}

// sendError describes a transport error in a sentence. An address in an error of Go's HTTP
// client may hold a signature, so only the wrapped error is shown.
func (c *Client) sendError(ctx context.Context, to *url.URL, err error) error {
	var ours *fault.Error
	if errors.As(err, &ours) {
		return ours
	}
	cause := context.Cause(ctx)
	switch {
	case errors.Is(cause, fault.ErrOffline):
		return c.offlineError()
	case errors.As(cause, &ours):
		return ours
	case cause != nil:
		return cause
	}
	var outer *url.Error
	for errors.As(err, &outer) {
		err = outer.Err
	}
	host, what, check := to, to.Host, "check the connection, the proxy and the model store address"
	var failed *net.OpError
	if via := c.via(&http.Request{URL: to}); via != nil && errors.As(err, &failed) && failed.Op == proxyFailed {
		host, what, check = via, "the proxy "+via.Host, "check the address of the proxy, and whether it runs"
	}
	why := ""
	if words := noConnection(host.Hostname(), err); words != "" {
		why = ": " + words
	}
	f := fault.New(fault.ErrUnreachable, err, "%s cannot be reached%s; %s", what, why, check)
	f.Detail = fault.Plain(c.redact(err.Error()))
	return f
}

// proxyFailed is the operation in an error of Go's about the way to a proxy.
const proxyFailed = "proxyconnect"

// silence is the error of a request that nothing answers in time.
func (c *Client) silence() error {
	if via := c.via(&http.Request{URL: c.endpoint}); via != nil {
		late := &net.OpError{Op: proxyFailed, Net: "tcp", Err: os.ErrDeadlineExceeded}
		return fault.New(fault.ErrUnreachable, late, "no answer of %s came through the proxy %s; check the proxy and the connection", c.endpoint.Host, via.Host)
	}
	return fault.New(fault.ErrUnreachable, nil, "%s does not answer; check the connection, the proxy and the model store address", c.endpoint.Host)
}

// via is the proxy that a request goes through; nil: none.
func (c *Client) via(r *http.Request) *url.URL { return proxyOf(c.http.Transport, r) }

func proxyOf(way http.RoundTripper, r *http.Request) *url.URL {
	t, ok := way.(*http.Transport)
	if !ok || t.Proxy == nil {
		return nil
	}
	via, err := t.Proxy(r)
	if err != nil {
		return nil
	}
	return via
}

// noConnection says in words why no connection to a host, or to the proxy before it, was made;
// "": the reason is none that people meet.
func noConnection(host string, err error) string {
	var name *net.DNSError
	var wait net.Error
	var certificate *tls.CertificateVerificationError
	var notTLS tls.RecordHeaderError
	switch {
	case errors.As(err, &name) && name.Name == host && "https://"+host == DefaultEndpoint:
		return "this computer seems to be without internet"
	case errors.As(err, &name) && name.Name == host:
		return "no computer of this name was found"
	case errors.As(err, &name):
		return "no computer of the name " + fault.Plain(name.Name) + " was found"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "no program answers there"
	case errors.Is(err, syscall.ENETUNREACH), errors.Is(err, syscall.EHOSTUNREACH):
		return "there is no way to its network"
	case errors.As(err, &certificate):
		return "its certificate is not one that this computer trusts"
	case errors.As(err, &notTLS):
		return "it does not encrypt"
	case errors.As(err, &wait) && wait.Timeout():
		return "it did not answer in time"
	}
	return ""
}

// redact removes the token from text.
func (c *Client) redact(text string) string {
	if c.options.Token == "" {
		return text
	}
	return strings.ReplaceAll(text, c.options.Token, "[token]")
}

// discard reads and closes the body of a response that is not needed.
func discard(r *http.Response) {
	if r.ContentLength >= 0 && r.ContentLength <= 4<<10 {
		_, _ = io.Copy(io.Discard, r.Body) // so that the connection can be reused
	}
	r.Body.Close()
}

// NewConnection is what is known of a request that begins now on a way: its address without the
// query and names in it, and the proxy that it goes through.
func NewConnection(way http.RoundTripper, r *http.Request) Connection {
	shown := *r.URL
	shown.RawQuery, shown.User = "", nil
	c := Connection{At: time.Now(), Method: r.Method, URL: shown.String()}
	if via := proxyOf(way, r); via != nil {
		c.Proxy = via.Host
	}
	return c
}

// record logs the start of a request; the function it returns logs the end.
func (c *Client) record(r *http.Request, token bool) func(status int, bytes int64, err error) {
	if c.options.OnConnection == nil {
		return func(int, int64, error) {}
	}
	entry := NewConnection(c.http.Transport, r)
	entry.URL, entry.Range, entry.Token = c.redact(entry.URL), r.Header.Get("Range"), token
	return func(status int, bytes int64, err error) {
		entry.Status, entry.Bytes, entry.Duration = status, bytes, time.Since(entry.At)
		entry.Stopped = errors.Is(err, context.Canceled)
		var outer *url.Error
		for errors.As(err, &outer) {
			err = outer.Err
		}
		if err != nil && !errors.Is(err, io.EOF) {
			entry.Error = fault.Plain(c.redact(err.Error()))
		}
		c.options.OnConnection(entry)
	}
}

// countedBody counts the bytes read from a body and calls back when it is closed.
type countedBody struct {
	io.ReadCloser
	n     int64
	err   error
	ended func(n int64, err error)
	done  func()
	once  sync.Once
}

func (b *countedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.n += int64(n)
	if err != nil {
		b.err = err
	}
	return n, err
}

func (b *countedBody) Close() error {
	err := b.ReadCloser.Close()
	b.once.Do(func() {
		if b.ended != nil {
			b.ended(b.n, b.err)
		}
		if b.done != nil {
			b.done()
		}
	})
	return err
}
