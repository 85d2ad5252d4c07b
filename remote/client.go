package remote

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"sync"
	"time"

	"github.com/dustin/go-humanize"

	"inglenook/hub"
	"inglenook/hub/fault"
	"inglenook/plain"
)

// Options say how servers are reached.
type Options struct {
	// Network has the proxy, the authorities, the user agent and OnConnection; what it
	// says of the Hub (endpoint, token, limit, offline) is left alone.
	Network hub.Options
	// Offline reports whether connections to other computers are forbidden; nil: they
	// are not. It is asked before each request.
	Offline func() bool
	// Allowed returns an error where nothing may be sent to the server any more; nil: it always
	// may. It is asked before each request.
	Allowed func() error
	// Token is sent with each request; "": none.
	Token string
}

// client talks to one address. It is safe for concurrent use.
type client struct {
	at   Address
	o    Options
	http *http.Client
	t    tuning

	forms []string // of the token
}

// tuning holds times and sizes. Tests use smaller ones.
type tuning struct {
	quick   time.Duration // for a small answer that needs no computing
	stall   time.Duration // without a byte while something is computed, and for one line of a stream that comes drop by drop
	whole   time.Duration // for an answer that is not read while it comes, at most
	first   time.Duration // until the first word of an answer to a conversation: the prompt has to be read
	dead    time.Duration // without any sign of life during that
	begin   time.Duration // until the first byte of it, where another replica can be asked
	words   time.Duration // until the next word of it, while there are only signs of life
	rest    time.Duration // for the counts that may follow when it has ended
	wait    time.Duration // before a request is repeated; it doubles
	most    time.Duration // that we wait because a server asks for it
	told    time.Duration // between two words that an answer is awaited
	tries   int           // of a request that can be repeated
	answer  int64         // bytes of an answer
	line    int           // bytes of one line of a stream
	alone   time.Duration // that a request may take where no other replica works, and this one has answered before
	patient time.Duration // that a replica may take longer than others in any case
	down    time.Duration // that a failed replica is left alone; it doubles up to most
	outage  time.Duration // that a server which fails is awaited in long work
	pauses  time.Duration // between tries during that, at most
}

func usualTuning() tuning {
	return tuning{
		quick: 10 * time.Second, stall: 2 * time.Minute, first: 15 * time.Minute, begin: 30 * time.Second, words: 5 * time.Minute, rest: 2 * time.Second, wait: 500 * time.Millisecond, most: time.Minute,
		whole: 150 * time.Second, dead: 5 * time.Minute, alone: time.Minute, told: time.Second,
		tries: 3, answer: 64 << 20, line: 4 << 20, patient: 2 * time.Second, down: 2 * time.Second, outage: 45 * time.Second, pauses: 8 * time.Second,
	}
}

var tokenForm = regexp.MustCompile(`^[!-~]+$`)

const mostToken = 4096 // bytes

// newClient opens no connection.
func newClient(at Address, o Options, t tuning) (*client, error) {
	if o.Token != "" && (len(o.Token) > mostToken || !tokenForm.MatchString(o.Token)) {
		return nil, errors.New("the token has characters that no token has; copy it again")
	}
	if o.Token != "" && !at.Private() {
		return nil, errors.New("others could read the token on its way, because the address begins with http; use https, or a tunnel to a port of this computer")
	}
	transport, err := hub.NewTransport(o.Network)
	if err != nil {
		return nil, err
	}
	transport.MaxIdleConnsPerHost = 4
	return &client{at: at, o: o, t: t, forms: formsOf(o.Token), http: &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}, nil
}

// close ends idle connections.
func (c *client) close() { c.http.CloseIdleConnections() }

// mostList bounds an answer to a question without input, such as a list of models.
const mostList = 8 << 20 // bytes

// asLong is how many times the patience an answer may take that comes drop by drop, at most.
const asLong = 5

// ask makes one request and reads its JSON answer into out, which may be nil. Without
// input it is a GET. patience is how long the server may be silent.
func (c *client) ask(ctx context.Context, path string, in, out any, patience time.Duration) error {
	most := c.t.answer
	if in == nil {
		most = min(most, mostList)
	}
	whole := min(asLong*patience, c.t.whole)
	ctx, cancel := context.WithTimeoutCause(ctx, whole, fault.New(fault.ErrUnreachable, errSilent, "the server %s took longer than %s for its answer; see whether it still works, and try again", c.at.Host(), plain.Duration(whole)))
	defer cancel()
	body, err := c.open(ctx, path, in, patience, patience)
	if err != nil {
		return err
	}
	defer body.Close()
	data, err := io.ReadAll(io.LimitReader(body, most+1))
	switch {
	case err != nil:
		return body.fault(err)
	case int64(len(data)) > most:
		return c.protocol("sends an answer of more than %s, which is too long for what was asked", humanize.Bytes(uint64(most)))
	case out == nil:
		return nil
	}
	if said := c.errorIn(data); said != nil {
		return said
	}
	if err := json.Unmarshal(data, out); err != nil {
		return c.notJSON(data, err)
	}
	return nil
}

// open makes one request and returns the body of its answer, which the caller closes. The
// server may be silent for first before it answers and for stall after that.
func (c *client) open(ctx context.Context, path string, in any, first, stall time.Duration) (*body, error) {
	if c.o.Offline != nil && c.o.Offline() && !c.at.Local() {
		return nil, fault.New(fault.ErrOffline, nil, "Inglenook works offline, and %s is not this computer; allow connections in Settings, or leave out --offline", c.at.Host())
	}
	if c.o.Allowed != nil {
		if err := c.o.Allowed(); err != nil {
			return nil, fault.New(fault.ErrOffline, err, "%v", err)
		}
	}
	method, input := http.MethodGet, io.Reader(nil)
	if in != nil {
		data, err := json.Marshal(in)
		if err != nil {
			return nil, err
		}
		method, input = http.MethodPost, bytes.NewReader(data)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	b := &body{c: c, ctx: ctx, cancel: cancel, stall: stall, began: time.Now(), method: method}
	b.alarm = time.AfterFunc(first, func() { cancel(errSilent) })
	request, err := http.NewRequestWithContext(ctx, method, c.at.join(path), input)
	if err != nil {
		b.end()
		return nil, err
	}
	request.Header.Set("User-Agent", c.o.Network.UserAgent)
	request.Header.Set("Accept", "application/json, text/event-stream, application/x-ndjson")
	if in != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	if c.o.Token != "" {
		request.Header.Set("Authorization", "Bearer "+c.o.Token)
	}
	b.shown = *request.URL
	response, err := c.http.Do(request)
	if err != nil {
		err = b.fault(err)
		b.record(0, err)
		b.end()
		return nil, err
	}
	b.ReadCloser, b.status = response.Body, response.StatusCode
	b.alarm.Reset(stall)
	if response.StatusCode < 200 || response.StatusCode > 299 {
		defer b.Close()
		said, _ := io.ReadAll(io.LimitReader(b, 64<<10))
		return nil, c.refused(response, said)
	}
	return b, nil
}

// errSilent: the server said nothing for too long.
var errSilent = errors.New("silent")

// errWordless: the server shows that it lives, and says nothing of its answer for too long.
var errWordless = errors.New("wordless")

// body is the body of an answer. It ends with the context, and when the server is silent.
type body struct {
	io.ReadCloser
	c      *client
	ctx    context.Context
	cancel context.CancelCauseFunc
	alarm  *time.Timer
	stall  time.Duration
	began  time.Time
	method string
	shown  url.URL
	status int
	n      int64
	once   sync.Once

	lines bool // it comes in lines, of which only whole ones are signs of life
	begun bool // a line that has not ended
}

func (b *body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	switch {
	case n == 0:
	case b.lines:
		b.readLines(p[:n])
	default:
		b.alarm.Reset(b.stall)
	}
	b.n += int64(n)
	return n, err
}

// readLines notes that part of an answer in lines came. A line that has begun has a time in which to end.
func (b *body) readLines(part []byte) {
	ended := bytes.IndexByte(part, '\n') >= 0
	begun := part[len(part)-1] != '\n'
	switch {
	case begun && (ended || !b.begun):
		b.alarm.Reset(min(b.stall, b.c.t.stall))
	case ended:
		b.alarm.Reset(b.stall)
	}
	b.begun = begun
}

// patience changes how long the server may be silent from now on.
func (b *body) patience(d time.Duration) {
	b.stall = d
	b.alarm.Reset(d)
}

// Close ends the request, also one that is under way.
func (b *body) Close() error {
	b.once.Do(func() {
		b.record(b.status, context.Cause(b.ctx))
		b.end()
	})
	return b.ReadCloser.Close()
}

func (b *body) end() {
	b.alarm.Stop()
	b.cancel(nil)
}

// record adds the request to the list of connections.
func (b *body) record(status int, err error) {
	on := b.c.o.Network.OnConnection
	if on == nil {
		return
	}
	entry := hub.Connection{At: b.began, Method: b.method, URL: b.c.redact(b.shown.String()), Token: b.c.o.Token != "", Status: status, Bytes: b.n, Duration: time.Since(b.began)}
	if err != nil {
		entry.Stopped, entry.Error = errors.Is(err, context.Canceled), b.c.plain(err.Error())
	}
	on(entry)
}
