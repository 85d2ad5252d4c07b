package pipeline_test

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"inglenook/pipeline"
)

// taskAnswers are the vectors of the reference library beside testdata/tasks.
type taskAnswers struct {
	Texts []string
	Tasks map[string][][]float32
}

// Each task of a checkpoint gives the vectors of the reference library with the matrices of that
// task, behind the instruction of the task. Without one it is that for comparing texts.
func TestTasksOfModel(t *testing.T) {
	var want taskAnswers
	readJSON(t, "testdata/tasks/answers.json", &want)
	if len(want.Tasks) < 3 {
		t.Fatalf("%d tasks", len(want.Tasks))
	}
	want.Tasks[""] = want.Tasks["text-matching"]
	for task, vectors := range want.Tasks {
		e := openEmbedder(t, "testdata/tasks", pipeline.EmbedderOptions{Task: task})
		got, err := e.Embed(t.Context(), want.Texts, pipeline.EmbedRequest{})
		if err != nil {
			t.Fatal(err)
		}
		for i := range vectors {
			if d := worst(got.Vectors[i], vectors[i]); !(d < 1e-5) {
				t.Errorf("task %q, text %d: differs by %.2g", task, i, d)
			}
		}
		if bare, err := e.Embed(t.Context(), want.Texts[:1], pipeline.EmbedRequest{NoPrompt: true}); err != nil {
			t.Fatal(err)
		} else if same := slices.Equal(bare.Vectors[0], got.Vectors[0]); same == strings.HasPrefix(task, "retrieval") {
			t.Errorf("task %q: with and without its instruction the same is %v", task, same)
		}
	}
	d, err := pipeline.Describe(os.DirFS("testdata/tasks"), "")
	if err != nil || !slices.Contains(d.Tasks, "classification") || len(d.Tasks) != len(want.Tasks)-1 {
		t.Errorf("described are the tasks %q, %v", d.Tasks, err)
	}
}

// worst returns the largest difference of two vectors.
func worst(a, b []float32) (most float64) {
	for i := range a {
		most = max(most, max(float64(a[i]-b[i]), float64(b[i]-a[i])))
	}
	return most
}

// A task that a checkpoint does not have is one sentence, and one of config.json without weights
// is none.
func TestTasksOfModelRefused(t *testing.T) {
	refuse := func(m fstest.MapFS, task, want string) {
		t.Helper()
		e, err := pipeline.OpenEmbedder(context.Background(), m, cpu(t), pipeline.EmbedderOptions{Task: task})
		if err == nil {
			e.Close()
			t.Errorf("the task %q was opened", task)
		} else if !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("the task %q: %v", task, err)
		}
	}
	m := load(t, "tasks")
	refuse(m, "poetry", `has no task "poetry"; it has: retrieval.query, retrieval.passage, classification, text-matching`)
	refuse(m, strings.Repeat("x\n", 500), "has no task")
	refuse(load(t, "mean-normalize"), "classification", "has no tasks to choose from")

	// The same without small matrices: a checkpoint into which those of a task were merged.
	merged := withoutSmall(t, m)
	refuse(merged, "classification", "the weights of this model have nothing for its task")
	e, err := pipeline.OpenEmbedder(context.Background(), merged, cpu(t), pipeline.EmbedderOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	if notes := strings.Join(e.Info().Notes, " "); !strings.Contains(notes, "the weights have nothing for them") {
		t.Errorf("notes: %q", notes)
	}
	if d, err := pipeline.Describe(merged, ""); err != nil || !d.Supported || d.Tasks != nil {
		t.Errorf("described: %+v, %v", d, err)
	}
}

// withoutSmall returns a checkpoint whose weights have no small matrices for tasks.
func withoutSmall(t *testing.T, m fstest.MapFS) fstest.MapFS {
	t.Helper()
	const file, marked = "model.safetensors", ".parametrizations."
	data := m[file].Data
	size := binary.LittleEndian.Uint64(data)
	head := map[string]struct {
		DType   string   `json:"dtype"`
		Shape   []int    `json:"shape"`
		Offsets [2]int64 `json:"data_offsets"`
	}{}
	var all map[string]json.RawMessage
	if err := json.Unmarshal(data[8:8+size], &all); err != nil {
		t.Fatal(err)
	}
	body := data[8+size:]
	var kept []byte
	for name, raw := range all {
		x := head[name]
		stem, original := strings.CutSuffix(name, ".original")
		if name == "__metadata__" || strings.Contains(name, marked) && !original {
			continue
		}
		if err := json.Unmarshal(raw, &x); err != nil {
			t.Fatal(err)
		}
		begin := int64(len(kept))
		kept = append(kept, body[x.Offsets[0]:x.Offsets[1]]...)
		x.Offsets = [2]int64{begin, int64(len(kept))}
		head[strings.Replace(stem, marked, ".", 1)] = x
	}
	text, err := json.Marshal(head)
	if err != nil {
		t.Fatal(err)
	}
	out := maps.Clone(m)
	out[file] = &fstest.MapFile{Data: slices.Concat(binary.LittleEndian.AppendUint64(nil, uint64(len(text))), text, kept)}
	return out
}
