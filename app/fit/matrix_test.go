package fit_test

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"inglenook/app"
	"inglenook/app/apptest"
	"inglenook/app/devices"
	"inglenook/app/fit"
	"inglenook/engine"
	"inglenook/engine/enginetest"
	"inglenook/metalbackend"
	"inglenook/metalbackend/emulated"
	"inglenook/metalbackend/fake"
)

// program is a whole program: the matrix needs its library and its devices.
func program(t *testing.T) *app.App {
	t.Helper()
	a, err := app.New(app.Options{Home: apptest.Home(t), Threads: 1})
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

// configs lists the folders with the config.json of a real model of each family.
func configs(t *testing.T) []string {
	t.Helper()
	folders, err := filepath.Glob("../testdata/configs/*")
	if err != nil || len(folders) == 0 {
		t.Fatalf("no configs: %v", err)
	}
	return folders
}

// The table of docs/MODELS.md agrees with the devices: the CPU, and Metal with emulated
// kernels.
func TestModelsMatrix(t *testing.T) {
	a := program(t)
	a.Others = []*devices.Accelerator{{ID: emulated.ID, Kind: "metal", Open: func() (engine.Backend, error) {
		rt, err := fake.New(fake.Options{Memory: 16 << 30})
		if err != nil {
			return nil, err
		}
		return metalbackend.New(rt, metalbackend.Options{ID: emulated.ID})
	}}}
	m, err := a.SupportMatrix(t.Context(), configs(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range m.Rows {
		for _, c := range r.Cells {
			if c.Verdict != fit.VerdictFull {
				t.Logf("%s, %s, %s: %s: %s", r.Model, c.Holding, c.Device, c.Verdict, c.Reason)
			}
		}
	}
	page, err := os.ReadFile("../../docs/MODELS.md")
	if err != nil {
		t.Fatal(err)
	}
	if table := m.Markdown(); !strings.Contains(string(page), table) {
		t.Errorf("docs/MODELS.md lacks this table, which compat prints:\n%s", table)
	}
}

// A device that lacks a kernel is partial in the cells that need it.
func TestMatrixVerdicts(t *testing.T) {
	a := program(t)
	a.Others = []*devices.Accelerator{{ID: "gpu", Kind: "metal", Name: "GPU", Open: func() (engine.Backend, error) {
		return &enginetest.ReferenceBackend{ID: "gpu", Refuses: []engine.Op{engine.OpRoPE}}, nil
	}}}
	m, err := a.SupportMatrix(t.Context(), []string{"../testdata/configs/gpt2", "../testdata/configs/pythia-160m", "../testdata/configs/albert-base-v2"})
	if err != nil {
		t.Fatal(err)
	}
	want := [][]string{
		{"full", "full", "full", "full", "full", "full", "full", "full"},
		{"full", "partial", "full", "partial", "full", "partial", "full", "partial"},
		{"full", "full", "full", "full", "full", "full", "no", "no"},
	}
	for i, r := range m.Rows {
		for k, c := range r.Cells {
			if c.Verdict != want[i][k] || (c.Reason == "") != (c.Verdict == fit.VerdictFull) {
				t.Errorf("%s, %s, %s: %s (%s), want %s", r.Model, c.Holding, c.Device, c.Verdict, c.Reason, want[i][k])
			}
		}
	}
	if _, err := a.SupportMatrix(t.Context(), []string{"../testdata/none"}); err == nil {
		t.Error("a folder that is not there has a row")
	}
}

// Each model has as many parameters as its model card says, to 3 %: of one that reads pictures
// as well, those of its language model.
func TestPublishedSizes(t *testing.T) {
	a := program(t)
	for name, billions := range map[string]float64{
		"Qwen3.5-35B-A3B": 34.66, "Qwen3.6-35B-A3B": 34.66, "Qwen3.6-27B": 26.9, "Qwen3.5-0.8B": 0.75, "Qwen3-30B-A3B": 30.5, "Qwen3-Coder-30B-A3B-Instruct": 30.5,
		"gemma-4-26B-A4B-it": 25.2, "gemma-4-31B-it": 30.7, "gpt-oss-20b": 20.9, "LFM2-8B-A1B": 8.3, "LFM2.5-1.2B-Instruct": 1.17,
		"Ministral-3-3B-Instruct-2512": 3.4, "Ministral-3-8B-Instruct-2512": 8.4, "Ministral-3-14B-Instruct-2512": 13.5, "granite-4.0-350m": 0.35,
		"Olmo-3-7B-Instruct": 7.3, "GLM-4-9B-0414": 9.4, "phi-4": 14.7, "Phi-4-mini-instruct": 3.84, "Hunyuan-1.8B-Instruct": 1.79, "EXAONE-4.0-1.2B": 1.28,
		"ERNIE-4.5-0.3B-PT": 0.36, "c4ai-command-r7b-12-2024": 8.03, "Qwen3-Embedding-0.6B": 0.596, "Qwen3-Embedding-4B": 4.02, "embeddinggemma-300m": 0.303, "gemma-3-4b-it": 3.88,
		"Qwen3-Reranker-0.6B": 0.596, "mxbai-rerank-base-v2": 0.494, "bge-reranker-v2-gemma": 2.51, "EuroBERT-210m": 0.212,
	} {
		c, err := a.Compat(t.Context(), fit.CompatRequest{Model: "../testdata/configs/" + name})
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if off := float64(c.Parameters)/1e9/billions - 1; math.Abs(off) > 0.03 {
			t.Errorf("%s has %d parameters, %.1f %% off %v billions", name, c.Parameters, 100*off, billions)
		}
	}
}
