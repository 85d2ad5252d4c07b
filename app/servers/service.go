package servers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"regexp"
	"slices"
	"strings"
	"sync"

	"inglenook/app/base"
	"inglenook/plain"
	"inglenook/remote"
)

// Service knows the servers of the settings.
type Service struct {
	life     *base.Lifetime
	settings *base.SettingsStore
	hub      *base.Hub
	log      *slog.Logger

	mu      sync.Mutex
	open    map[string]opened // by name
	changes map[string]int    // of models, by name
	others  int               // changes of the settings by other processes that are known
}

// opened is a server in use, and of what it was made.
type opened struct {
	server *remote.Server
	of     string
}

// New opens no connection.
func New(life *base.Lifetime, settings *base.SettingsStore, log *slog.Logger, hub *base.Hub) *Service {
	return &Service{life: life, settings: settings, hub: hub, log: log, open: map[string]opened{}, changes: map[string]int{}}
}

// Close ends idle connections.
func (s *Service) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var errs []error
	for _, x := range s.open {
		errs = append(errs, x.server.Close())
	}
	s.open = map[string]opened{}
	return errors.Join(errs...)
}

// List returns the servers, in the order in which they were added. Another process may have changed
// them and their tokens.
func (s *Service) List() []base.Server {
	list, others := s.settings.Servers()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.others != others {
		s.others = others
		for _, x := range list {
			s.hub.ForgetSecret(secretOf(x.Name))
		}
	}
	return list
}

// Others is how often another process had changed the settings when the servers were looked at last.
func (s *Service) Others() int {
	s.List()
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.others
}

// named returns the server of a name; false: there is none.
func (s *Service) named(name string) (base.Server, bool) {
	list := s.List()
	i := slices.IndexFunc(list, func(x base.Server) bool { return x.Name == name })
	if i < 0 {
		return base.Server{}, false
	}
	return list[i], true
}

// AddRequest says which server to add.
type AddRequest struct {
	Addresses []string // of the same models; at least one
	Name      string   // "": made of the first address
	Token     string   // "": one within an address, else the one kept for these addresses, else none
}

// Added is what adding came to.
type Added struct {
	base.Server
	Leaves   string   // the host that texts go to; "": they stay on this computer
	Token    string   // where the token is kept, as the end of a sentence; "": there is none
	Replaced bool     // a server of this name was there
	States   []State  // of each address
	Before   []string // its addresses, if there is another now; its token is forgotten then
}

var nameForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$`)

// Add asks each address what it is, and keeps the server. Adding a name again replaces
// what was known of it.
func (s *Service) Add(ctx context.Context, r AddRequest) (Added, error) {
	ctx, done, err := s.life.Begin(ctx)
	if err != nil {
		return Added{}, err
	}
	defer done()
	if len(r.Addresses) == 0 {
		return Added{}, errors.New("no address is given; give that of a server, such as http://localhost:8080")
	}
	var addresses []remote.Address
	var within []string // the token of each address, as it is written in it
	for _, text := range r.Addresses {
		at, secret, err := remote.ParseAddress(text)
		if err != nil {
			return Added{}, err
		}
		if slices.ContainsFunc(addresses, func(a remote.Address) bool { return a.String() == at.String() }) {
			return Added{}, fmt.Errorf("%s is given twice", at.String())
		}
		addresses, within = append(addresses, at), append(within, secret)
	}
	token, err := oneToken(r.Token, within)
	if err != nil {
		return Added{}, err
	}
	name := cmp.Or(strings.TrimSpace(r.Name), s.nameFor(addresses[0]))
	if !nameForm.MatchString(name) {
		return Added{}, fmt.Errorf("%q cannot be the name of a server; use up to 40 letters, digits, dots and dashes, such as lab", plain.Line(name, 60))
	}
	before, known := s.named(name)
	moved := known && slices.ContainsFunc(addresses, func(a remote.Address) bool { return !slices.Contains(before.Addresses, a.String()) })
	given := token != ""
	if !given && known && !moved { // no other address gets the token of these
		token = s.hub.Secret(ctx, secretOf(name))
	}
	found, err := s.recognise(ctx, addresses, token)
	if err != nil {
		return Added{}, err
	}
	out := Added{Server: base.Server{Name: name, Found: found, ByChoice: !known || moved || before.ByChoice}, Leaves: leaves(addresses), Replaced: known}
	if moved {
		out.Before = before.Addresses
	}
	network := s.hub.Network(ctx)
	for _, a := range addresses {
		out.Addresses = append(out.Addresses, a.String())
		out.States = append(out.States, State{Address: a.String(), Up: true, Proxy: a.Proxy(network)})
	}
	switch {
	case given:
		out.Token, err = s.hub.SetSecret(ctx, secretOf(name), token)
	case moved:
		_, err = s.hub.SetSecret(ctx, secretOf(name), "")
	}
	if err != nil {
		return Added{}, err
	}
	err = s.settings.SaveSettings(func(x *base.Settings) {
		i := slices.IndexFunc(x.Servers, func(have base.Server) bool { return have.Name == name })
		if i >= 0 {
			x.Servers[i] = out.Server
		} else {
			x.Servers = append(x.Servers, out.Server)
		}
	})
	s.forget(name)
	return out, err
}

// oneToken is the token of all addresses: the one that was given for them, or the one that
// stands in each. A token that stands in one alone is not sent to the others.
func oneToken(given string, within []string) (string, error) {
	for _, token := range within {
		switch {
		case given != "" && token != "" && token != given:
			return "", errors.New("a token stands in an address, and another one is given for all addresses; give each address its own server, or one token for all")
		case given == "" && token != within[0]:
			return "", errors.New("the addresses do not have the same token in them; give each address its own server, or one token for all")
		}
	}
	return cmp.Or(given, within[0]), nil
}

// recognise asks all addresses, which have to have the same models.
func (s *Service) recognise(ctx context.Context, addresses []remote.Address, token string) (remote.Found, error) {
	var first remote.Found
	for i, at := range addresses {
		found, err := remote.Recognise(ctx, at, s.options(ctx, token))
		if err != nil {
			return first, err
		}
		if i == 0 {
			first = found
			continue
		}
		if found.Form != first.Form || found.Prefix != first.Prefix {
			return first, fmt.Errorf("%s speaks another form than %s; add them as two servers", at.Host(), addresses[0].Host())
		}
		first.Models = slices.DeleteFunc(first.Models, func(m remote.Model) bool {
			return !slices.ContainsFunc(found.Models, func(o remote.Model) bool { return o.ID == m.ID })
		})
		if len(first.Models) == 0 {
			return first, fmt.Errorf("%s has none of the models of %s; addresses of one server serve the same models, so add them as two servers", at.Host(), addresses[0].Host())
		}
	}
	return first, nil
}

func (s *Service) options(ctx context.Context, token string) remote.Options {
	return remote.Options{Network: s.hub.Network(ctx), Offline: s.hub.Offline, Token: token}
}

// Remove forgets a server and its token. Nothing changes on the server.
func (s *Service) Remove(ctx context.Context, name string) error {
	found := false
	err := s.settings.SaveSettings(func(x *base.Settings) {
		x.Servers = slices.DeleteFunc(x.Servers, func(have base.Server) bool {
			found = found || have.Name == name
			return have.Name == name
		})
		if found {
			x.NoteFormer(name)
		}
	})
	if !found {
		return s.unknown(name)
	}
	s.forget(name)
	_, secret := s.hub.SetSecret(ctx, secretOf(name), "")
	return errors.Join(err, secret)
}

func (s *Service) unknown(name string) error {
	var names []string
	for _, x := range s.List() {
		names = append(names, x.Name)
	}
	if len(names) == 0 {
		return fmt.Errorf("there is no server %q, nor any other; add one with its address", plain.Line(name, 60))
	}
	return fmt.Errorf("there is no server %q; there are: %s", plain.Line(name, 60), strings.Join(names, ", "))
}

// Checked is how a server does now.
type Checked struct {
	base.Server
	Leaves string  // as in Added
	States []State // of each address
}

// Check asks each address of each server for its models, and keeps what the first one
// that answers says.
func (s *Service) Check(ctx context.Context) ([]Checked, error) {
	ctx, done, err := s.life.Begin(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	list := s.List()
	out := make([]Checked, len(list))
	var asking sync.WaitGroup
	for i, x := range list {
		asking.Go(func() { out[i] = s.check(ctx, x) })
	}
	asking.Wait()
	return out, ctx.Err()
}

func (s *Service) check(ctx context.Context, x base.Server) Checked {
	token, network := s.hub.Secret(ctx, secretOf(x.Name)), s.hub.Network(ctx)
	out := Checked{Server: x, States: make([]State, len(x.Addresses))}
	found := make([]*remote.Found, len(x.Addresses))
	var asking sync.WaitGroup
	var addresses []remote.Address
	for i, text := range x.Addresses {
		at, _, err := remote.ParseAddress(text)
		if err != nil {
			out.States[i] = State{Address: text, Why: err.Error()}
			continue
		}
		addresses = append(addresses, at)
		asking.Go(func() {
			f, err := remote.Recognise(ctx, at, s.options(ctx, token))
			out.States[i] = State{Address: at.String(), Up: err == nil, Proxy: at.Proxy(network)}
			if err != nil {
				out.States[i].Why = err.Error()
			} else {
				found[i] = &f
			}
		})
	}
	asking.Wait()
	out.Leaves = leaves(addresses)
	if i := slices.IndexFunc(found, func(f *remote.Found) bool { return f != nil }); i >= 0 {
		out.Found = asBefore(*found[i], x.Found)
		s.keep(x.Name, out.Found)
	}
	return out
}

// asBefore leaves models what they were known to be, where they could not be asked now.
func asBefore(now, before remote.Found) remote.Found {
	for i, m := range now.Models {
		for _, x := range before.Models {
			if m.Wrong != "" && x.ID == m.ID && !x.Guessed {
				x.Wrong = m.Wrong
				now.Models[i] = x
			}
		}
	}
	return now
}

// keep notes the models that a server has now.
func (s *Service) keep(name string, f remote.Found) {
	err := s.settings.SaveSettings(func(x *base.Settings) {
		if i := slices.IndexFunc(x.Servers, func(have base.Server) bool { return have.Name == name }); i >= 0 {
			x.Servers[i].Found = f
		}
	})
	if err != nil {
		s.log.Warn("models of a server not kept", "server", name, "error", err)
	}
}

// nameFor makes a name of an address that no other server has.
func (s *Service) nameFor(at remote.Address) string {
	stem := strings.Trim(regexp.MustCompile(`[^A-Za-z0-9._-]+`).ReplaceAllString(at.Host(), "-"), "-.")
	stem = strings.TrimLeft(stem, "-._")
	if len(stem) > 36 {
		stem = stem[:36]
	}
	if stem == "" {
		stem = "server"
	}
	name := stem
	for n := 2; ; n++ {
		have, taken := s.named(name)
		if !taken || slices.Contains(have.Addresses, at.String()) {
			return name
		}
		name = fmt.Sprintf("%s-%d", stem, n)
	}
}

// secretOf is the name under which the token of a server is kept.
func secretOf(name string) string { return "token of the server " + name }

// leaves names the hosts that are not this computer.
func leaves(addresses []remote.Address) string {
	var hosts []string
	for _, a := range addresses {
		if !a.Local() {
			hosts = append(hosts, a.Host())
		}
	}
	return strings.Join(hosts, ", ")
}
