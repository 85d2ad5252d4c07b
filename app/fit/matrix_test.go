package fit_test

import (
	"context"
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
