package base

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"

	"inglenook/hub"
	"inglenook/hub/fault"
)

// Network is how the Hub is reached. Passwords and the token are not part of it:
// they are kept in the system's keyring.
type Network struct {
	Endpoint  string `json:"endpoint"`   // a mirror's address; "": HF_ENDPOINT, or the Hub itself
	Proxy     string `json:"proxy"`      // address without user and password; "": as the environment says; "direct": none
	ProxyUser string `json:"proxy_user"` // its password is a secret
	NoProxy   string `json:"no_proxy"`   // hosts, domains and networks that the proxy is not for
	Offline   bool   `json:"offline"`    // no connection at all
	Limit     int64  `json:"limit"`      // bytes a second of all downloads together; 0: no limit
}

// Tidied is n without spaces around what a person typed, and with the usual scheme before a proxy
// without one.
func (n Network) Tidied() Network {
	n.Endpoint, n.Proxy, n.NoProxy = strings.TrimSpace(n.Endpoint), strings.TrimSpace(n.Proxy), strings.TrimSpace(n.NoProxy)
	if n.Proxy != "" && n.Proxy != "direct" && !strings.Contains(n.Proxy, "://") {
		n.Proxy = "http://" + n.Proxy
	}
	return n
}

// check refuses what cannot be right, also of a token that goes with it; the fields in their order.
func (n Network) check(token string) error {
	if n.Limit < 0 {
		return errors.New("a speed limit is a positive number of bytes a second, or 0 for none")
	}
	if err := tryClient(hub.Options{Endpoint: n.Endpoint, Proxy: "direct"}); err != nil {
		return fieldError{FieldEndpoint, err}
	}
	if n.proxyNamesUser() {
		return fieldError{FieldProxy, errors.New("the address of the proxy holds a user or a password; give those in their own fields, where they are kept apart")}
	}
	if err := tryClient(hub.Options{Proxy: n.Proxy, NoProxy: n.NoProxy}); err != nil {
		return fieldError{FieldProxy, err}
	}
	return checkToken(token)
}

// checkToken refuses a token that cannot be right.
func checkToken(token string) error {
	if err := tryClient(hub.Options{Token: token, Proxy: "direct"}); err != nil {
		return fieldError{FieldToken, err}
	}
	return nil
}

// tryClient makes a client for what can be wrong with its options.
func tryClient(o hub.Options) error {
	client, err := hub.NewClient(o)
	if err != nil {
		return err
	}
	client.Close()
	return nil
}

// proxyNamesUser reports whether the address of the proxy holds a user or a password.
func (n Network) proxyNamesUser() bool {
	u, err := url.Parse(n.Proxy)
	return err == nil && u.User != nil
}

// Connection is one request that left this computer, without secrets.
type Connection = hub.Connection

// keptConnections is how many connections the list of them has.
const keptConnections = 500

// Hub is how the program reaches the Hub. It makes the client when that is first
// needed, and again after a change of the settings.
type Hub struct {
	life      *Lifetime
	settings  *SettingsStore
	log       *slog.Logger
	forbidden bool // no connection at all, whatever the settings say
	vault     *vault

	mu     sync.Mutex
	client *hub.Client
	made   Network // what client was made of
	token  string
	past   []Connection // the last ones, the oldest first
}

// NewHub returns the connection to the Hub; where forbidden is set it makes none,
// whatever the settings say.
func NewHub(life *Lifetime, settings *SettingsStore, log *slog.Logger, p Paths, forbidden bool) *Hub {
	return &Hub{life: life, settings: settings, log: log, forbidden: forbidden, vault: newVault(p)}
}

// Close ends the connections.
func (h *Hub) Close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.client != nil {
		h.client.Close()
		h.client = nil
	}
}

// Begin is [Lifetime.Begin] for work that asks the Hub; it returns the client, too.
func (h *Hub) Begin(ctx context.Context) (_ context.Context, client *hub.Client, done func(), err error) {
	if ctx, done, err = h.life.Begin(ctx); err != nil {
		return nil, nil, nil, err
	}
	if client, err = h.Client(ctx); err != nil {
		done()
		return nil, nil, nil, err
	}
	return ctx, client, done, nil
}

// Client is the client that the settings ask for.
func (h *Hub) Client(ctx context.Context) (*hub.Client, error) {
	want := h.settings.Settings().Network
	token := h.tokenOr(ctx, "")
	proxy := h.proxy(ctx, want, "")
	h.mu.Lock()
	defer h.mu.Unlock()
	limit := want.Limit
	want.Limit = 0 // needs no other client
	want.Offline = h.offline(want)
	same := want
	same.Proxy = proxy
	if h.client != nil && (h.made != same || h.token != token) {
		h.client.Close()
		h.client = nil
	}
	if h.client == nil {
		client, err := h.dial(want, token, proxy)
		if err != nil {
			return nil, err
		}
		h.client, h.made, h.token = client, same, token
	}
	h.client.SetLimit(limit)
	return h.client, nil
}

// dial makes a client for settings, with a token and with the address of a proxy.
func (h *Hub) dial(n Network, token, proxy string) (*hub.Client, error) {
	return hub.NewClient(hub.Options{
		Endpoint: cmp.Or(n.Endpoint, usualEndpoint()), Token: token, Proxy: proxy, NoProxy: n.NoProxy,
		Offline: h.offline(n), UserAgent: "inglenook/" + Version().Version, OnConnection: h.connected,
	})
}

// tokenOr is the token that is sent: that of the environment, or the one given, or the one kept.
func (h *Hub) tokenOr(ctx context.Context, given string) string {
	return cmp.Or(os.Getenv("HF_TOKEN"), given, h.vault.Get(ctx, secretToken).Value)
}

// proxy is the proxy's address with its user and a password; "": the one that is kept.
func (h *Hub) proxy(ctx context.Context, want Network, password string) string {
	u, err := url.Parse(want.Proxy)
	if err != nil || want.ProxyUser == "" || u.Host == "" {
		return want.Proxy
	}
	u.User = url.UserPassword(want.ProxyUser, cmp.Or(password, h.vault.Get(ctx, secretProxy).Value))
	return u.String()
}

// offline reports whether connections are forbidden, by the settings, by --offline or
// by HF_HUB_OFFLINE.
func (h *Hub) offline(with Network) bool {
	env := strings.ToLower(os.Getenv("HF_HUB_OFFLINE"))
	return with.Offline || h.forbidden || slices.Contains([]string{"1", "true", "yes", "on"}, env)
}

// Offline reports whether every connection is forbidden.
func (h *Hub) Offline() bool { return h.offline(h.settings.Settings().Network) }

// connected keeps a connection for the list of them, and in the log.
func (h *Hub) connected(c Connection) {
	h.log.Info("connection", "method", c.Method, "url", c.URL, "status", c.Status, "bytes", c.Bytes, "authorized", c.Token, "error", c.Error)
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.past = append(h.past, c); len(h.past) > keptConnections {
		h.past = slices.Delete(h.past, 0, len(h.past)-keptConnections)
	}
}

// Connections are the requests that left this computer since the start, the last
// one first.
func (h *Hub) Connections() []Connection {
	h.mu.Lock()
	defer h.mu.Unlock()
	list := slices.Clone(h.past)
	slices.Reverse(list)
	return list
}

// SetNetwork changes how the Hub is reached. What cannot be right is refused, and
// nothing is changed then.
func (h *Hub) SetNetwork(to Network) error {
	to = to.Tidied()
	if err := to.check(""); err != nil {
		return err
	}
	err := h.settings.SaveSettings(func(s *Settings) { s.Network = to })
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.client != nil && h.offline(to) {
		h.client.SetOffline(true) // at once, also what is under way
		h.made.Offline = true
	}
	return err
}

// SecretState says of the Hub's token, or the proxy's password, where it is kept;
// empty: there is none.
type SecretState struct{ Token, Proxy string }

// Secrets says which secrets are kept, and where; never what they are.
func (h *Hub) Secrets(ctx context.Context) SecretState {
	s := SecretState{Token: h.vault.Get(ctx, secretToken).Where, Proxy: h.vault.Get(ctx, secretProxy).Where}
	if os.Getenv("HF_TOKEN") != "" {
		s.Token = "in the environment variable HF_TOKEN, which goes before any other"
	}
	return s
}

// SetToken keeps the Hub's token, "" takes it away. The answer says where it is now.
func (h *Hub) SetToken(ctx context.Context, token string) (where string, err error) {
	token = strings.TrimSpace(token)
	if err := checkToken(token); err != nil {
		return "", err
	}
	s, err := h.vault.set(ctx, secretToken, token)
	return s.Where, err
}

// SetProxyPassword is SetToken for the password of the proxy.
func (h *Hub) SetProxyPassword(ctx context.Context, password string) (where string, err error) {
	s, err := h.vault.set(ctx, secretProxy, password)
	return s.Where, err
}

// NetworkField is a field that an error about a connection can be about.
type NetworkField string

// The fields: two of [Network], and the token.
const (
	FieldEndpoint NetworkField = "endpoint"
	FieldProxy    NetworkField = "proxy"
	FieldToken    NetworkField = "token"
)

// fieldError is what is wrong with a field.
type fieldError struct {
	field NetworkField
	error
}

func (e fieldError) Unwrap() error { return e.error }

// FieldOf is the field that an error of [Hub.SetNetwork], [Hub.SetToken] or [Hub.TestConnection] is
// about; "": none of them.
func FieldOf(err error) NetworkField {
	var wrong fieldError
	var via *net.OpError
	switch {
	case errors.As(err, &wrong):
		return wrong.field
	case errors.Is(err, fault.ErrGated):
		return FieldToken
	case errors.As(err, &via) && via.Op == "proxyconnect":
		return FieldProxy
	case errors.Is(err, fault.ErrUnreachable), errors.Is(err, fault.ErrProtocol), errors.Is(err, fault.ErrServer), errors.Is(err, fault.ErrNotFound):
		return FieldEndpoint
	}
	return ""
}

// ErrorDetail is what the system said of an error, beside the sentence about it; "": nothing more.
func ErrorDetail(err error) string {
	var f *fault.Error
	if errors.As(err, &f) {
		return f.Detail
	}
	return ""
}

// TestConnection asks the model store for one small answer and says how that went, with settings,
// a token and the password of a proxy that need not be applied; empty ones are those that are kept.
func (h *Hub) TestConnection(ctx context.Context, with Network, token, password string) (sentence string, err error) {
	ctx, done, err := h.life.Begin(ctx)
	if err != nil {
		return "", err
	}
	defer done()
	with, token = with.Tidied(), h.tokenOr(ctx, strings.TrimSpace(token))
	if err := with.check(token); err != nil {
		return "", err
	}
	client, err := h.dial(with, token, h.proxy(ctx, with, password))
	if err != nil {
		return "", err
	}
	defer client.Close()
	user, err := client.Test(ctx)
	switch {
	case err != nil:
		return "", InContext(ctx, err)
	case user != "":
		return fmt.Sprintf("%s answers, and knows the token as that of %s.", client.Endpoint(), user), nil
	}
	return client.Endpoint() + " answers; no token was sent.", nil
}

// usualEndpoint is the Hub's address where Settings name none; "": the Hub's own.
func usualEndpoint() string { return os.Getenv("HF_ENDPOINT") }

// UsualEndpoint is the address that is in force where Settings name none.
func UsualEndpoint() string { return cmp.Or(usualEndpoint(), "https://huggingface.co") }
