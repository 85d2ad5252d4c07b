package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"

	"inglenook/hub"
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

// Connection is one request that left this computer, without secrets.
type Connection = hub.Connection

// keptConnections is how many connections the list of them has.
const keptConnections = 500

// network makes the client of the Hub when it is first needed, and anew after a
// change of the settings.
type network struct {
	vault *vault

	mu     sync.Mutex
	client *hub.Client
	made   Network // what client was made of
	token  string
	past   []Connection // the last ones, the oldest first
}

func newNetwork(p Paths) *network { return &network{vault: newVault(p)} }

// close ends the connections.
func (n *network) close() {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.client != nil {
		n.client.Close()
		n.client = nil
	}
}

// beginHub is begin for work that asks the Hub: it gives the client, too.
func (a *App) beginHub(ctx context.Context) (_ context.Context, client *hub.Client, done func(), err error) {
	if ctx, done, err = a.begin(ctx); err != nil {
		return nil, nil, nil, err
	}
	if client, err = a.hubClient(ctx); err != nil {
		done()
		return nil, nil, nil, err
	}
	return ctx, client, done, nil
}

// hubClient is the client that the settings ask for.
func (a *App) hubClient(ctx context.Context) (*hub.Client, error) {
	n, want := a.network, a.settings.get().Network
	token := cmp.Or(os.Getenv("HF_TOKEN"), n.vault.get(ctx, secretToken).value)
	proxy := want.Proxy
	if u, err := url.Parse(proxy); err == nil && want.ProxyUser != "" && u.Host != "" {
		u.User = url.UserPassword(want.ProxyUser, n.vault.get(ctx, secretProxy).value)
		proxy = u.String()
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	limit := want.Limit
	want.Limit = 0 // needs no other client
	want.Offline = a.offline(want)
	same := want
	same.Proxy = proxy
	if n.client != nil && (n.made != same || n.token != token) {
		n.client.Close()
		n.client = nil
	}
	if n.client == nil {
		client, err := hub.NewClient(hub.Options{
			Endpoint: cmp.Or(want.Endpoint, os.Getenv("HF_ENDPOINT")), Token: token, Proxy: proxy, NoProxy: want.NoProxy,
			Offline: want.Offline, UserAgent: "inglenook/" + Version().Version, OnConnection: a.connected,
		})
		if err != nil {
			return nil, err
		}
		n.client, n.made, n.token = client, same, token
	}
	n.client.SetLimit(limit)
	return n.client, nil
}

// offline reports whether connections are forbidden, by the settings, by --offline or
// by HF_HUB_OFFLINE.
func (a *App) offline(n Network) bool {
	env := strings.ToLower(os.Getenv("HF_HUB_OFFLINE"))
	return n.Offline || a.options.Offline || slices.Contains([]string{"1", "true", "yes", "on"}, env)
}

// Offline reports whether every connection is forbidden.
func (a *App) Offline() bool { return a.offline(a.settings.get().Network) }

// connected keeps a connection for the list of them, and in the log.
func (a *App) connected(c Connection) {
	a.log.Info("connection", "method", c.Method, "url", c.URL, "status", c.Status, "bytes", c.Bytes, "authorized", c.Token, "error", c.Error)
	n := a.network
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.past = append(n.past, c); len(n.past) > keptConnections {
		n.past = slices.Delete(n.past, 0, len(n.past)-keptConnections)
	}
}

// Connections are the requests that left this computer since the start, the last
// one first.
func (a *App) Connections() []Connection {
	a.network.mu.Lock()
	defer a.network.mu.Unlock()
	list := slices.Clone(a.network.past)
	slices.Reverse(list)
	return list
}

// SetNetwork changes how the Hub is reached. What cannot be right is refused, and
// nothing is changed then.
func (a *App) SetNetwork(n Network) error {
	n.Endpoint, n.Proxy, n.NoProxy = strings.TrimSpace(n.Endpoint), strings.TrimSpace(n.Proxy), strings.TrimSpace(n.NoProxy)
	if u, err := url.Parse(n.Proxy); err == nil && u.User != nil {
		return errors.New("the address of the proxy holds a user or a password; give those in their own fields, where they are kept apart")
	}
	if n.Limit < 0 {
		return errors.New("a speed limit is a positive number of bytes a second, or 0 for none")
	}
	client, err := hub.NewClient(hub.Options{Endpoint: n.Endpoint, Proxy: n.Proxy, NoProxy: n.NoProxy})
	if err != nil {
		return err
	}
	client.Close()
	err = a.settings.change(func(s *Settings) { s.Network = n })
	a.network.mu.Lock()
	defer a.network.mu.Unlock()
	if a.network.client != nil && a.offline(n) {
		a.network.client.SetOffline(true) // at once, also what is under way
		a.network.made.Offline = true
	}
	return err
}

// SecretState says of the Hub's token, or the proxy's password, where it is kept;
// empty: there is none.
type SecretState struct{ Token, Proxy string }

// Secrets says which secrets are kept, and where; never what they are.
func (a *App) Secrets(ctx context.Context) SecretState {
	s := SecretState{Token: a.network.vault.get(ctx, secretToken).where, Proxy: a.network.vault.get(ctx, secretProxy).where}
	if os.Getenv("HF_TOKEN") != "" {
		s.Token = "in the environment variable HF_TOKEN, which goes before any other"
	}
	return s
}

// SetToken keeps the Hub's token, "" takes it away. The answer says where it is now.
func (a *App) SetToken(ctx context.Context, token string) (where string, err error) {
	token = strings.TrimSpace(token)
	client, err := hub.NewClient(hub.Options{Token: token})
	if err != nil {
		return "", err
	}
	client.Close()
	s, err := a.network.vault.set(ctx, secretToken, token)
	return s.where, err
}

// SetProxyPassword is SetToken for the password of the proxy.
func (a *App) SetProxyPassword(ctx context.Context, password string) (where string, err error) {
	s, err := a.network.vault.set(ctx, secretProxy, password)
	return s.where, err
}

// TestConnection asks the endpoint for one small answer and says how that went.
func (a *App) TestConnection(ctx context.Context) (sentence string, err error) {
	ctx, client, done, err := a.beginHub(ctx)
	if err != nil {
		return "", err
	}
	defer done()
	user, err := client.Test(ctx)
	switch {
	case err != nil:
		return "", inContext(ctx, err)
	case user != "":
		return fmt.Sprintf("%s answers, and knows the token as that of %s.", client.Endpoint(), user), nil
	}
	return client.Endpoint() + " answers; no token was sent.", nil
}
