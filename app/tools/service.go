package tools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"inglenook/app/base"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// How long servers may take.
const (
	tryPatience   = 2 * time.Minute // to start for the first time: its command may have to be downloaded
	startPatience = 20 * time.Second
	callPatience  = time.Minute
)

// Service is the tool servers that a person added. All methods may be called from any
// goroutine.
type Service struct {
	life   *base.Lifetime
	log    *slog.Logger
	net    Network
	kept   shelf
	papers papers

	patience time.Duration  // of a call
	starting time.Duration  // of a server that begins
	running  sync.WaitGroup // commands

	mu      sync.Mutex
	open    map[string]*connection // by the server's name
	allowed map[string]bool        // for a chat, until the program ends: by conversation and tool
	opening map[string]chan struct{}
}

// New starts no server yet. The servers are kept in the folder of the settings. net may be nil, and
// own, too: then there are no documents to search.
func New(life *base.Lifetime, log *slog.Logger, p base.Paths, net Network, own Documents) *Service {
	return &Service{
		life: life, log: log, net: net, kept: shelf{path: filepath.Join(p.Config, "tools.json"), log: log}, patience: callPatience, starting: startPatience, papers: papers{documents: own},
		open: map[string]*connection{}, allowed: map[string]bool{}, opening: map[string]chan struct{}{},
	}
}

// Servers returns the servers in the order in which they were added.
func (s *Service) Servers() []Server { return s.kept.read() }

// Save keeps a server in the place of the one of the name old; "": it is a new one. Where
// it is reached in another way than before, every tool of it asks again.
func (s *Service) Save(old string, server Server) error {
	server, err := server.check()
	if err != nil {
		return err
	}
	err = s.kept.change(func(list []Server) ([]Server, error) {
		at := slices.IndexFunc(list, func(x Server) bool { return x.Name == old })
		for i, x := range list {
			if i != at && strings.EqualFold(x.Name, server.Name) {
				return nil, fmt.Errorf("there is a tool server called “%s” already; choose another name", x.Name)
			}
		}
		server.Always = nil
		switch {
		case at >= 0:
			if list[at].same(server) {
				server.Always = list[at].Always
			}
			list[at] = server
		case len(list) == maxServers:
			return nil, fmt.Errorf("there are %d tool servers already; remove one first", maxServers)
		default:
			list = append(list, server)
		}
		return list, nil
	})
	if err == nil {
		s.close(old)
		s.close(server.Name)
	}
	return err
}

// Remove forgets a server and ends it.
func (s *Service) Remove(name string) error {
	defer s.close(name)
	return s.kept.change(func(list []Server) ([]Server, error) {
		return slices.DeleteFunc(list, func(x Server) bool { return x.Name == name }), nil
	})
}

// Try starts a server, or reaches it, and returns its tools, with sentences about those
// that are left out.
func (s *Service) Try(ctx context.Context, server Server) ([]Tool, []string, error) {
	server, err := server.check()
	if err != nil {
		return nil, nil, err
	}
	ctx, done, err := s.life.Begin(ctx)
	if err != nil {
		return nil, nil, err
	}
	defer done()
	c, err := s.reach(ctx, server, tryPatience)
	if err != nil {
		return nil, nil, err
	}
	defer c.end()
	return slices.Clone(c.tools), c.notes, nil
}

// reach connects to a server within a time, and says why it cannot.
func (s *Service) reach(ctx context.Context, server Server, patience time.Duration) (*connection, error) {
	within, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	s.log.Info("tool server starts", "name", server.Name)
	c, err := connect(within, server, s.net, base.Version().Version, &s.running)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case within.Err() != nil:
		err = fmt.Errorf("it did not answer within %d seconds", int(patience.Seconds()))
	}
	if err != nil {
		return nil, fmt.Errorf("the tool server “%s” offers no tools now: %w", server.Name, err)
	}
	return c, nil
}

// Offered returns the tools for the person's documents and of all servers that are on, each under a name of its own. A
// server that cannot be used is left out with a sentence.
func (s *Service) Offered(ctx context.Context) (list []Tool, notes []string, err error) {
	ctx, done, err := s.life.Begin(ctx)
	if err != nil {
		return nil, nil, err
	}
	defer done()
	servers := slices.DeleteFunc(s.Servers(), func(x Server) bool { return x.Off })
	tools, why := make([][]Tool, len(servers)), make([]error, len(servers))
	var all sync.WaitGroup
	for i, server := range servers {
		all.Go(func() {
			c, err := s.connection(ctx, server)
			if why[i] = err; err == nil {
				tools[i] = c.tools
			}
		})
	}
	all.Wait()
	if ctx.Err() != nil {
		return nil, nil, ctx.Err()
	}
	for i := range servers {
		list = append(list, tools[i]...)
		if why[i] != nil {
			notes = append(notes, sentence(why[i]))
		}
	}
	own, err := s.papers.offered(ctx)
	if err != nil {
		notes = append(notes, sentence(err))
	}
	list = append(own, list...) // which keep their names
	distinct(list)
	return list, notes, nil
}

// sentence begins an error with a capital and ends it with a stop.
func sentence(err error) string {
	text := err.Error()
	return strings.ToUpper(text[:1]) + text[1:] + "."
}

// connection returns the connection to a server, which begins now where there is none.
func (s *Service) connection(ctx context.Context, server Server) (*connection, error) {
	for {
		s.mu.Lock()
		c, busy := s.open[server.Name], s.opening[server.Name]
		if c != nil && (c.ended() || !c.server.same(server)) {
			c.end()
			delete(s.open, server.Name)
			c = nil
		}
		if c != nil {
			s.mu.Unlock()
			return c, nil
		}
		if busy == nil {
			s.opening[server.Name] = make(chan struct{})
		}
		s.mu.Unlock()
		if busy == nil {
			break
		}
		select {
		case <-busy:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	c, err := s.reach(ctx, server, s.starting)
	s.mu.Lock()
	defer s.mu.Unlock()
	close(s.opening[server.Name])
	delete(s.opening, server.Name)
	if err == nil {
		s.open[server.Name] = c
	}
	return c, err
}

func (c *connection) ended() bool { return c.over.Load() }

// Call runs a tool with arguments, a JSON object. Whatever the server does, there is a
// result within the time that a call may take, in at most limit bytes; 0: [MaxResult]. The
// error is that of ctx.
func (s *Service) Call(ctx context.Context, t Tool, arguments string, limit int) (Result, error) {
	ctx, done, err := s.life.Begin(ctx)
	if err != nil {
		return Result{}, err
	}
	defer done()
	var values map[string]any
	if strings.TrimSpace(arguments) == "" {
		arguments = "{}"
	}
	if json.Unmarshal([]byte(arguments), &values) != nil || values == nil {
		return failure("The arguments are no JSON object, so the tool was not run."), nil
	}
	if t.Server == Own {
		return s.papers.call(ctx, t.Name, values, limit)
	}
	servers := s.Servers()
	at := slices.IndexFunc(servers, func(x Server) bool { return x.Name == t.Server && !x.Off })
	if at < 0 {
		return failure("The tool server is gone or switched off, so the tool was not run."), nil
	}
	c, err := s.connection(ctx, servers[at])
	switch {
	case ctx.Err() != nil:
		return Result{}, ctx.Err()
	case err != nil:
		return failure("%s", sentence(err)), nil
	}
	return s.run(ctx, c, t, values, limit)
}

// run asks the server, and ends it where it does not answer in time.
func (s *Service) run(ctx context.Context, c *connection, t Tool, values map[string]any, limit int) (Result, error) {
	type outcome struct {
		result *mcp.CallToolResult
		err    error
	}
	within, cancel := context.WithTimeout(ctx, s.patience)
	defer cancel()
	got := make(chan outcome, 1)
	c.flow.begin()
	go func() {
		r, err := c.session.Load().CallTool(within, &mcp.CallToolParams{Name: t.Name, Arguments: values})
		got <- outcome{r, err}
	}()
	var o outcome
	select {
	case o = <-got:
	case <-within.Done():
		select {
		case o = <-got: // the server was told
		case <-time.After(50 * time.Millisecond): // it takes no message
			c.end()
		}
	}
	switch {
	case ctx.Err() != nil:
		return Result{}, ctx.Err()
	case o.err == nil && o.result != nil:
		return resultOf(o.result, limit), nil
	case within.Err() != nil:
		c.end()
		return failure("The tool did not answer within %d seconds, so it was ended.", int(max(1, s.patience.Seconds()))), nil
	}
	s.log.Warn("tool failed", "server", t.Server, "error", o.err)
	var said *jsonrpc.Error
	if errors.As(o.err, &said) && !c.ended() && !strings.Contains(o.err.Error(), errLong) {
		return failure("The tool failed: %s", Cut(said.Message, 1000)), nil
	}
	c.end() // what comes after a message that is none cannot be understood
	return failure("The tool server gave no answer: %s.", c.why(o.err)), nil
}

// close ends the connection to a server.
func (s *Service) close(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.open[name]; c != nil {
		c.end()
		delete(s.open, name)
	}
}

// Close ends all servers.
func (s *Service) Close() error {
	s.mu.Lock()
	for _, c := range s.open {
		c.end()
	}
	clear(s.open)
	s.mu.Unlock()
	s.running.Wait() // each is killed where it does not end
	return nil
}
