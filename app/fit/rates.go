package fit

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"sync"
	"time"

	"inglenook/app/base"
	"inglenook/app/usage"
	"inglenook/durable"
	"inglenook/engine"
	"inglenook/engine/probe"
	"inglenook/regular"
)

// speeds are the rates that this machine's devices reach, measured when they are
// first asked for and kept in the cache folder. Another machine, another number
// of threads or another version of the program is measured again. So is what was measured
// on processors that other programs kept busy: it is used for a while, and is in no file.
type speeds struct {
	path   string
	others func(before usage.Reading) (share float64, known bool) // what they took since then

	mu       sync.Mutex
	read     bool
	rates    map[string]map[string]float64 // by device, then by probe
	passing  map[string]passingRate        // by device and probe: those of busy processors
	lastTime time.Duration                 // that a passing rate lasts
}

// passingRate is a rate of processors that were busy with other work.
type passingRate struct {
	value float64
	until time.Time
}

const (
	// busyFrom is the share of the processors from which on what others take spoils a rate.
	busyFrom = 0.1
	// passes is how long a rate of busy processors is used before it is measured again.
	passes = 30 * time.Second
)

func newSpeeds(path string) *speeds {
	return &speeds{path: path, passing: map[string]passingRate{}, lastTime: passes, others: func(before usage.Reading) (float64, bool) { return usage.Now().Others(before) }}
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
	name := machineKey(b) + " " + p.Key()
	if r, ok := s.passing[name]; ok && time.Now().Before(r.until) {
		return r.value, nil
	}
	before := usage.Now()
	r, err := p.Run(ctx, b)
	if err != nil {
		return 0, err
	}
	if others, known := s.others(before); known && others >= busyFrom && b.Device().ID == "cpu" {
		s.passing[name] = passingRate{r, time.Now().Add(s.lastTime)}
		return r, nil
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
	clear(s.passing)
}

// seconds predicts how long tasks take. Weights of so many bytes in all are read
// for each pass.
func (s *speeds) seconds(ctx context.Context, bs []engine.Backend, tasks []probe.Task, weightBytes int64) (total float64, err error) {
	by := byDevice(bs)
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
		total += t.Seconds(work/r, ops)
	}
	return total, nil
}

// fromBusy reports whether a rate that seconds uses for these tasks was measured on processors
// that were busy with other work.
func (s *speeds) fromBusy(bs []engine.Backend, tasks []probe.Task, weightBytes int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	by := byDevice(bs)
	for _, t := range tasks {
		p, _ := t.Rate(weightBytes)
		of := s.rates[machineKey(by[t.Device])]
		if of[p.Key()] == 0 || of[probe.Launch.Key()] == 0 {
			return true
		}
	}
	return false
}

// known is the rate of a probe, if it was measured on processors that other programs left alone;
// 0: it was not.
func (s *speeds) known(b engine.Backend, p probe.Rate) float64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.load()
	return s.rates[machineKey(b)][p.Key()]
}

func byDevice(bs []engine.Backend) map[string]engine.Backend {
	by := map[string]engine.Backend{}
	for _, b := range bs {
		by[b.Device().ID] = b
	}
	return by
}
