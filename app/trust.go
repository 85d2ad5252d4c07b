package app

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"inglenook/engine"
)

// trust gives an open device, tested if nobody did that yet.
func (a *App) trust(ctx context.Context, x *accelerator, cpu engine.Backend) (*engine.Guard, []string, error) {
	guard, err := x.backend()
	if err != nil {
		return nil, nil, err
	}
	if err := guard.Failed(); err != nil {
		return nil, nil, fmt.Errorf("it failed and is not used any more until the program is started anew (%w)", err)
	}
	return guard, nil, nil
}

// proofs remembers which devices were found to compute rightly what: a test takes
// time, and neither the device nor the program changes from one start to the
// next. Only what went well is kept; what did not is tested again, and told.
type proofs struct {
	path string
	log  *slog.Logger

	mu     sync.Mutex
	read   bool
	passed map[string]time.Time // by key
}

const maxProofs = 1000

// key names a device, what was computed, and the program that did it.
func (p *proofs) key(b engine.Backend, what ...string) string {
	d, h := b.Device(), sha256.New()
	enc := json.NewEncoder(h)
	_ = enc.Encode([]any{d.ID, d.Name, d.Features, Version(), program(), what})
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// program identifies the running executable: a new build is tested anew.
func program() string {
	path, err := os.Executable()
	if err != nil {
		return ""
	}
	info, err := os.Stat(path)
	if err != nil {
		return ""
	}
	return fmt.Sprint(info.Size(), info.ModTime().UnixNano())
}

func (p *proofs) known(key string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.load()
	_, known := p.passed[key]
	return known
}

func (p *proofs) load() {
	if p.read {
		return
	}
	p.read = true
	if data, err := os.ReadFile(p.path); err == nil {
		_ = json.Unmarshal(data, &p.passed) // of a damaged file nothing is known
	}
	if p.passed == nil {
		p.passed = map[string]time.Time{}
	}
}

func (p *proofs) remember(key string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.load()
	for len(p.passed) >= maxProofs {
		delete(p.passed, oldest(p.passed))
	}
	p.passed[key] = time.Now().UTC().Truncate(time.Second)
	data, err := json.Marshal(p.passed)
	if err == nil {
		err = replaceFile(p.path, data, 0o600)
	}
	if err != nil {
		p.log.Warn("proof not kept", "error", err)
	}
}

func proofsPath(p Paths) string { return filepath.Join(p.Cache, "proven.json") }
