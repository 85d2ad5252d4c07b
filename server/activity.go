package server

import (
	"cmp"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// Client is a program that asked, as far as it can be told apart: by the address, by what it
// calls itself, and by the token.
type Client struct {
	Name     string // such as "OpenAI/Python 3.54.0"; "": it does not say
	Address  string
	Token    string // the name of the token that it uses; "": none was needed
	Requests int    // that were let in
	Refused  int    // that had no token, or a wrong one
	Active   int    // of them under way
	Last     time.Time
}

// Activity is what goes on and what went on, without a text of any request.
type Activity struct {
	Clients []Client  // the last one first
	Active  []Request // under way, the oldest first
	Recent  []Request // that have ended, the last one first
}

// maxRecent is how many ended requests, and how many clients, are remembered.
const maxRecent = 50

// activity remembers what goes on.
type activity struct {
	mu      sync.Mutex
	clients map[clientKey]*Client
	active  map[*call]Request
	recent  []Request
}

type clientKey struct{ name, address, token string }

// begin notes a request that may ask.
func (a *activity) begin(c *call) {
	a.mu.Lock()
	defer a.mu.Unlock()
	x := a.clientOf(c)
	x.Requests++
	x.Active++
	x.Last = time.Now()
	c.client = x
	a.active[c] = c.note
}

// refused notes a request that had no token, or a wrong one.
func (a *activity) refused(c *call) {
	a.mu.Lock()
	defer a.mu.Unlock()
	x := a.clientOf(c)
	x.Refused++
	x.Last = time.Now()
}

// clientOf is whose request it is.
func (a *activity) clientOf(c *call) *Client {
	if a.active == nil {
		a.active, a.clients = map[*call]Request{}, map[clientKey]*Client{}
	}
	address, _, _ := net.SplitHostPort(c.r.RemoteAddr)
	key := clientKey{c.note.Client, address, c.note.Token}
	x := a.clients[key]
	if x == nil {
		if len(a.clients) >= maxRecent {
			a.forget()
		}
		x = &Client{Name: key.name, Address: address, Token: key.token}
		a.clients[key] = x
	}
	return x
}

// forget makes room: the client that has been silent for the longest time goes. One that was
// never let in goes before any other, so that strangers push nobody out.
func (a *activity) forget() {
	var at clientKey
	var least *Client
	for key, x := range a.clients {
		stranger := x.Requests == 0
		if least == nil || stranger && least.Requests > 0 || stranger == (least.Requests == 0) && x.Last.Before(least.Last) {
			at, least = key, x
		}
	}
	delete(a.clients, at)
}

// Remember takes over who asked a server that has ended, and what they asked for.
func (s *Server) Remember(before *Server) {
	past, a := before.Activity(), &s.activity
	a.mu.Lock()
	defer a.mu.Unlock()
	a.active, a.clients = map[*call]Request{}, map[clientKey]*Client{}
	for _, x := range past.Clients {
		x.Active = 0
		a.clients[clientKey{x.Name, x.Address, x.Token}] = &x
	}
	slices.Reverse(past.Recent)
	a.recent = past.Recent
}

// progress notes what is known of a request by now.
func (a *activity) progress(c *call) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if _, ok := a.active[c]; ok {
		a.active[c] = c.note
	}
}

// end notes that a request has ended.
func (a *activity) end(c *call) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if c.client == nil {
		return // it was refused before anything else
	}
	c.client.Active--
	c.client.Last = time.Now()
	delete(a.active, c)
	a.recent = append(a.recent[max(0, len(a.recent)-maxRecent+1):], c.note)
}

// Activity returns what goes on.
func (s *Server) Activity() (out Activity) {
	a := &s.activity
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, x := range a.clients {
		out.Clients = append(out.Clients, *x)
	}
	for _, r := range a.active {
		r.MS = float64(time.Since(r.Time).Milliseconds())
		out.Active = append(out.Active, r)
	}
	out.Recent = slices.Clone(a.recent)
	slices.Reverse(out.Recent)
	slices.SortFunc(out.Clients, func(a, b Client) int {
		return cmp.Or(b.Last.Compare(a.Last), strings.Compare(a.Name, b.Name), strings.Compare(a.Address, b.Address), strings.Compare(a.Token, b.Token))
	})
	slices.SortFunc(out.Active, func(a, b Request) int { return a.Time.Compare(b.Time) })
	return out
}

// maxClient is how many letters of what a client calls itself are kept.
const maxClient = 40

// clientName is what a client calls itself: the first word of its header User-Agent, and
// the next where that is a version. Anything but plain letters ends it.
func clientName(r *http.Request) string {
	said := r.Header.Get("User-Agent")
	end := strings.IndexFunc(said, func(r rune) bool {
		return r != '/' && r != '.' && r != '-' && r != '_' && r != ' ' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	})
	if end >= 0 {
		said = said[:end]
	}
	words := strings.Fields(said)
	n := min(len(words), 1)
	if len(words) > 1 && words[1][0] >= '0' && words[1][0] <= '9' {
		n = 2
	}
	name := strings.Join(words[:n], " ")
	return name[:min(len(name), maxClient)]
}
