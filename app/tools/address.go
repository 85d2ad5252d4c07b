package tools

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"inglenook/app/base"
	"inglenook/hub"
	"inglenook/loopback"
	"inglenook/plain"
	"inglenook/remote"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Network is how servers at an address are reached; nil: without a proxy of the settings, and
// nobody is told.
type Network interface {
	// Offline reports whether connections to other computers are forbidden.
	Offline() bool
	// Network has the proxy, the authorities, and who is told of each request.
	Network(ctx context.Context) hub.Options
}

// reach makes the way to a server at an address.
func (c *connection) reach(ctx context.Context, s Server, net Network) (mcp.Transport, func(), error) {
	u, err := url.Parse(s.Address)
	if err != nil {
		return nil, nil, err
	}
	var how hub.Options
	if net != nil {
		if net.Offline() && !loopback.Host(u.Hostname()) {
			return nil, nil, errors.New("Inglenook works offline, and this server is not on this computer; allow connections in Settings")
		}
		how = net.Network(ctx)
	}
	transport, err := hub.NewTransport(how)
	if err != nil {
		return nil, nil, err
	}
	client := &http.Client{
		Transport:     &metered{base: transport, headers: s.headers(), flow: c.flow, tell: how.OnConnection},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }, // headers go to this address alone
	}
	t := &mcp.StreamableClientTransport{Endpoint: s.Address, HTTPClient: client, MaxRetries: -1, DisableStandaloneSSE: true, MaxEventSize: maxMessage}
	return t, transport.CloseIdleConnections, nil
}

// metered adds the headers of a server to requests, counts what it answers, and tells of each.
type metered struct {
	base    *http.Transport
	headers http.Header
	flow    *flow
	tell    func(hub.Connection) // nil: nobody is told
}

// RoundTrip implements http.RoundTripper.
func (m *metered) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	for name, values := range m.headers {
		r.Header[name] = values
	}
	told := m.begin(r)
	answer, err := m.base.RoundTrip(r)
	if err != nil {
		m.flow.lost.Store(&err)
		told(0, 0, err)
		return nil, err
	}
	m.flow.lost.Store(nil)
	m.flow.status.Store(int64(answer.StatusCode))
	answer.Body = &counted{ReadCloser: answer.Body, flow: m.flow, closed: func(n int64) { told(answer.StatusCode, n, nil) }}
	return answer, nil
}

// why puts into words what went wrong with a server at an address, which may have answered before.
func (f *flow) why(err error, answered bool) error {
	status := int(f.status.Load())
	switch lost := f.lost.Load(); {
	case lost != nil:
		if words, known := remote.WhyUnreachable(*lost); known {
			return errors.New(words)
		}
		return fmt.Errorf("it cannot be reached (%s); check its address and the connection", plain.Line(base.PlainError(*lost).Error(), 120))
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		return errors.New("it wants a key; write it under Variables as it asks for it, such as Authorization=Bearer and the key")
	case status == http.StatusNotFound, status == http.StatusMethodNotAllowed:
		return errors.New("there is no tool server at this address; check the part behind the name of the computer, which often is /mcp")
	case status >= http.StatusInternalServerError:
		return fmt.Errorf("it failed with the status %d; look into its own log", status)
	case answered:
		return errors.New(plain.Line(err.Error(), 300)) // its own words
	}
	return fmt.Errorf("it does not answer as a tool server does (%s); check its address", plain.Line(err.Error(), 120))
}

// begin notes a request; what it returns tells of its end.
func (m *metered) begin(r *http.Request) func(status int, bytes int64, err error) {
	if m.tell == nil {
		return func(int, int64, error) {}
	}
	entry := hub.NewConnection(m.base, r)
	entry.Token = r.Header.Get("Authorization") != ""
	return func(status int, bytes int64, err error) {
		entry.Status, entry.Bytes, entry.Duration = status, bytes, time.Since(entry.At)
		if err != nil {
			entry.Stopped, entry.Error = errors.Is(err, context.Canceled), plain.Line(err.Error(), 300)
		}
		m.tell(entry)
	}
}

// counted is a body of which the flow is told, and at its end whoever asked.
type counted struct {
	io.ReadCloser
	flow   *flow
	n      atomic.Int64
	once   sync.Once
	closed func(bytes int64)
}

// Read implements io.Reader.
func (c *counted) Read(p []byte) (int, error) {
	n, err := c.ReadCloser.Read(p)
	c.n.Add(int64(n))
	if over := c.flow.add(n); over != nil {
		return 0, over
	}
	return n, err
}

// Close implements io.Closer.
func (c *counted) Close() error {
	err := c.ReadCloser.Close()
	c.once.Do(func() { c.closed(c.n.Load()) })
	return err
}
