package fit

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"inglenook/app/base"
	"inglenook/durable"
	"inglenook/engine"
	"inglenook/engine/probe"
)

// Speeds are the rates that this machine's devices reach, measured when they are
// first asked for and kept in the cache folder. Another machine, another number
// of threads or another version of the program is measured anew.
type Speeds struct {
	Path string

	mu    sync.Mutex
	read  bool
	Rates map[string]map[string]float64 // by device, then by probe
}

func speedsPath(p base.Paths) string { return filepath.Join(p.Cache, "speed.json") }

// MachineKey says of which device, with which kernels, rates are.
func MachineKey(b engine.Backend) string {
	d := b.Device()
	return fmt.Sprint(d.ID, " ", d.Name, " ", d.Threads, " ", d.Features, " ", base.Version().Version)
}

// Rate is that of a probe on a device, measured now if it is not known.
func (s *Speeds) Rate(ctx context.Context, b engine.Backend, p probe.Rate) (float64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.load()
	of := s.Rates[MachineKey(b)]
	if r := of[p.Key()]; r > 0 {
		return r, nil
	}
	r, err := p.Run(ctx, b)
	if err != nil {
		return 0, err
	}
	if of == nil {
		of = map[string]float64{}
		s.Rates[MachineKey(b)] = of
	}
	of[p.Key()] = r
	data, err := json.Marshal(s.Rates)
	if err == nil {
		_ = durable.Write(s.Path, data, 0o600) // not kept, it is measured again
	}
	return r, nil
}

func (s *Speeds) load() {
	if s.read {
		return
	}
	s.read, s.Rates = true, map[string]map[string]float64{}
	if data, err := os.ReadFile(s.Path); err == nil && json.Unmarshal(data, &s.Rates) != nil || s.Rates == nil {
		s.Rates = map[string]map[string]float64{}
	}
}

// Forget makes everything be measured anew.
func (s *Speeds) Forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.read, s.Rates = true, map[string]map[string]float64{}
}

// Seconds predicts how long tasks take. Weights of so many bytes in all are read
// for each pass.
func (s *Speeds) Seconds(ctx context.Context, bs []engine.Backend, tasks []probe.Task, weightBytes int64) (total float64, err error) {
	by := map[string]engine.Backend{}
	for _, b := range bs {
		by[b.Device().ID] = b
	}
	for _, t := range tasks {
		p, work := t.Rate(weightBytes)
		r, err := s.Rate(ctx, by[t.Device], p)
		if err != nil {
			return 0, err
		}
		ops, err := s.Rate(ctx, by[t.Device], probe.Launch)
		if err != nil {
			return 0, err
		}
		total += work/r + 1/ops
	}
	return total, nil
}
