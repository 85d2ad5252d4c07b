package apptest

import (
	"errors"
	"sync"
)

// Ring is a keyring in memory.
type Ring struct {
	Broken bool // as where there is none
	Kept   map[string]string

	mu sync.Mutex
}

var errNoRing = errors.New("no such name on the bus")

// Get returns the secret of an account.
func (r *Ring) Get(_, account string) (string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.Broken {
		return "", errNoRing
	}
	return r.Kept[account], nil
}

// Set keeps a secret.
func (r *Ring) Set(_, account, secret string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.Broken {
		return errNoRing
	}
	r.Kept[account] = secret
	return nil
}

// Delete forgets a secret.
func (r *Ring) Delete(_, account string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.Kept, account)
	return nil
}
