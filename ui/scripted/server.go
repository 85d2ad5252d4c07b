package scripted

import (
	"errors"
	"sync"

	"inglenook/app/base"
	keys "inglenook/app/tokens"
	"inglenook/server/local"
)

// Server is a server for other programs that answers nobody.
type Server struct {
	Kept  *keys.Store
	Taken bool // its port is taken

	mu      sync.Mutex
	options base.ServerSettings
	shown   local.State
	changed func()
}

// NewServer returns one that is off. Its tokens lie in this folder.
func NewServer(folder string) *Server {
	return &Server{Kept: keys.New(base.Paths{Config: folder}), shown: local.State{Address: "http://127.0.0.1:11435"}}
}

func (s *Server) Tokens() *keys.Store { return s.Kept }

func (s *Server) Settings() base.ServerSettings {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.options
}

func (s *Server) State() local.State {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.shown
}

// Show makes this the state and says that it has changed.
func (s *Server) Show(change func(*local.State)) {
	s.mu.Lock()
	change(&s.shown)
	f := s.changed
	s.mu.Unlock()
	if f != nil {
		f()
	}
}

func (s *Server) Changed(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.changed = f
}

func (s *Server) Change(change func(*base.ServerSettings)) error {
	s.mu.Lock()
	change(&s.options)
	s.mu.Unlock()
	s.Show(func(*local.State) {})
	return nil
}

func (s *Server) Start() error {
	var err error
	if s.Taken {
		err = errors.New("the port 11435 is taken by another program; end that one, or choose another port")
	}
	s.Show(func(st *local.State) {
		if st.On, st.Problem = err == nil, ""; err != nil {
			st.Problem = err.Error()
		}
	})
	return err
}

func (s *Server) Stop() { s.Show(func(st *local.State) { st.On, st.Problem = false, "" }) }
