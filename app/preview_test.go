package app

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zalando/go-keyring"

	"inglenook/app/apptest"
	"inglenook/app/base"
	"inglenook/app/downloads"
	"inglenook/app/fit"
	"inglenook/cpubackend"
	"inglenook/engine"
	"inglenook/filenames"
	"inglenook/hub/hubtest"
	"inglenook/pipeline"
)

// hubApp returns a real application that is connected to the test's Hub.
func hubApp(t *testing.T) (*App, *hubtest.Server) {
	t.Helper()
	for _, name := range []string{"HF_TOKEN", "HF_ENDPOINT", "HF_HUB_OFFLINE"} {
		t.Setenv(name, "")
	}
	apptest.Home(t)
	server := hubtest.New()
	t.Cleanup(server.Close)
	keyring.MockInit() // without the secrets of this machine
	a, err := New(Options{Home: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	if err := a.SetNetwork(base.Network{Endpoint: server.URL(), Proxy: "direct"}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := a.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return a, server
}

// toyFiles returns the files of a small checkpoint. After its weights comes much data that a
// preview does not need.
func toyFiles(t *testing.T, dir string, padding int) []hubtest.File {
	t.Helper()
	var list []hubtest.File
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		f := hubtest.File{Path: e.Name(), Data: data}
		if filenames.IsWeights(e.Name()) {
			f.LFS = true
			if filenames.IsGGUF(e.Name()) {
				f.Data = append(f.Data, make([]byte, padding)...)
			}
		}
		list = append(list, f)
	}
	return list
}

func TestPreviewOfSafetensors(t *testing.T) {
	a, server := hubApp(t)
	files := append(toyFiles(t, "../models/testdata/f16/bert", 0), hubtest.File{Path: "pytorch_model.bin", Data: []byte("pickle"), LFS: true})
	server.Add(hubtest.Repo{ID: "org/bert", Task: "feature-extraction", Tags: []string{"license:mit"}, Files: files})
	p, err := a.Preview(context.Background(), downloads.PreviewRequest{ID: "org/bert"})
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Variants) != 1 || p.Variants[0].Name != "safetensors" || p.Licence != "mit" || p.Unread != "" {
		t.Fatalf("the preview is %+v", p)
	}
	v := p.Variants[0]
	if p.Compat.Devices[0].Verdict != fit.VerdictFull || v.Needs != p.Compat.Devices[0].Memory.Total || v.Fits != fit.FitsWell || len(p.Compat.Notes) > 0 {
		t.Errorf("the verdict is %+v, it needs %d, %s, notes %q", p.Compat.Devices[0], v.Needs, v.Fits, p.Compat.Notes)
	}
	for _, f := range v.Files {
		if f.Path == "pytorch_model.bin" && (f.Fetched || !strings.Contains(f.Why, "run code")) {
			t.Errorf("the pickle file: %+v", f)
		}
	}
	seen := len(server.Requests())
	if _, err := a.Preview(context.Background(), downloads.PreviewRequest{ID: "org/bert", Context: 16}); err != nil {
		t.Fatal(err)
	}
	if again := len(server.Requests()) - seen; again != 1 {
		t.Errorf("the second look made %d requests, want the description alone", again)
	}
}

func TestPreviewOfGGUF(t *testing.T) {
	a, server := hubApp(t)
	files := toyFiles(t, "../models/testdata/gguf/llama", 3<<20)
	var repo []hubtest.File
	for _, name := range []string{"toy-Q4_K_M.gguf", "toy-Q8_0.gguf", "toy-F16.gguf"} {
		f := files[1]
		f.Path, f.Data = name, append([]byte(nil), f.Data...)
		f.Data = append(f.Data, name...) // no two alike
		repo = append(repo, f)
	}
	server.Add(hubtest.Repo{ID: "org/toy-GGUF", Files: repo})
	p, err := a.Preview(context.Background(), downloads.PreviewRequest{ID: "org/toy-GGUF", Context: 12})
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Variants) != 3 || p.Variants[p.Suggested].Name != "Q8_0" || p.Chosen != p.Suggested || p.Variants[p.Suggested].Why == "" {
		t.Errorf("suggested is %d of %+v", p.Suggested, p.Variants)
	}
	if v := p.Variants[p.Suggested]; len(v.Patterns()) != 1 || v.Patterns()[0] != "toy-Q8_0.gguf" {
		t.Errorf("to be fetched: %v", v.Patterns())
	}
	if len(p.Compat.Devices) == 0 || p.Compat.Devices[0].Verdict != fit.VerdictFull || p.Compat.Context != 12 {
		t.Errorf("the verdict is %+v, %s", p.Compat, p.Unread)
	}
	if sent := server.Sent(); sent > 2<<20 {
		t.Errorf("%d bytes were sent for a look", sent)
	}
	if p, err = a.Preview(context.Background(), downloads.PreviewRequest{ID: "org/toy-GGUF", Variant: "F16", Context: 12}); err != nil || p.Variants[p.Chosen].Name != "F16" {
		t.Errorf("asked for F16: %v, %+v", err, p)
	}
}

// A model that cannot run is reported before anything is downloaded.
func TestPreviewRefuses(t *testing.T) {
	a, server := hubApp(t)
	weights := hubtest.File{Path: "model.safetensors", Data: []byte("\x02\x00\x00\x00\x00\x00\x00\x00{}"), LFS: true}
	server.Add(hubtest.Repo{ID: "org/pickle", Files: []hubtest.File{{Path: "config.json", Data: []byte("{}")}, {Path: "pytorch_model.bin", Data: []byte("x"), LFS: true}}})
	server.Add(hubtest.Repo{ID: "org/whisper", Files: []hubtest.File{{Path: "config.json", Data: []byte(`{"architectures":["WhisperModel"]}`)}, weights}})
	server.Add(hubtest.Repo{ID: "org/gated", Gated: true, Files: toyFiles(t, "../models/testdata/f16/bert", 0)})
	ctx := context.Background()
	if _, err := a.Preview(ctx, downloads.PreviewRequest{ID: "org/pickle"}); err == nil || !strings.Contains(err.Error(), "run code") {
		t.Errorf("pickle: %v", err)
	}
	p, err := a.Preview(ctx, downloads.PreviewRequest{ID: "org/whisper"})
	if err != nil || len(p.Compat.Devices) == 0 || p.Compat.Devices[0].Verdict != fit.VerdictNo || !strings.Contains(p.Compat.Devices[0].Reason, "WhisperModel") {
		t.Errorf("an unknown architecture: %v, %+v", err, p.Compat)
	}
	p, err = a.Preview(ctx, downloads.PreviewRequest{ID: "org/gated"})
	if err != nil || !p.Gated || !strings.Contains(p.Unread, "terms") {
		t.Errorf("gated: %v, %+v", err, p)
	}
	if _, err := a.Preview(ctx, downloads.PreviewRequest{ID: "org/nothing"}); err == nil {
		t.Error("a repository that is not there has a preview")
	}
	if _, err := a.Preview(ctx, downloads.PreviewRequest{ID: "org/whisper", Variant: "Q9"}); err == nil {
		t.Error("a variant that is not there was looked at")
	}
}

func TestPreviewHeaderThatLies(t *testing.T) {
	a, server := hubApp(t)
	server.Add(hubtest.Repo{ID: "org/lies", Files: []hubtest.File{
		{Path: "config.json", Data: []byte(`{"architectures":["BertModel"]}`)},
		{Path: "model.safetensors", Data: []byte("\xff\xff\xff\xff\xff\xff\xff\x7f{}"), LFS: true},
	}})
	p, err := a.Preview(context.Background(), downloads.PreviewRequest{ID: "org/lies"})
	if err != nil || !strings.Contains(p.Unread, "damaged") {
		t.Errorf("%v, %q", err, p.Unread)
	}
}

// Files of a type that is not read, and parts of models, are no variants.
func TestPreviewLeavesOut(t *testing.T) {
	a, server := hubApp(t)
	toy := toyFiles(t, "../models/testdata/gguf/llama", 1<<20)[1]
	var files []hubtest.File
	for _, name := range []string{"toy-Q8_0.gguf", "toy-UD-IQ1_S.gguf", "toy-UD-TQ1_0.gguf", "mmproj-F16.gguf", "imatrix_unsloth.gguf", "mtp-toy.gguf"} {
		f := toy
		f.Path, f.Data = name, append(append([]byte(nil), f.Data...), name...)
		files = append(files, f)
	}
	server.Add(hubtest.Repo{ID: "org/toy-GGUF", Files: files})
	p, err := a.Preview(context.Background(), downloads.PreviewRequest{ID: "org/toy-GGUF"})
	if err != nil || len(p.Variants) != 1 || p.Variants[0].Name != "Q8_0" {
		t.Fatalf("%v, variants %+v", err, p.Variants)
	}
	if !strings.HasSuffix(p.LeftOut, "IQ1_S, TQ1_0.") {
		t.Errorf("left out: %q", p.LeftOut)
	}
	for _, f := range p.Variants[0].Files {
		if f.Fetched != (f.Path == "toy-Q8_0.gguf") || f.Why == "" {
			t.Errorf("%+v", f)
		}
	}
}

// What cannot run here is refused by its name before its weights are fetched, unless its files are named.
func TestPullRefuses(t *testing.T) {
	for method, name := range map[string]string{"fp8": "fp8", "gptq": "gptq", "awq": "awq", "compressed-tensors": "compressed-tensors", "nvfp4": "nvfp4"} {
		a, server := hubApp(t)
		files := toyFiles(t, "../models/testdata/f16/bert", 0)
		for i, f := range files {
			if f.Path == "config.json" {
				files[i].Data = []byte(strings.Replace(string(f.Data), "{", `{"quantization_config": {"quant_method": "`+method+`"},`, 1))
			}
		}
		files = append(files, hubtest.File{Path: "1_Dense/model.safetensors", Data: make([]byte, 3<<20), LFS: true})
		server.Add(hubtest.Repo{ID: "org/bert", Files: files})
		_, err := a.PullModel(context.Background(), downloads.DownloadRequest{ID: "org/bert"}, nil)
		if err == nil || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), "--file") {
			t.Errorf("%s: %v", method, err)
		}
		if sent := server.Sent(); sent > 1<<20 {
			t.Errorf("%s: %d bytes were sent all the same", method, sent)
		}
		if _, err := a.PullModel(context.Background(), downloads.DownloadRequest{ID: "org/bert", Files: []string{"*.safetensors"}}, nil); err != nil {
			t.Errorf("%s, files named: %v", method, err)
		}
	}
}

// TestPullAHead: the file with the head that guesses for a model is downloaded when it is asked for, with the model
// or later, is no model of its own, and belongs to the model from then on.
func TestPullAHead(t *testing.T) {
	a, server := hubApp(t)
	ctx := t.Context()
	var files []hubtest.File
	for _, f := range toyFiles(t, "../models/testdata/ahead/qwen35-apart", 0) {
		if filenames.IsGGUF(f.Path) {
			files = append(files, f)
		}
	}
	server.Add(hubtest.Repo{ID: "org/qwen-GGUF", Files: files})
	head := func() string {
		t.Helper()
		e, err := a.Usable(ctx, "org/qwen-GGUF")
		if err != nil {
			t.Fatal(err)
		}
		folder, closer, err := e.Location.Open(ctx)
		if err != nil {
			t.Fatal(err)
		}
		defer closer.Close()
		backend, err := cpubackend.New(cpubackend.Options{Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		defer backend.Close()
		w, err := pipeline.OpenWriter(ctx, folder, []engine.Backend{backend}, pipeline.GeneratorOptions{WeightsFile: e.Location.WeightsFile, IDsOnly: true})
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		return w.(*pipeline.Generator).Head()
	}
	for _, c := range []struct {
		files []string
		has   bool
	}{{nil, false}, {[]string{"mtp-*"}, true}} {
		if _, err := a.PullModel(ctx, downloads.DownloadRequest{ID: "org/qwen-GGUF", Files: c.files}, nil); err != nil {
			t.Fatal(err)
		}
		if why := head(); (why == "") != c.has {
			t.Errorf("after %q: of its head it says %q", c.files, why)
		}
		models, err := a.Models(ctx)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range models {
			if strings.Contains(m.ID, "mtp-") || strings.Contains(m.ID, "qwen") && m.ID != "org/qwen-GGUF" {
				t.Errorf("after %q there is a model %s", c.files, m.ID)
			}
		}
	}
}
