package app

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"inglenook/app/apptest"
	"inglenook/app/devices"
	"inglenook/app/fit"
	"inglenook/app/library"
	"inglenook/engine"
	"inglenook/engine/enginetest"
)

// withDevice returns an application with one device beside the CPU.
func withDevice(a *App, open func() (engine.Backend, error)) {
	a.devicesPart.Others = []*devices.Accelerator{{ID: "gpu", Kind: "metal", Name: "GPU", Open: open}}
}

func compatApp(t *testing.T) *App {
	t.Helper()
	a, err := New(Options{Home: apptest.Home(t), Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := a.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return a
}

// The bundled model runs on the CPU and falls back if a device lacks kernels. For a missing
// device there is a reason.
func TestCompat(t *testing.T) {
	for name, c := range map[string]struct {
		open            func() (engine.Backend, error)
		verdict, reason string
	}{
		"full": {func() (engine.Backend, error) { return &enginetest.ReferenceBackend{ID: "gpu"}, nil }, fit.VerdictFull, ""},
		"partial": {func() (engine.Backend, error) {
			return &enginetest.ReferenceBackend{ID: "gpu", Refuses: []engine.Op{engine.OpLayerNorm, engine.OpPool}}, nil
		}, fit.VerdictPartial, "14 of 62 operations fall back: 13 × normalisation to cpu (layer_norm is refused: no kernel), 1 × summary of a text to cpu"},
		"absent": {func() (engine.Backend, error) { return nil, errors.New("there is no card") }, fit.VerdictNo, "There is no card."},
	} {
		t.Run(name, func(t *testing.T) {
			a := compatApp(t)
			withDevice(a, c.open)
			got, err := a.Compat(t.Context(), fit.CompatRequest{Model: library.StarterEmbed})
			if err != nil {
				t.Fatal(err)
			}
			if got.Architecture != "BertModel" || got.Format != "safetensors" || got.DType != "f16" || got.Parameters < 7e6 || got.Context != 256 || got.Writes {
				t.Errorf("the model is %+v", got)
			}
			cpu, gpu := got.Devices[0], got.Devices[1]
			if cpu.Device != "cpu" || cpu.Verdict != fit.VerdictFull || cpu.Memory.Weights < 14e6 || cpu.Memory.Total <= cpu.Memory.Weights {
				t.Errorf("the CPU has %+v", cpu)
			}
			if gpu.Verdict != c.verdict || !strings.HasPrefix(gpu.Reason, c.reason) || c.reason == "" && gpu.Reason != "" {
				t.Errorf("the device is %q: %q", gpu.Verdict, gpu.Reason)
			}
			if c.verdict == fit.VerdictPartial {
				on := map[string]int{}
				for _, op := range gpu.Ops {
					on[op.RunsOn] += op.Count
				}
				if on["cpu"] != 14 || on["gpu"] != 48 {
					t.Errorf("the operations run on %v", on)
				}
			}
		})
	}
}

// A folder that is no model gets the verdict "no", a missing one an error.
func TestCompatBadInput(t *testing.T) {
	a, dir := compatApp(t), t.TempDir()
	put := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for path, says := range map[string]string{
		put("a/pytorch_model.bin", "x"):                                  "can run code",
		put("b/notes.txt", "x"):                                          "is not a model",
		put("c/model.gguf", "GGUF"):                                      "cut short",
		put("d/model.safetensors", "\x02\x00\x00\x00\x00\x00\x00\x00{}"): "there is no config.json",
		filepath.Dir(put("e/config.json", `{"model_type":"mamba"}`)):     `"mamba" has Mamba layers, which this version does not support yet`,
		put("f/config.json", `{"model_type":"bert"}`):                    "vocab_size is missing",
		filepath.Dir(put("g/README", "x")):                               "there is no config.json",
	} {
		got, err := a.Compat(t.Context(), fit.CompatRequest{Model: path})
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		for _, d := range got.Devices {
			if d.Verdict != fit.VerdictNo || !strings.Contains(d.Reason, says) || strings.Contains(d.Reason, "\n") {
				t.Errorf("%s: on %s it is %q: %q, want %q", path, d.Device, d.Verdict, d.Reason, says)
			}
		}
	}
	for _, name := range []string{"no/such/model", filepath.Join(dir, "none"), "a b", "x\x00"} {
		if _, err := a.Compat(t.Context(), fit.CompatRequest{Model: name}); err == nil {
			t.Errorf("%q is taken for a model", name)
		}
	}
}
