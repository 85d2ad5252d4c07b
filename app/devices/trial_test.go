package devices

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"inglenook/app/base"
	"inglenook/cpubackend"
	"inglenook/engine"
)

// aborting is a device that ends the program at one stage, as Metal can.
type aborting struct {
	engine.Backend
	at      string
	submits int
}

// lastOfTest is more submits than the self-check takes, which is one graph.
const lastOfTest = 1

// abort ends the program at once, as abort(3) does, without the report of Go's runtime.
func (a *aborting) abort() {
	_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
	select {}
}

func (a *aborting) Prepare(ctx context.Context, op *engine.Tensor) error {
	if a.at == "load" {
		a.abort()
	}
	return a.Backend.Prepare(ctx, op)
}

func (a *aborting) Submit(ctx context.Context, arena engine.Buffer, ops []*engine.Tensor) error {
	a.submits++
	if a.at == "self-check" || a.at == "prefill" && a.submits == lastOfTest+1 || a.at == "decode" && a.submits == lastOfTest+5 {
		a.abort()
	}
	return a.Backend.Submit(ctx, arena, ops)
}

// serviceWith is a service in a folder, with one device beside the processor.
func serviceWith(t *testing.T, folder string, open func() (engine.Backend, error)) *Service {
	t.Helper()
	p := base.Paths{Cache: folder}
	d := &Service{
		options: Options{Threads: 1},
		log:     slog.New(slog.DiscardHandler), Open: openCPU, byThreads: map[int]engine.Backend{},
		Proofs: &proofs{path: proofsPath(p), log: slog.New(slog.DiscardHandler)},
	}
	d.Others = []*Accelerator{{ID: "gpu", Kind: "metal", Name: "GPU", Open: open, trial: newTrial(folder, "gpu", "")}}
	t.Cleanup(func() { d.Close() })
	return d
}

// TestAbort is the child of TestNoAbortTwice: it uses a device until that ends the program.
func TestAbort(t *testing.T) {
	at, folder, _ := strings.Cut(os.Getenv("INGLENOOK_TEST_ABORT"), ":")
	if at == "" {
		t.Skip("for TestNoAbortTwice alone")
	}
	d := serviceWith(t, folder, func() (engine.Backend, error) {
		inner, err := cpubackend.New(cpubackend.Options{Threads: 1, ID: "gpu"})
		a := &aborting{Backend: inner, at: at}
		if at == "open" {
			a.abort()
		}
		return a, err
	})
	cpu, err := d.CPU(1)
	if err != nil {
		t.Fatal(err)
	}
	guard, _, err := d.Trusted(t.Context(), d.Others[0], cpu, nil)
	if err != nil {
		t.Fatal(err)
	}
	w := engine.NewWeight("w", engine.F32, 1, 4, strings.NewReader(strings.Repeat("\x00", 16)))
	for range 8 {
		g := engine.NewGraph()
		x := g.RMSNorm(g.Floats("x", 1, make([]float32, 4)), w, engine.RMSNormParams{Epsilon: 1})
		g.Want(x)
		if err := g.Prepare(t.Context(), nil, guard, cpu); err != nil {
			t.Fatal(err)
		}
		if _, err := g.Run(t.Context(), guard, cpu); err != nil {
			t.Fatal(err)
		}
	}
}

// A device that ended the program is left alone at the next start, with one sentence,
// until it is tried again.
func TestNoAbortTwice(t *testing.T) {
	for at, say := range map[string]string{
		"open": "while it opened the device", "self-check": "while it tested the device",
		"prefill": "while the device computed", "decode": "while the device computed", "": "",
	} {
		t.Run(at, func(t *testing.T) {
			folder := t.TempDir()
			child := exec.Command(os.Args[0], "-test.run=^TestAbort$")
			name := at
			if at == "" {
				name = "never"
			}
			child.Env = append(os.Environ(), "INGLENOOK_TEST_ABORT="+name+":"+folder)
			out, err := child.CombinedOutput()
			if (err == nil) != (at == "") {
				t.Fatalf("the child ended with %v\n%s", err, out)
			}
			for range 2 {
				opened := false
				d := serviceWith(t, folder, func() (engine.Backend, error) {
					opened = true
					return nil, errors.New("none here")
				})
				_, err := d.Backends("gpu")
				if at == "" {
					if !opened {
						t.Errorf("a device that ended nothing is left alone: %v", err)
					}
					if err := d.Close(); err != nil {
						t.Error(err)
					}
					continue
				}
				if opened || err == nil || !strings.Contains(err.Error(), say) || !strings.Contains(err.Error(), "inglenook devices --try gpu") {
					t.Errorf("opened %v: %v", opened, err)
				}
				if shown := d.Device("gpu"); shown.Available || !strings.Contains(shown.Reason, "The program ended") {
					t.Errorf("shown as %+v", shown)
				}
			}
			opened := false
			d := serviceWith(t, folder, func() (engine.Backend, error) {
				opened = true
				return cpubackend.New(cpubackend.Options{Threads: 1, ID: "gpu"})
			})
			if at != "" {
				_, _ = d.Backends("gpu") // refused, and then tried all the same
			}
			if notices, err := d.Try(t.Context(), "gpu"); err != nil || len(notices) > 0 || !opened {
				t.Errorf("tried again: %v, %v", notices, err)
			}
			if err := d.Close(); err != nil {
				t.Error(err)
			}
			if files, _ := os.ReadDir(folder); len(files) > 1 || len(files) == 1 && files[0].Name() != "proven.json" {
				t.Errorf("left are %v", files)
			}
		})
	}
}
