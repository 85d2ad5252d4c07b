package local

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"strconv"
	"sync"

	"inglenook/app/base"
	"inglenook/app/devices"
	"inglenook/app/tokens"
	"inglenook/server"
)

// App is what is asked of the application; *app.App is one.
type App interface {
	server.App
	Settings() base.Settings
	SaveSettings(change func(*base.Settings)) error
	Tokens() *tokens.Store
}

// State is what a person sees of the server.
type State struct {
	On      bool
	Address string // where it answers, or would: "http://127.0.0.1:11435"
	Problem string // a sentence: why it does not answer; "": nothing is wrong
	server.Activity
}

// Server is switched on and off. Its methods may be called from any goroutine.
type Server struct {
	app App

	switching sync.Mutex // one change at a time

	mu      sync.Mutex
	run     *run // nil: off
	problem string
	changed func()
}

// run is the server while it is on.
type run struct {
	*server.Server
	address string
	cancel  context.CancelFunc
	ended   chan struct{}
}

// New returns the server, switched off.
func New(app App) *Server { return &Server{app: app} }

// Changed sets what hears of each change, from any goroutine and often; nil: nobody does.
func (s *Server) Changed(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.changed = f
}

func (s *Server) notify() {
	s.mu.Lock()
	f := s.changed
	s.mu.Unlock()
	if f != nil {
		f()
	}
}

// Settings are those of the server.
func (s *Server) Settings() base.ServerSettings { return s.app.Settings().Server }

// Tokens are those with which programs may ask.
func (s *Server) Tokens() *tokens.Store { return s.app.Tokens() }

// Change changes the settings. A server that is on begins again with them where that
// matters to who may ask; what is under way then ends.
func (s *Server) Change(change func(*base.ServerSettings)) error {
	before := s.Settings()
	if err := s.app.SaveSettings(func(all *base.Settings) { change(&all.Server) }); err != nil {
		return err
	}
	after := s.Settings()
	before.AtStart = after.AtStart
	if before == after || !s.State().On {
		s.notify()
		return nil
	}
	return s.start(s.stop())
}

// State returns what is known now.
func (s *Server) State() State {
	s.mu.Lock()
	r, problem := s.run, s.problem
	s.mu.Unlock()
	out := State{Problem: problem, Address: address(s.Settings(), 0)}
	if r != nil {
		out.On, out.Address, out.Activity = true, r.address, r.Activity()
	}
	return out
}

// host is where a server with these settings listens.
func host(o base.ServerSettings) string {
	if o.Network {
		return "0.0.0.0"
	}
	return "127.0.0.1"
}

// address is what a person copies; port 0 is that of the settings.
func address(o base.ServerSettings, port int) string {
	name := host(o)
	if o.Network {
		name = ownAddress()
	}
	return "http://" + net.JoinHostPort(name, strconv.Itoa(cmp.Or(port, o.Port, server.UsualPort)))
}

// ownAddress is how other computers reach this one: its first address that is no loopback's.
func ownAddress() string {
	list, _ := net.InterfaceAddrs()
	for _, a := range list {
		if n, ok := a.(*net.IPNet); ok && n.IP.To4() != nil && n.IP.IsGlobalUnicast() {
			return n.IP.String()
		}
	}
	return "127.0.0.1"
}

// Start switches the server on. The error is a sentence, which State has as well.
func (s *Server) Start() error { return s.start(nil) }

// start is Start, after a server that has ended and whose clients are remembered; nil: none.
func (s *Server) start(before *run) error {
	s.switching.Lock()
	defer s.switching.Unlock()
	s.mu.Lock()
	on := s.run != nil
	s.mu.Unlock()
	if on {
		return nil
	}
	r, err := s.begin(before)
	s.mu.Lock()
	s.run, s.problem = r, ""
	if err != nil {
		s.problem = err.Error()
	}
	s.mu.Unlock()
	s.notify()
	return err
}

// begin listens and answers.
func (s *Server) begin(before *run) (*run, error) {
	o := s.Settings()
	options := server.Options{Target: devices.Target{}.Usual(), Host: host(o), Changed: s.notify}
	if o.Tokens || o.Network {
		options.Keeper = s.app.Tokens()
	}
	answers, err := server.New(s.app, options)
	if err != nil {
		return nil, err
	}
	if before != nil {
		answers.Remember(before.Server)
	}
	ctx, cancel := context.WithCancel(context.Background())
	listener, err := server.Listen(ctx, host(o), cmp.Or(o.Port, server.UsualPort))
	if err != nil {
		cancel()
		return nil, err
	}
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	n, _ := strconv.Atoi(port)
	r := &run{Server: answers, address: address(o, n), cancel: cancel, ended: make(chan struct{})}
	go func() {
		err := answers.Serve(ctx, listener)
		if err != nil { // nobody switched it off
			s.lost(r, fmt.Errorf("the server ended by itself: %w; switch it on again", err))
		}
		close(r.ended)
	}()
	return r, nil
}

// lost notes that a server ended by itself.
func (s *Server) lost(r *run, err error) {
	s.mu.Lock()
	if s.run == r {
		s.run, s.problem = nil, err.Error()
	}
	s.mu.Unlock()
	r.cancel()
	s.notify()
}

// Stop switches the server off, and waits until what was under way has ended.
func (s *Server) Stop() { s.stop() }

// stop is Stop, and returns what was on; nil: nothing was.
func (s *Server) stop() *run {
	s.switching.Lock()
	defer s.switching.Unlock()
	s.mu.Lock()
	r := s.run
	s.run, s.problem = nil, ""
	s.mu.Unlock()
	if r == nil {
		return nil
	}
	r.cancel()
	<-r.ended
	s.notify()
	return r
}
