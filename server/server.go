package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"strconv"
	"strings"
	"syscall"
	"time"

	"inglenook/app/base"
	"inglenook/app/chat"
	"inglenook/app/devices"
	"inglenook/app/library"
	"inglenook/app/pool"
	"inglenook/app/texts"
	"inglenook/app/tokens"
	"inglenook/server/outbox"
	"inglenook/server/refused"
)

// App is what the routes ask for; *app.App is one.
type App interface {
	Models(ctx context.Context) ([]library.Model, error)
	Resolve(ctx context.Context, name string) (library.Model, error)
	About(ctx context.Context, m library.Model) (library.About, error)
	OpenModels() []pool.OpenModel
	CloseModel(id string) (freed int64, err error)
	OpenChat(ctx context.Context, o pool.WriterOptions, report func(base.Progress)) (*chat.Writer, error)
	Embed(ctx context.Context, r texts.EmbedRequest, report func(base.Progress)) (texts.EmbedResult, error)
	Rerank(ctx context.Context, r texts.RerankRequest, report func(base.Progress)) (texts.RerankResult, error)
	Tokenize(ctx context.Context, r texts.TokenizeRequest) (texts.TokenizeResult, error)
	Detokenize(ctx context.Context, model string, ids []int32, noSpecial bool) (string, error)
}

// Options say what is served, and to whom. The zero value serves every model to
// programs on this computer.
type Options struct {
	Target  devices.Target // where models work, and how they are held
	Draft   string         // how language models guess what comes next, as in pool.WriterOptions
	Models  []string       // these alone; the first one that can answer is meant where a request names none. Empty: all
	Aliases []string       // with Models: the name of each in answers, which requests may use; "" or missing: its own
	AnyName bool           // with Models: who names a model that is not here gets the one that is meant where none is named
	Host    string         // the address that was bound, for the check of the header Host; "": loopback
	Tokens  []string       // one of them, or of Keeper's, has to come with each request
	Keeper  *tokens.Store  // named tokens; nil, and no Tokens: any token or none will do
	Origins []string       // pages that may ask, as a browser names them: "http://localhost:3000"
	Report  func(Request)  // hears of each request at its end; nil: nobody does
	Changed func()         // hears that what Activity returns has changed, often; nil: nobody does
}

// Request is what is told of a request: no text of it.
type Request struct {
	Time         time.Time `json:"time"`
	Method       string    `json:"method"`
	Route        string    `json:"route"` // "other" where there is none
	Status       int       `json:"status"`
	MS           float64   `json:"ms"`
	Model        string    `json:"model,omitempty"`
	Device       string    `json:"device,omitempty"`
	PromptTokens int       `json:"prompt_tokens,omitempty"`
	CachedTokens int       `json:"cached_tokens,omitempty"` // of them
	Tokens       int       `json:"completion_tokens,omitempty"`
	Rate         float64   `json:"tokens_per_s,omitempty"` // at which the last answer was written
	Token        string    `json:"token,omitempty"`        // the name of the one that came with it
	Client       string    `json:"-"`                      // what the program calls itself
}

// The limits. Whoever goes beyond gets a sentence, or has the connection closed.
const (
	maxHeader     = 64_000     // bytes
	maxBody       = 16_000_000 // bytes
	maxDepth      = 100        // of JSON
	maxRequests   = 128        // at the same time, waiting ones included
	headerTime    = 10 * time.Second
	bodyTime      = 30 * time.Second
	leftTime      = 500 * time.Millisecond // of what a refused request has not sent yet
	writeTime     = 30 * time.Second       // of one piece of an answer
	maxPieces     = 256                    // of a stream that its client has not read
	maxUnread     = 1 << 20                // bytes of them
	requestTime   = 30 * time.Minute
	idleTime      = 2 * time.Minute
	closePatience = 1500 * time.Millisecond
)

// Server answers requests. It may be used from many goroutines.
type Server struct {
	app    App
	o      Options
	guard  *guard
	places chan struct{} // one for each request under way
	queues queues
	names  names
	counts *counts
	began  time.Time

	activity activity
	bodyTime time.Duration // that a body may take
	bodySize int64         // that a body may have, in bytes
	waiting  outbox.Bounds // of what a client has not read
}

// New returns a server over an application. The error is a sentence about the options.
func New(app App, o Options) (*Server, error) {
	g, err := newGuard(o)
	if err != nil {
		return nil, err
	}
	return &Server{app: app, o: o, guard: g, places: make(chan struct{}, maxRequests), counts: newCounts(), began: time.Now(), bodyTime: bodyTime, bodySize: maxBody, waiting: outbox.Bounds{Pieces: maxPieces, Bytes: maxUnread}}, nil
}

// UsualPort is where clients look for the server.
const UsualPort = 11435

// Listen takes the address at which to answer; port 0 is a free one.
func Listen(ctx context.Context, host string, port int) (net.Listener, error) {
	var binder net.ListenConfig
	l, err := binder.Listen(ctx, "tcp", net.JoinHostPort(strings.Trim(host, "[]"), strconv.Itoa(port)))
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("the port %d is taken by another program; end that one, or choose another port", port)
	case err != nil:
		return nil, fmt.Errorf("the port %d at %s cannot be had: %w; choose another port or address", port, host, err)
	}
	return l, nil
}

// Serve answers on a listener until ctx ends. Then it closes the listener, ends
// what is under way, and returns nil.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	h := &http.Server{
		Handler: s, MaxHeaderBytes: maxHeader, ReadHeaderTimeout: headerTime, IdleTimeout: idleTime,
		BaseContext: func(net.Listener) context.Context { return ctx },
		ErrorLog:    log.New(io.Discard, "", 0), // it quotes what strangers send
	}
	ended := make(chan error, 1)
	go func() { ended <- h.Serve(refused.Listener(l)) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), closePatience)
	defer cancel()
	if h.Shutdown(closing) != nil {
		_ = h.Close() // whoever does not read their answer does not keep us
	}
	if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// call is one request on its way through.
type call struct {
	*Server
	w     http.ResponseWriter
	r     *http.Request
	form  form
	tail  string // of the path, behind a route that ends with a slash
	note  Request
	began bool        // something of the answer was sent
	out   *outbox.Box // where it waits for the client; nil: nothing was sent
	place bool        // the request is one of those under way

	unread bool // there is a body that nobody has read

	remark string  // about what of the request could not be heeded; "": nothing
	client *Client // whose request it is, in the activity
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name, found, tail := findRoute(r.URL.Path)
	c := &call{Server: s, w: w, form: found.form, tail: tail, note: Request{Time: time.Now(), Method: method(r), Route: name}}
	ctx, cancel := context.WithTimeoutCause(r.Context(), requestTime, errTooSlow)
	defer cancel()
	c.r = r.WithContext(ctx)
	defer c.leave()
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Cache-Control", "no-store")
	if len(r.TransferEncoding) > 0 { // it may have had a length as well, by which others see another end of it
		w.Header().Set("Connection", "close")
	}
	if c.unread = r.ContentLength != 0; c.unread {
		c.bodyWithin(c.bodyTime)
	}
	err := c.admit(found.open)
	switch {
	case err == nil && r.Method == http.MethodOptions:
		c.note.Status = http.StatusNoContent
		w.WriteHeader(http.StatusNoContent) // admit has said who may ask
	case err == nil:
		err = c.serve(found)
	}
	if err != nil {
		c.refuse(err)
	}
	if err := c.deliver(); err != nil {
		c.refuse(err)
	}
	c.note.MS = float64(time.Since(c.note.Time).Microseconds()) / 1000
	s.activity.end(c)
	s.changed()
	s.counts.add(c.note)
	if s.o.Report != nil {
		s.o.Report(c.note)
	}
}

// admit asks the guard, and notes who asks.
func (c *call) admit(open bool) error {
	token, err := c.guard.admit(c.w, c.r, open)
	c.note.Client, c.note.Token = clientName(c.r), token
	var f *fault
	switch {
	case err == nil:
		c.activity.begin(c)
		c.changed()
	case errors.As(err, &f) && (f.kind == kindToken || f.kind == kindRate):
		c.activity.refused(c)
	}
	return err
}

// changed says that the activity has changed.
func (s *Server) changed() {
	if s.o.Changed != nil {
		s.o.Changed()
	}
}

// method returns a method that we know, so that what is told of a request has no text of it.
func method(r *http.Request) string {
	switch r.Method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodOptions:
		return r.Method
	}
	return "other"
}

// leave ends what a request still has.
func (c *call) leave() {
	if c.out != nil {
		c.out.Cut() // where all is written, nothing happens
	}
	if c.place {
		<-c.places
	}
}

func (c *call) serve(found route) error {
	switch {
	case found.serve == nil:
		return &fault{status: http.StatusNotFound, kind: kindNotFound, code: "unknown_url", sentence: "there is nothing at this address; docs/SERVER.md lists the routes"}
	case c.r.Method != found.method && (c.r.Method != http.MethodHead || found.method != http.MethodGet):
		c.w.Header().Set("Allow", found.method)
		return &fault{status: http.StatusMethodNotAllowed, kind: kindRequest, code: "method_not_allowed", sentence: "this address answers to " + found.method + " alone"}
	case c.r.ContentLength > c.bodySize:
		return c.tooLarge()
	}
	if found.method == http.MethodGet { // it has no body and waits for nothing: whether all is well can be asked at any time
		return found.serve(c)
	}
	select {
	case c.places <- struct{}{}:
		c.place = true
	default:
		return busy("%d requests are under way, which is as many as there may be", maxRequests)
	}
	return found.serve(c)
}
