package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"sync"

	"inglenook/app/base"
	"inglenook/durable"
	"inglenook/regular"
)

// maxFile is how many bytes the file of the servers has at most.
const maxFile = 1 << 20

// shelf keeps the servers in a file that only the person may read, as there may be
// passwords among the variables.
type shelf struct {
	path string
	log  *slog.Logger

	mu   sync.Mutex
	list []Server
	own  []string
	got  bool // list is what the file has
}

// file is what is in it.
type file struct {
	Servers []Server `json:"servers"`
	Own     []string `json:"own,omitempty"` // tools for documents that run without a question
}

// read returns the servers. What cannot be read, or used, is left out.
func (s *shelf) read() []Server {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.copied()
}

func (s *shelf) copied() []Server {
	if !s.got {
		s.got = true
		var f file
		data, err := regular.ReadFile(context.Background(), s.path, maxFile)
		if err == nil {
			err = json.Unmarshal(data, &f)
		}
		if err != nil {
			s.log.Info("no tool servers", "reason", base.PlainError(err))
		}
		s.own = f.Own[:min(len(f.Own), maxAlways)]
		for _, one := range f.Servers[:min(len(f.Servers), maxServers)] {
			always := one.Always
			if one, err := one.check(); err == nil {
				one.Always = always[:min(len(always), maxAlways)]
				s.list = append(s.list, one)
			}
		}
	}
	return append([]Server(nil), s.list...)
}

// readOwn returns the tools for documents that run without a question.
func (s *shelf) readOwn() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.copied()
	return slices.Clone(s.own)
}

// addOwn adds one.
func (s *shelf) addOwn(tool string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := s.copied()
	if slices.Contains(s.own, tool) {
		return nil
	}
	return s.write(list, append(slices.Clone(s.own), tool))
}

// change changes the servers and writes them.
func (s *shelf) change(change func([]Server) ([]Server, error)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	list, err := change(s.copied())
	if err != nil {
		return err
	}
	return s.write(list, s.own)
}

func (s *shelf) write(list []Server, own []string) error {
	data, err := json.MarshalIndent(file{list, own}, "", "  ")
	if err == nil {
		err = durable.Write(s.path, append(data, '\n'), 0o600)
	}
	if err != nil {
		return fmt.Errorf("the tool servers could not be kept in %s: %w", base.ShortPath(s.path), base.PlainError(err))
	}
	s.list, s.own = list, own
	return nil
}
