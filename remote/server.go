package remote

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"inglenook/hub/fault"
)

// Server is one address, or several that serve the same models side by side.
type Server struct {
	name     string
	form     string
	prefix   string
	counts   string
	t        tuning
	replicas []*replica
}

// replica is one address of a server, and whether it works.
type replica struct {
	*client
	pace    pace
	proving sync.Mutex // one request asks for its proof at a time

	mu    sync.Mutex
	busy  int
	until time.Time     // it is left alone until then
	pause time.Duration // for how long the next time
	why   error
	told  bool // somebody heard that it does not work
}

// New returns a server with a name for people. No connection is opened.
func New(name string, f Found, addresses []Address, o Options) (*Server, error) {
	return newServer(name, f, addresses, o, usualTuning())
}

func newServer(name string, f Found, addresses []Address, o Options, t tuning) (*Server, error) {
	if len(addresses) == 0 {
		return nil, errors.New("the server has no address")
	}
	s := &Server{name: name, form: f.Form, prefix: f.Prefix, counts: f.Counts, t: t}
	for _, at := range addresses {
		c, err := newClient(at, o, t)
		if err != nil {
			return nil, err
		}
		s.replicas = append(s.replicas, &replica{client: c})
	}
	return s, nil
}

// Close ends idle connections.
func (s *Server) Close() error {
	for _, r := range s.replicas {
		r.close()
	}
	return nil
}

// State is how an address does.
type State struct {
	Address string
	Up      bool
	Proxy   string // the host of the proxy that it is reached through; "": none
	Why     string // not
}

// States says how each address did when it was asked last.
func (s *Server) States() (list []State) {
	for _, r := range s.replicas {
		r.mu.Lock()
		st := State{Address: r.at.String(), Up: r.why == nil}
		if r.why != nil {
			st.Why = r.why.Error()
		}
		r.mu.Unlock()
		list = append(list, st)
	}
	return list
}

// able returns the replicas that are not left alone now, the least busy first; all of
// them where each is: then somebody has to try.
func (s *Server) able() []*replica {
	now := time.Now()
	type seen struct {
		r    *replica
		busy int
	}
	var list, all []seen
	for _, r := range s.replicas {
		r.mu.Lock()
		x := seen{r, r.busy}
		if !now.Before(r.until) {
			list = append(list, x)
		}
		r.mu.Unlock()
		all = append(all, x)
	}
	if len(list) == 0 {
		list = all
	}
	slices.SortStableFunc(list, func(a, b seen) int { return a.busy - b.busy })
	out := make([]*replica, len(list))
	for i, x := range list {
		out[i] = x.r
	}
	return out
}

// begin counts a request; end is told how it went.
func (r *replica) begin() {
	r.mu.Lock()
	r.busy++
	r.mu.Unlock()
}

func (r *replica) end(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.busy--
	switch {
	case err == nil:
		r.until, r.pause, r.why = time.Time{}, 0, nil
	case atFault(err):
		r.alone(err)
	}
}

// ended counts a request that tells nothing about how the replica does.
func (r *replica) ended() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.busy--
}

// works has the replica asked again at once.
func (r *replica) works() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.until, r.pause, r.why, r.told = time.Time{}, 0, nil, false
}

// tell notes that somebody is told that the replica does not work, or that it does again, and
// reports whether that is news.
func (r *replica) tell(down bool) (news bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	news, r.told = r.told != down, down
	return news
}

// leave leaves the replica alone for a while, longer each time.
func (r *replica) leave(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.alone(err)
}

func (r *replica) alone(err error) {
	r.pause = min(max(2*r.pause, r.t.down), r.t.most)
	r.until, r.why = time.Now().Add(max(r.pause, min(fault.Wait(err), r.t.most))), err
}

// rested reports whether the replica is not left alone any more.
func (r *replica) rested() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return !time.Now().Before(r.until)
}

// down says in one sentence that no replica works any more.
func (s *Server) down(errs []error) error {
	if len(s.replicas) == 1 && len(errs) > 0 {
		return errs[len(errs)-1]
	}
	var said []string
	for _, err := range errs {
		if !slices.Contains(said, err.Error()) {
			said = append(said, err.Error())
		}
	}
	return fault.New(fault.ErrUnreachable, errors.Join(errs...), "none of the %d addresses of %s works: %s", len(s.replicas), s.name, strings.Join(said, "; "))
}

// wentOn says that a replica failed.
func (s *Server) wentOn(r *replica, err error) string {
	return fmt.Sprintf("%s of %s failed, and the others went on: %v", r.at.Host(), s.name, err)
}

// device is where a result was computed, for people.
func (s *Server) device() string { return s.name }
