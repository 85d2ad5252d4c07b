package devices

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"inglenook/app/base"
	"inglenook/durable"
	"inglenook/engine"
	"inglenook/engine/selfcheck"
	"inglenook/regular"
)

// Trusted returns an open device, tested at its first use. What it computes wrongly
// is turned off, and notices say so; the error is one sentence that says why the
// device is not used at all. report, which may be nil, hears of it if that takes
// a while, also where it is done for somebody else.
func (d *Service) Trusted(ctx context.Context, x *Accelerator, cpu engine.Backend, report func(base.Progress)) (*engine.Guard, []string, error) {
	done := make(chan trusted, 1)
	go func() { done <- d.trust(ctx, x, cpu) }() // a compiler cannot be stopped, but nobody has to wait for it
	slow := time.After(reportAfter)
	for {
		select {
		case t := <-done:
			return t.guard, t.notices, t.err
		case <-slow:
			if report != nil {
				report(base.Progress{Stage: base.StageTesting})
			}
		case <-ctx.Done():
			return nil, nil, ctx.Err()
		}
	}
}

// reportAfter is how long a device may be opened and tested before anybody hears of it.
const reportAfter = 200 * time.Millisecond

// trusted is what Trusted returns.
type trusted struct {
	guard   *engine.Guard
	notices []string
	err     error
}

// trust opens and tests a device, unless that was done.
func (d *Service) trust(ctx context.Context, x *Accelerator, cpu engine.Backend) trusted {
	x.testing.Lock()
	defer x.testing.Unlock()
	guard, err := x.backend()
	if err != nil {
		return trusted{err: err}
	}
	var notices []string
	if !x.tested && guard.Failed() == nil {
		x.trial.during(inTest, func() { notices, err = d.test(ctx, x, guard, cpu) })
		if err != nil {
			return trusted{err: err}
		}
		x.tested = true
		x.passed(notices)
	}
	if err := guard.Failed(); err != nil {
		return trusted{notices: notices, err: fmt.Errorf("it failed and is not used until the program is restarted (%w)", err)}
	}
	return trusted{guard: guard, notices: notices}
}

// Try opens and tests a device once more, although it was left alone. The notices
// say what it computes wrongly; the error says why it is not used.
func (d *Service) Try(ctx context.Context, id string) (notices []string, err error) {
	cpu, err := d.CPU(d.Threads())
	if err != nil {
		return nil, err
	}
	return d.tryOn(ctx, id, cpu)
}

// tryOn is Try beside a processor.
func (d *Service) tryOn(ctx context.Context, id string, cpu engine.Backend) (notices []string, err error) {
	i := slices.IndexFunc(d.Others, func(x *Accelerator) bool { return x.ID == id })
	if i < 0 {
		return nil, fmt.Errorf("there is no device %q to try", id)
	}
	if err := d.Others[i].again(); err != nil {
		return nil, err
	}
	_, notices, err = d.Trusted(ctx, d.Others[i], cpu, nil)
	return notices, err
}

// test runs every kernel of a device once, unless that was done before, and turns
// off what is wrong. An error means that ctx ended, or that the CPU failed.
func (d *Service) test(ctx context.Context, x *Accelerator, guard *engine.Guard, cpu engine.Backend) (notices []string, err error) {
	id, key := guard.Device().ID, d.Proofs.Key(guard, selfCheckProof)
	if d.Proofs.Known(key) {
		return nil, nil
	}
	start := time.Now()
	list, err := selfcheck.Run(ctx, guard, cpu)
	var failed *engine.DeviceError
	switch {
	case errors.As(err, &failed) && failed.Device == id:
		guard.Fail(failed.Err)
		return []string{fmt.Sprintf("the device %s failed when it was tested (%v), so it is not used", id, failed.Err)}, nil
	case err != nil:
		return nil, base.InContext(ctx, err)
	}
	wrong := slices.DeleteFunc(slices.Clone(list), func(f selfcheck.Finding) bool { return !f.Wrong() })
	kinds := len(list)
	d.log.Info("self-check", "device", id, "kinds", kinds, "wrong", len(wrong), "took", time.Since(start).Round(time.Millisecond))
	refused := slices.DeleteFunc(list, func(f selfcheck.Finding) bool { return f.Refused == "" })
	switch {
	case len(wrong)+len(refused) == 0:
		d.Proofs.Remember(key)
	case len(wrong) == 0: // tested again at the next start, and told by the fallbacks of results
		x.lacks(len(refused), refused[0].Refused)
	case 2*len(wrong) > kinds:
		guard.Fail(fmt.Errorf("most of its results are wrong: %v", wrong[0]))
		notices = append(notices, fmt.Sprintf("the device %s computes most things wrongly (%v), so it is not used", id, wrong[0]))
	default:
		for _, f := range wrong {
			guard.Refuse(f.Op, f.DType, f.String())
			notices = append(notices, fmt.Sprintf("the device %s computes something wrongly (%v), so that runs on the CPU", id, f))
		}
	}
	return notices, nil
}

// selfCheckProof names the test of a whole device among the proofs.
const selfCheckProof = "self-check"

// proofs remembers which devices were found to compute rightly what: a test takes
// time, and device, system and program are mostly those of the last start. Only what went well is kept; what did not is tested again, and told.
type proofs struct {
	path   string
	system string // its build: the system's compiler makes the kernels of a GPU
	log    *slog.Logger

	mu     sync.Mutex
	read   bool
	passed map[string]time.Time // by key
}

const maxProofs = 1000

// Key names a device, what was computed, and the program and the system that did
// it.
func (p *proofs) Key(b engine.Backend, what ...string) string { return p.keyOf(b.Device(), what...) }

func (p *proofs) keyOf(d engine.Device, what ...string) string {
	h := sha256.New()
	enc := json.NewEncoder(h)
	_ = enc.Encode([]any{d.ID, d.Name, d.Features, base.Version(), Program(), p.system, what})
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// Program identifies the running executable: a new build is tested again.
func Program() string {
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

func (p *proofs) Known(key string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.load()
	_, known := p.passed[key]
	return known
}

// reload has the file read again, which another process may have written.
func (p *proofs) reload() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.read, p.passed = false, nil
}

func (p *proofs) load() {
	if p.read {
		return
	}
	p.read = true
	if data, err := regular.ReadFile(context.Background(), p.path, 1<<20); err == nil {
		_ = json.Unmarshal(data, &p.passed) // of a damaged file nothing is known
	}
	if p.passed == nil {
		p.passed = map[string]time.Time{}
	}
}

func (p *proofs) Remember(key string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.load()
	for len(p.passed) >= maxProofs {
		delete(p.passed, base.Oldest(p.passed))
	}
	p.passed[key] = time.Now().UTC().Truncate(time.Second)
	data, err := json.Marshal(p.passed)
	if err == nil {
		err = durable.Write(p.path, data, 0o600)
	}
	if err != nil {
		p.log.Warn("proof not kept", "error", err)
	}
}

func proofsPath(p base.Paths) string { return filepath.Join(p.Cache, "proven.json") }
