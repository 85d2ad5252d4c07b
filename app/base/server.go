package base

import (
	"context"
	"os"
	"slices"

	"inglenook/hub"
	"inglenook/remote"
)

// Server is an engine elsewhere that a person added. Its token is a secret, and no part
// of it.
type Server struct {
	Name      string   `json:"name"`      // before the names of its models
	Addresses []string `json:"addresses"` // several serve the same models side by side
	// ByChoice is that texts of a collection go there only where a person chose it for that one. With
	// those that an earlier version added, its name in the collection is enough.
	ByChoice bool `json:"by_choice,omitempty"`
	remote.Found
}

// Choice is a model of a server that a person chose here to embed a collection.
type Choice struct {
	Model     string   `json:"model"`     // NAME/MODEL
	Addresses []string `json:"addresses"` // of that server, when it was chosen
}

// mostServers bounds how many servers are kept.
const mostServers = 100

// cleanServers drops servers that no screen of ours wrote.
func (s *Settings) cleanServers() {
	s.Servers = slices.DeleteFunc(s.Servers, func(x Server) bool { return x.Name == "" || len(x.Addresses) == 0 })
	if len(s.Servers) > mostServers {
		s.Servers = s.Servers[:mostServers]
	}
}

// mostFormer bounds how many names of removed servers are kept.
const mostFormer = 100

// NoteFormer keeps the name of a server that was removed, so that errors about its models can say so.
func (s *Settings) NoteFormer(name string) {
	s.FormerServers = append(slices.DeleteFunc(s.FormerServers, func(have string) bool { return have == name }), name)
	if n := len(s.FormerServers) - mostFormer; n > 0 {
		s.FormerServers = slices.Delete(s.FormerServers, 0, n)
	}
}

// Servers returns the servers as the file has them, which another process may have changed, and how
// often one has changed that file.
func (s *SettingsStore) Servers() (list []Server, others int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.unsaved && s.isOthers() {
		var fresh Settings
		if note, err := s.file.read(&fresh); err == nil && note == "" {
			fresh.clean()
			s.now.Servers, s.now.FormerServers = fresh.Servers, fresh.FormerServers
		}
	}
	return copied(s.now.Servers), s.others
}

// isOthers reports whether another process has changed the file since it was read or written here.
func (s *SettingsStore) isOthers() bool {
	now, err := os.Stat(s.file.path)
	if err != nil || s.read != nil && os.SameFile(now, s.read) && now.ModTime().Equal(s.read.ModTime()) && now.Size() == s.read.Size() {
		return false
	}
	s.read = now
	s.others++
	return true
}

// Network says how servers other than the Hub are reached: through the same proxy, with
// each request on the list of connections.
func (h *Hub) Network(ctx context.Context) hub.Options {
	want := h.settings.Settings().Network
	return hub.Options{Proxy: h.proxy(ctx, want, ""), NoProxy: want.NoProxy, UserAgent: "inglenook/" + Version().Version, OnConnection: h.connected}
}

// Secret returns a secret that is kept under a name; "": there is none.
func (h *Hub) Secret(ctx context.Context, name string) string { return h.vault.Get(ctx, name).Value }

// ForgetSecret has a secret looked up anew the next time: another process may have changed it.
func (h *Hub) ForgetSecret(name string) { h.vault.forget(name) }

// SetSecret keeps a secret, "" takes it away. The answer says where it is now.
func (h *Hub) SetSecret(ctx context.Context, name, value string) (where string, err error) {
	s, err := h.vault.set(ctx, name, value)
	return s.Where, err
}
