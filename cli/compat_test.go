package cli

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"inglenook/app/fit"
)

// The JSON is a contract: these are the keys that scripts rely on.
func TestCompat(t *testing.T) {
	got := decode[compatJSON](t, inglenook(t, "", "compat", "../pipeline/testdata/cls", "--json").ok(t).stdout)
	if got.Model == "" || got.Architecture != "BertModel" || got.Parameters == 0 || got.Devices[0].Device != "cpu" || got.Devices[0].Verdict != "full" {
		t.Errorf("%+v", got)
	}
	on := map[string]int{}
	for _, op := range got.Devices[0].Ops {
		on[op.Op] += op.Count
		if op.RunsOn != "cpu" || op.DType == "" {
			t.Errorf("%+v", op)
		}
	}
	m := got.Devices[0].Memory
	if on["linear"] == 0 || on["rows"] != 2 || m.Weights == 0 || m.Total != m.Weights+m.KVCache+m.Activations+m.Runtime {
		t.Errorf("operations %v, memory %+v", on, m)
	}
	text := inglenook(t, "", "compat", "../pipeline/testdata/cls").ok(t).stdout
	if !strings.Contains(text, "\ncpu: full\n    memory ") || !strings.Contains(text, " × linear ") || !strings.Contains(text, "\ncuda: no: ") {
		t.Errorf("%s", text)
	}
}

// A config.json alone is enough, and the output shows the memory for a context.
func TestCompatOfConfig(t *testing.T) {
	config, err := os.ReadFile("../models/testdata/decoders/llama/config.json")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "config.json"), config, 0o600); err != nil {
		t.Fatal(err)
	}
	run := inOneApp(t)
	cache := func(context string) int64 {
		o := run("compat", dir, "--json", "--context", context).ok(t)
		return decode[compatJSON](t, o.stdout).Devices[0].Memory.KVCache
	}
	if short, long := cache("16"), cache("32"); short == 0 || long != 2*short {
		t.Errorf("16 tokens take %d bytes, 32 %d", short, long)
	}
	text := run("compat", dir, "--context", "16")
	if text.code != 0 || !strings.Contains(text.stdout, "a context of 16 tokens") || !strings.Contains(text.stderr, "note: the folder holds no weights") {
		t.Errorf("%+v", text)
	}
	if o := run("compat", filepath.Join(dir, "none")); o.code != 1 || strings.Count(o.stderr, "\n") != 1 {
		t.Errorf("%+v", o)
	}
	if o := run("compat", dir, "--json", "--context", "100000").ok(t); !strings.Contains(o.stdout, "choose a smaller one") {
		t.Errorf("%+v", o)
	}
}

// A matrix has a row for each model and a cell for each way to hold it on each device.
func TestCompatMatrix(t *testing.T) {
	o := inglenook(t, "", "compat", "--matrix", "../app/testdata/configs/gpt2", "../app/testdata/configs/all-MiniLM-L6-v2").ok(t)
	if got := lines(o.stdout); len(got) != 4 || !strings.HasPrefix(got[0], "| model | architecture | safetensors, cpu |") || !strings.HasPrefix(got[2], "| gpt2 | `GPT2LMHeadModel` | full |") {
		t.Errorf("%q", got)
	}
	got := decode[struct{ Matrix []matrixRowJSON }](t, inglenook(t, "", "compat", "--matrix", "--json", "../app/testdata/configs/all-mpnet-base-v2").ok(t).stdout)
	if len(got.Matrix) != 1 || got.Matrix[0].Cells[0].Verdict != "full" || got.Matrix[0].Cells[len(got.Matrix[0].Cells)-1].Verdict != "no" {
		t.Errorf("%+v", got)
	}
}

// A prediction from a busy processor is not printed without a word.
func TestBusyPredictions(t *testing.T) {
	for _, busy := range []bool{false, true} {
		var out strings.Builder
		c := &call{out: bufio.NewWriter(&out)}
		c.printCompat(fit.Compat{Model: "m", Devices: []fit.CompatDevice{{Device: "cpu", Verdict: fit.VerdictFull, Predicted: []fit.Prediction{{Work: fit.WorkEmbed, Amount: 8, Unit: "texts/s", Value: 7, Busy: busy}}}}})
		c.out.Flush()
		if got := out.String(); strings.Contains(got, "other programs keep the processor busy") != busy || !strings.Contains(got, "predicted embed: 7") {
			t.Errorf("busy %v: %s", busy, got)
		}
	}
}
