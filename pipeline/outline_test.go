package pipeline

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"inglenook/cpubackend"
	"inglenook/engine"
	"inglenook/engine/enginetest"
	"inglenook/models"
	"inglenook/pipeline/decoding"
	"inglenook/pipeline/modules"
	"inglenook/pipeline/placement"
)

// toys are small checkpoints of every family and format.
func toys(t *testing.T) []string {
	t.Helper()
	var dirs []string
	for _, kind := range []string{"decoders", "gguf", "f16", "f32", "bf16-sharded"} {
		found, err := filepath.Glob("../models/testdata/" + kind + "/*")
		if err != nil || len(found) == 0 {
			t.Fatalf("no toys in %s: %v", kind, err)
		}
		dirs = append(dirs, found...)
	}
	return dirs
}

// devices returns two lists: the CPU alone, and a device without some kernels before it.
func devices(t *testing.T) map[string][]engine.Backend {
	t.Helper()
	cpu, err := cpubackend.New(cpubackend.Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cpu.Close() })
	lacking := &enginetest.ReferenceBackend{ID: "lacking", Refuses: []engine.Op{engine.OpLayerNorm, engine.OpGate, engine.OpPool, engine.OpRoPE}}
	return map[string][]engine.Backend{"cpu": {cpu}, "lacking": {lacking, cpu}}
}

// An outline predicts what a real run reports, for every family and format.
func TestOutlineIsWhatRuns(t *testing.T) {
	for name, bs := range devices(t) {
		for _, dir := range toys(t) {
			t.Run(name+"/"+filepath.Base(filepath.Dir(dir))+"/"+filepath.Base(dir), func(t *testing.T) {
				x, err := OpenOutline(os.DirFS(dir), OutlineOptions{Hold: Hold{Context: 12}})
				if err != nil {
					t.Fatal(err)
				}
				defer x.Close()
				if len(x.Notes) > 0 {
					t.Errorf("notes on a whole checkpoint: %q", x.Notes)
				}
				fit, err := x.On(bs, 0)
				if err != nil {
					t.Fatal(err)
				}
				for _, n := range []int{1, 7} {
					got, want := fit.Report.Placements, reallyRun(t, dir, bs, n).Placements
					if n == 1 { // which selects no rows
						rows := func(p engine.Placement) bool { return p.Op == engine.OpRows }
						got, want = slices.DeleteFunc(slices.Clone(got), rows), slices.DeleteFunc(slices.Clone(want), rows)
					}
					if !slices.EqualFunc(got, want, samePlacement) {
						t.Errorf("with %d tokens the outline has\n%v\nthe run\n%v", n, got, want)
					}
				}
			})
		}
	}
}

func samePlacement(a, b engine.Placement) bool {
	return a.Op == b.Op && a.Name == b.Name && a.DType == b.DType && a.Device == b.Device && slices.Equal(a.Refused, b.Refused)
}

// reallyRun opens the model and runs a pass of n tokens.
func reallyRun(t *testing.T, dir string, bs []engine.Backend, n int) engine.Report {
	t.Helper()
	s, err := openSource(os.DirFS(dir), "", engine.F32)
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	var g *engine.Graph
	if s.config.Causal {
		d, err := models.LoadDecoder(s.config, s.set)
		if err != nil {
			t.Fatal(err)
		}
		p, err := decoding.NewDecoder(d, engine.F16, 12, 12, placement.NewList(bs, nil))
		if err != nil {
			t.Fatal(err)
		}
		defer p.Close()
		p.Record(0, make([]int32, n), 1)
		g = p.Graph
	} else {
		e, err := newEncoder(s, placement.NewList(bs, nil), 0)
		if err != nil {
			t.Fatal(err)
		}
		defer e.graph.Close()
		mods, err := modules.Read(os.DirFS(dir), s.config.Hidden)
		if err != nil {
			t.Fatal(err)
		}
		record := (&embedder{enc: e, mods: mods}).record(0)
		if s.config.Head == models.Logits {
			record = func(g *engine.Graph, b models.Batch) *engine.Tensor { return e.model.Forward(g, b, models.Logits) }
		}
		if _, err := e.record(fullBatch(n, n), record); err != nil {
			t.Fatal(err)
		}
		g = e.graph
	}
	report, err := g.Run(context.Background(), placement.NewList(bs, nil).Backends...)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// Without weights, config.json alone leads to the same operations.
func TestOutlineOfConfig(t *testing.T) {
	bs := devices(t)["lacking"]
	for _, dir := range toys(t) {
		config, err := os.ReadFile(filepath.Join(dir, "config.json"))
		if err != nil {
			continue // a GGUF file
		}
		t.Run(filepath.Base(dir), func(t *testing.T) {
			whole, err := OpenOutline(os.DirFS(dir), OutlineOptions{Hold: Hold{Context: 12}})
			if err != nil {
				t.Fatal(err)
			}
			defer whole.Close()
			alone, err := OpenOutline(fstest.MapFS{"config.json": {Data: config}}, OutlineOptions{Hold: Hold{Context: 12}})
			if err != nil {
				t.Fatal(err)
			}
			defer alone.Close()
			if len(alone.Notes) != 1 || !strings.Contains(alone.Notes[0], "holds no weights") {
				t.Errorf("the notes are %q", alone.Notes)
			}
			a, err := whole.On(bs, 0)
			if err != nil {
				t.Fatal(err)
			}
			b, err := alone.On(bs, 0)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.EqualFunc(a.Report.Placements, b.Report.Placements, func(a, b engine.Placement) bool { return a.Op == b.Op && a.Device == b.Device }) {
				t.Errorf("with its weights\n%v\nwithout\n%v", a.Report.Placements, b.Report.Placements)
			}
			// The declared number of parameters may include a pooler that is not used.
			if d := float64(alone.Parameters) / float64(whole.Parameters); d < 0.8 || d > 1 {
				t.Errorf("%d parameters, with weights %d", alone.Parameters, whole.Parameters)
			}
		})
	}
}

// A GGUF file may end anywhere after its header.
func TestOutlineOfGGUFHeader(t *testing.T) {
	bs := devices(t)["lacking"]
	for _, name := range []string{"llama", "llama-llama3", "phi3", "gptneox"} {
		data, err := os.ReadFile("../models/testdata/gguf/" + name + "/model.gguf")
		if err != nil {
			t.Fatal(err)
		}
		at := func(n int) (Fit, *Outline, error) {
			x, err := OpenOutline(fstest.MapFS{"m.gguf": {Data: data[:n]}}, OutlineOptions{Hold: Hold{Context: 12}})
			if err != nil {
				return Fit{}, nil, err
			}
			defer x.Close()
			fit, err := x.On(bs, 0)
			return fit, x, err
		}
		whole, _, err := at(len(data))
		if err != nil {
			t.Fatal(err)
		}
		low, high := 0, len(data) // the shortest that opens: the header
		for low+1 < high {
			if middle := (low + high) / 2; func() bool { _, _, err := at(middle); return err == nil }() {
				high = middle
			} else {
				low = middle
			}
		}
		fit, x, err := at(high)
		if err != nil || high > len(data)*3/4 {
			t.Fatalf("%s: %d of %d bytes are needed: %v", name, high, len(data), err)
		}
		if len(x.Notes) != 1 || !strings.Contains(x.Notes[0], "cut short") {
			t.Errorf("%s: the notes are %q", name, x.Notes)
		}
		fit.Memory.Text, whole.Memory.Text = 0, 0 // the memory of the program itself varies
		if !slices.EqualFunc(fit.Report.Placements, whole.Report.Placements, samePlacement) || fit.Memory != whole.Memory {
			t.Errorf("%s: the header tells something else than the file", name)
		}
		for n := 0; n < low; n += 1 + low/300 {
			if _, _, err := at(n); err == nil || strings.Contains(err.Error(), "\n") {
				t.Errorf("%s: of %d bytes it says %v", name, n, err)
			}
		}
	}
}

// A folder that cannot be a model is refused with one sentence.
func TestOutlineRefusals(t *testing.T) {
	llama, err := os.ReadFile("../models/testdata/decoders/llama/config.json")
	if err != nil {
		t.Fatal(err)
	}
	with := func(change string) fs.FS {
		return fstest.MapFS{"config.json": {Data: []byte(strings.Replace(string(llama), "{", "{"+change+",", 1))}}
	}
	header := func(dtype string, names ...string) fs.FS {
		var tensors []string
		for i, n := range names {
			tensors = append(tensors, fmt.Sprintf(`%q:{"dtype":%q,"shape":[1],"data_offsets":[%d,%d]}`, n, dtype, i, i+1))
		}
		text := "{" + strings.Join(tensors, ",") + "}"
		data := append([]byte{byte(len(text)), byte(len(text) >> 8), 0, 0, 0, 0, 0, 0}, text...)
		return fstest.MapFS{"config.json": {Data: llama}, "model.safetensors": {Data: data}}
	}
	for name, c := range map[string]struct {
		fs   fs.FS
		o    OutlineOptions
		says string
	}{
		"nothing":           {fstest.MapFS{}, OutlineOptions{}, "there is no config.json here"},
		"no object":         {fstest.MapFS{"config.json": {Data: []byte("[]")}}, OutlineOptions{}, "not an object"},
		"nothing in it":     {fstest.MapFS{"config.json": {Data: []byte("{}")}}, OutlineOptions{}, "names neither an architecture nor a model_type"},
		"unknown family":    {fstest.MapFS{"config.json": {Data: []byte(`{"architectures":["MambaForCausalLM"]}`)}}, OutlineOptions{}, `"MambaForCausalLM" has Mamba layers`},
		"sizes missing":     {fstest.MapFS{"config.json": {Data: []byte(`{"architectures":["LlamaForCausalLM"]}`)}}, OutlineOptions{}, "vocab_size is missing"},
		"unknown type":      {with(`"torch_dtype":"float8_e4m3fn","x":1`), OutlineOptions{}, "float8_e4m3fn"},
		"quantized":         {with(`"quantization_config":{"quant_method":"gptq"}`), OutlineOptions{}, `quantized by "gptq"`},
		"pickle":            {fstest.MapFS{"config.json": {Data: llama}, "pytorch_model.bin": {Data: []byte("PK\x03\x04")}}, OutlineOptions{}, "can run code"},
		"header of bytes":   {header("U8", "model.embed_tokens.weight"), OutlineOptions{}, "does not fit"},
		"header of nothing": {header("F32"), OutlineOptions{}, "tensors are missing"},
		"no header":         {fstest.MapFS{"config.json": {Data: llama}, "model.safetensors": {Data: []byte("\xff\xff\xff\xff\xff\xff\xff\x7f{}")}}, OutlineOptions{}, "more than the format's limit"},
		"index of another":  {fstest.MapFS{"config.json": {Data: llama}, "model.safetensors.index.json": {Data: []byte(`{"weight_map":{"a":"b.safetensors"}}`)}}, OutlineOptions{}, "tensors are missing"},
		"index that leaves": {fstest.MapFS{"config.json": {Data: llama}, "model.safetensors.index.json": {Data: []byte(`{"weight_map":{"a":"../b.safetensors"}}`)}}, OutlineOptions{}, "leads out of the model's folder"},
		"not GGUF":          {fstest.MapFS{"a.gguf": {Data: []byte("GGUX")}}, OutlineOptions{}, "is no GGUF file"},
		"long context":      {with(`"x":1`), OutlineOptions{Hold: Hold{Context: 1 << 20}}, "choose a smaller one"},
		"cache":             {with(`"x":1`), OutlineOptions{Hold: Hold{KV: "q4"}}, "choose f16, f32 or q8_0"},
		"weights":           {with(`"x":1`), OutlineOptions{Hold: Hold{Weights: "q2"}}, "choose auto, q8_0 or q4_k"},
	} {
		x, err := OpenOutline(c.fs, c.o)
		if err == nil {
			t.Errorf("%s: it is taken for a %s", name, x.Architecture)
			x.Close()
			continue
		}
		if !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: it says %q, want %q", name, err, c.says)
		}
	}
}
