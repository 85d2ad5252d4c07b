package fit

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"sync"

	"inglenook/app/base"
	"inglenook/durable"
	"inglenook/engine"
	"inglenook/engine/probe"
	"inglenook/regular"
)

// speeds are the rates that this machine's devices reach, measured when they are
// first asked for and kept in the cache folder. Another machine, another number
// of threads or another version of the program is measured again.
type speeds struct {
	path string

	mu    sync.Mutex
	read  bool
	rates map[string]map[string]float64 // by device, then by probe
}

func speedsPath(p base.Paths) string { return filepath.Join(p.Cache, "speed.json") }

// machineKey returns the key of a device and its kernels, under which its rates are stored.
func machineKey(b engine.Backend) string {
	d := b.Device()
	return fmt.Sprint(d.ID, " ", d.Name, " ", d.Threads, " ", d.Features, " ", base.Version().Version)
}

// rate is that of a probe on a device, measured now if it is not known.
func (s *speeds) rate(ctx context.Context, b engine.Backend, p probe.Rate) (float64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.load()
	of := s.rates[machineKey(b)]
	if r := of[p.Key()]; r > 0 {
		return r, nil
	}
	r, err := p.Run(ctx, b)
	if err != nil {
		return 0, err
	}
	if of == nil {
		of = map[string]float64{}
		s.rates[machineKey(b)] = of
	}
	of[p.Key()] = r
	data, err := json.Marshal(s.rates)
	if err == nil {
		_ = durable.Write(s.path, data, 0o600) // not kept, it is measured again
	}
	return r, nil
}

func (s *speeds) load() {
	if s.read {
		return
	}
	s.read, s.rates = true, map[string]map[string]float64{}
	if data, err := regular.ReadFile(context.Background(), s.path, 1<<20); err == nil && json.Unmarshal(data, &s.rates) != nil || s.rates == nil {
		s.rates = map[string]map[string]float64{}
	}
}

// forget drops all rates, so that they are measured again.
func (s *speeds) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.read, s.rates = true, map[string]map[string]float64{}
}

// seconds predicts how long tasks take. Weights of so many bytes in all are read
// for each pass.
func (s *speeds) seconds(ctx context.Context, bs []engine.Backend, tasks []probe.Task, weightBytes int64) (total float64, err error) {
	by := map[string]engine.Backend{}
	for _, b := range bs {
		by[b.Device().ID] = b
	}
	for _, t := range tasks {
		p, work := t.Rate(weightBytes)
		r, err := s.rate(ctx, by[t.Device], p)
		if err != nil {
			return 0, err
		}
		ops, err := s.rate(ctx, by[t.Device], probe.Launch)
		if err != nil {
			return 0, err
		}
		total += work/r + 1/ops
	}
	return total, nil
}
