package tokens

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"inglenook/app/base"
	"inglenook/durable"
	"inglenook/plain"
	"inglenook/regular"
)

// Limits of what is kept.
const (
	maxTokens = 100
	maxName   = 40
	maxFile   = 1 << 20
)

// prefix is how a token begins, so that a person recognises one.
const prefix = "inglenook-"

// Token is a token without its secret.
type Token struct {
	Name string    `json:"name"`
	Made time.Time `json:"made"`
}

// kept is a token in the file.
type kept struct {
	Token
	Sum string `json:"sha256"` // of the secret, in hexadecimal digits
}

// Store keeps tokens in a file. Another process may change it meanwhile: what it revokes
// counts from the next question on.
type Store struct {
	path string

	mu   sync.Mutex
	list []kept
	seen stamp // of the file as list has it
}

// stamp tells whether a file is the one that was read.
type stamp struct {
	size    int64
	changed time.Time
}

// New returns the tokens in the config folder.
func New(paths base.Paths) *Store {
	return &Store{path: filepath.Join(paths.Config, "tokens.json")}
}

// read brings the list up to date with the file. A file that cannot be read has no tokens:
// then nobody is let in.
func (s *Store) read() error {
	var now stamp
	info, err := regular.Stat(context.Background(), s.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		s.list, s.seen = nil, stamp{}
		return nil
	case err == nil:
		if now = (stamp{info.Size(), info.ModTime()}); now == s.seen {
			return nil
		}
	}
	var data []byte
	if err == nil {
		data, err = regular.ReadFile(context.Background(), s.path, maxFile)
	}
	var f struct{ Tokens []kept }
	if err == nil {
		err = json.Unmarshal(data, &f)
	}
	s.list, s.seen = nil, stamp{}
	if err != nil {
		return fmt.Errorf("the tokens in %s cannot be read: %w; put the file aside and make new ones", base.ShortPath(s.path), base.PlainError(err))
	}
	for _, k := range f.Tokens[:min(len(f.Tokens), maxTokens)] {
		if sum, err := hex.DecodeString(k.Sum); err == nil && len(sum) == sha256.Size && checkName(k.Name) == nil {
			s.list = append(s.list, k)
		}
	}
	s.seen = now
	return nil
}

// List returns the tokens, the oldest first.
func (s *Store) List() ([]Token, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	err := s.read()
	list := make([]Token, len(s.list))
	for i, k := range s.list {
		list[i] = k.Token
	}
	return list, err
}

// Who returns the name of the token with this SHA-256 sum; empty: there is none. It takes
// the same time whichever it is.
func (s *Store) Who(sum [sha256.Size]byte) (name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.read() != nil {
		return ""
	}
	for _, k := range s.list {
		if subtle.ConstantTimeCompare([]byte(k.Sum), []byte(hex.EncodeToString(sum[:]))) == 1 {
			name = k.Name
		}
	}
	return name
}

// Add makes a token and returns its secret, which is kept nowhere.
func (s *Store) Add(name string) (secret string, err error) {
	name = strings.TrimSpace(name)
	if err := checkName(name); err != nil {
		return "", err
	}
	secret = prefix + rand.Text()
	sum := sha256.Sum256([]byte(secret))
	return secret, s.add(kept{Token{name, time.Now().UTC().Truncate(time.Second)}, hex.EncodeToString(sum[:])})
}

// Remove revokes a token.
func (s *Store) Remove(name string) error {
	_, err := s.Take(name)
	return err
}

// Take revokes a token. What it returns puts the token back; its secret is then good again.
func (s *Store) Take(name string) (back func() error, err error) {
	var taken kept
	err = s.change(func(list []kept) ([]kept, error) {
		i := slices.IndexFunc(list, func(k kept) bool { return k.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("there is no token “%s”; inglenook tokens list shows those that there are", plain.Line(name, maxName))
		}
		taken = list[i]
		return slices.Delete(list, i, i+1), nil
	})
	if err != nil {
		return nil, err
	}
	return func() error { return s.add(taken) }, nil
}

// add adds a token, unless its name is taken or there are too many.
func (s *Store) add(k kept) error {
	return s.change(func(list []kept) ([]kept, error) {
		switch {
		case slices.ContainsFunc(list, func(other kept) bool { return other.Name == k.Name }):
			return nil, fmt.Errorf("there is a token “%s” already; choose another name, or remove that one", k.Name)
		case len(list) >= maxTokens:
			return nil, fmt.Errorf("there are %d tokens, which is as many as are kept; remove those that nobody uses", maxTokens)
		}
		return append(list, k), nil
	})
}

func (s *Store) change(change func([]kept) ([]kept, error)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.read(); err != nil {
		return err
	}
	list, err := change(slices.Clone(s.list))
	if err != nil {
		return err
	}
	data, err := json.MarshalIndent(map[string]any{"tokens": list}, "", "  ")
	if err == nil {
		err = durable.Write(s.path, append(data, '\n'), 0o600)
	}
	if err != nil {
		return fmt.Errorf("the tokens could not be kept in %s: %w", base.ShortPath(s.path), base.PlainError(err))
	}
	s.list, s.seen = list, stamp{} // read again: the file's own time is what counts
	return nil
}

func checkName(name string) error {
	if name == "" || len(name) > maxName || plain.Line(name, maxName) != name {
		return fmt.Errorf("a token needs a name of up to %d letters; name it after the program that will use it", maxName)
	}
	return nil
}
