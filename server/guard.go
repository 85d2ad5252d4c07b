package server

import (
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"inglenook/app/tokens"
)

// guard decides who may ask. It looks at the header Host first: a page whose name
// was made to point here (DNS rebinding) is told apart by it alone. Then it looks
// at the page that asks, then at the token.
type guard struct {
	host    string // that was bound, beside loopback
	wide    bool   // bound to an address that others reach
	origins []string
	tokens  [][sha256.Size]byte
	keeper  *tokens.Store // of named ones; nil: there are none

	mu      sync.Mutex
	guesses map[string]*guessing // by address
}

// guessing counts wrong tokens from one address.
type guessing struct {
	wrong int
	until time.Time // when they are forgotten
}

// After so many wrong tokens in a minute an address is told to wait. A right one always passes: it is
// the length of a token that protects it.
const (
	maxGuesses   = 10
	guessTime    = time.Minute
	maxGuessers  = 1024 // addresses that are remembered
	minTokenSize = 16   // characters
)

func newGuard(o Options) (*guard, error) {
	g := &guard{host: strings.ToLower(o.Host), wide: !isLoopback(o.Host), origins: o.Origins, keeper: o.Keeper, guesses: map[string]*guessing{}}
	for _, t := range o.Tokens {
		if len(t) < minTokenSize {
			return nil, fmt.Errorf("a token has %d characters; use at least %d, so that nobody guesses it", len(t), minTokenSize)
		}
		g.tokens = append(g.tokens, sha256.Sum256([]byte(t)))
	}
	for _, o := range o.Origins {
		if u, err := url.Parse(o); err != nil || u.Scheme == "" || u.Host == "" || u.Path != "" || o == "*" {
			return nil, fmt.Errorf("%q is not an origin; give scheme and host, as in http://localhost:3000", o)
		}
	}
	if g.keeper != nil && len(g.tokens) == 0 {
		list, err := g.keeper.List()
		if err != nil {
			return nil, err
		}
		if len(list) == 0 {
			return nil, errors.New("there is no token yet, so nobody could ask; make one first, in Settings or with inglenook tokens add NAME")
		}
	}
	if g.wide && len(g.tokens) == 0 && g.keeper == nil {
		return nil, fmt.Errorf("%s can be reached by other computers, so a token is needed; give a file that holds one, or listen at 127.0.0.1", o.Host)
	}
	return g, nil
}

// isLoopback reports whether a name of a host is this computer for itself alone.
func isLoopback(host string) bool {
	host = strings.TrimSuffix(strings.ToLower(strings.Trim(host, "[]")), ".")
	if host == "" || host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}

// admit returns a fault for who may not ask, and the name of the token of who may. It
// writes the headers by which a browser lets a page that may ask read the answer.
func (g *guard) admit(w http.ResponseWriter, r *http.Request, open bool) (token string, err error) {
	if !g.knows(r.Host) {
		return "", &fault{status: http.StatusForbidden, kind: kindPermission, code: "foreign_host", sentence: "the request names another host; ask at http://localhost or http://127.0.0.1"}
	}
	origin := strings.Join(r.Header.Values("Origin"), ", ") // several are none that may ask
	ours := origin != "" && (origin == "http://"+r.Host || origin == "https://"+r.Host)
	allowed := origin != "" && slices.Contains(g.origins, origin)
	site := r.Header.Get("Sec-Fetch-Site")
	if origin != "" && !ours && !allowed || origin == "" && (site == "cross-site" || site == "same-site") {
		return "", &fault{status: http.StatusForbidden, kind: kindPermission, code: "foreign_origin", sentence: "a web page of another origin may not ask; start the server with --cors and its origin if it may"}
	}
	if len(g.origins) > 0 {
		w.Header().Add("Vary", "Origin")
	}
	if allowed {
		w.Header().Set("Access-Control-Allow-Origin", origin)
		w.Header().Set("Access-Control-Expose-Headers", headerDevice+", "+headerFallbacks)
	}
	if r.Method == http.MethodOptions {
		if !allowed {
			return "", &fault{status: http.StatusForbidden, kind: kindPermission, code: "foreign_origin", sentence: "no web page may ask here unless --cors names its origin"}
		}
		w.Header().Set("Access-Control-Allow-Methods", "GET, POST")
		w.Header().Set("Access-Control-Allow-Headers", "Anthropic-Beta, Anthropic-Dangerous-Direct-Browser-Access, Anthropic-Version, Authorization, Content-Type, X-Api-Key")
		return "", nil
	}
	if open || len(g.tokens) == 0 && g.keeper == nil {
		return "", nil
	}
	return g.checkToken(r)
}

// knows reports whether the header Host names this server. Where others may reach
// it, it may be any address, but no name that is not ours: names are what
// rebinding is made of.
func (g *guard) knows(hostport string) bool {
	host, _, err := net.SplitHostPort(hostport)
	if err != nil {
		host = hostport
	}
	host = strings.ToLower(strings.Trim(host, "[]"))
	if host == "" {
		return false
	}
	if isLoopback(host) || host == g.host {
		return true
	}
	_, err = netip.ParseAddr(host)
	return g.wide && err == nil
}

// checkToken compares in a time that tells nothing of the token.
func (g *guard) checkToken(r *http.Request) (name string, err error) {
	given := r.Header.Get("X-Api-Key")
	if scheme, bearer, ok := strings.Cut(r.Header.Get("Authorization"), " "); ok && strings.EqualFold(scheme, "Bearer") {
		given = strings.TrimSpace(bearer)
	}
	sum, right := sha256.Sum256([]byte(given)), 0
	for _, t := range g.tokens {
		right |= subtle.ConstantTimeCompare(sum[:], t[:])
	}
	if g.keeper != nil {
		name = g.keeper.Who(sum)
	}
	if right == 1 || name != "" {
		return name, nil
	}
	if given != "" {
		from, _, _ := net.SplitHostPort(r.RemoteAddr)
		if wait := g.guessed(from); wait > 0 {
			return "", &fault{status: http.StatusTooManyRequests, kind: kindRate, code: "too_many_guesses", wait: wait, sentence: fmt.Sprintf("too many wrong access keys (tokens) came from this address; send the right one, or wait %d seconds", wait)}
		}
	}
	return "", &fault{status: http.StatusUnauthorized, kind: kindToken, code: "invalid_api_key", sentence: "the access key (token) is missing or wrong; send it as Authorization: Bearer KEY"}
}

// guessed notes a wrong token, and returns how many seconds its address has to wait; 0: it did not
// guess too often.
func (g *guard) guessed(from string) (wait int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	now := time.Now()
	for address, x := range g.guesses {
		if now.After(x.until) {
			delete(g.guesses, address)
		}
	}
	x := g.guesses[from]
	if x == nil {
		if len(g.guesses) >= maxGuessers {
			return 0 // what is remembered is bounded
		}
		x = &guessing{until: now.Add(guessTime)}
		g.guesses[from] = x
	}
	if x.wrong++; x.wrong <= maxGuesses {
		return 0
	}
	return int(x.until.Sub(now)/time.Second) + 1
}
