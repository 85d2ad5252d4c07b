package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
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
	got  bool // list is what the file has
}

// file is what is in it.
type file struct {
	Servers []Server `json:"servers"`
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

// change changes the servers and writes them.
func (s *shelf) change(change func([]Server) ([]Server, error)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	list, err := change(s.copied())
	if err != nil {
		return err
	}
	data, err := json.MarshalIndent(file{list}, "", "  ")
	if err == nil {
		err = durable.Write(s.path, append(data, '\n'), 0o600)
	}
	if err != nil {
		return fmt.Errorf("the tool servers could not be kept in %s: %w", base.ShortPath(s.path), base.PlainError(err))
	}
	s.list = list
	return nil
}
