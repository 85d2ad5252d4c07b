package cli

import (
	"math"
	"os"
	"strings"
	"testing"
)

// --task chooses the weights for a task in embed and similarity; what cannot be chosen is one line.
func TestTask(t *testing.T) {
	const model = "../pipeline/testdata/tasks"
	data, err := os.ReadFile(model + "/answers.json")
	if err != nil {
		t.Fatal(err)
	}
	want := decode[struct {
		Texts []string
		Tasks map[string][][]float32
	}](t, string(data))
	for task, vectors := range want.Tasks {
		out := lines(inglenook(t, "", append([]string{"embed", "--json", "--device", "cpu", "--model", model, "--task", task}, want.Texts...)...).ok(t).stdout)
		for i := range vectors {
			for k, x := range decode[embedLine](t, out[i]).Embedding {
				if d := x - vectors[i][k]; d > 1e-5 || d < -1e-5 {
					t.Fatalf("%s: number %d of text %d is %v instead of %v", task, k, i, x, vectors[i][k])
				}
			}
		}
		got := decode[similarityJSON](t, inglenook(t, "", append([]string{"similarity", "--json", "--device", "cpu", "--model", model, "--task", task}, want.Texts...)...).ok(t).stdout)
		var dot float64
		for k, x := range vectors[0] {
			dot += float64(x) * float64(vectors[1][k])
		}
		if math.Abs(float64(got.Matrix[0][1])-dot) > 1e-5 {
			t.Errorf("%s: texts 1 and 2 are %v alike instead of %v", task, got.Matrix[0][1], dot)
		}
	}
	// A person's own labels are chosen by the weights for that.
	labelled := decode[[]classifiedJSON](t, inglenook(t, "", "classify", "--json", "--device", "cpu", "--model", model, "--labels", "fire,snow", "--sentence", "the {}", want.Texts[0]).ok(t).stdout)
	out := lines(inglenook(t, "", "embed", "--json", "--device", "cpu", "--model", model, "--task", "classification", "the fire", "the snow").ok(t).stdout)
	for _, l := range labelled[0].Labels {
		var dot float64
		for k, x := range decode[embedLine](t, out[strings.Index("fire snow", l.Label)/5]).Embedding {
			dot += float64(x) * float64(want.Tasks["classification"][0][k])
		}
		if math.Abs(float64(*l.Cosine)-dot) > 1e-5 {
			t.Errorf("the label %s is %v close instead of %v", l.Label, *l.Cosine, dot)
		}
	}
	for says, args := range map[string][]string{
		`has no task "poetry"; it has: retrieval.query`: {"--model", model, "--task", "poetry", "a"},
		"has no tasks to choose from":                   {"--task", "classification", "a"},
	} {
		if o := inglenook(t, "", append([]string{"embed"}, args...)...); o.code != 1 || !strings.Contains(o.stderr, says) || strings.Count(o.stderr, "\n") != 1 {
			t.Errorf("%v: code %d, %q", args, o.code, o.stderr)
		}
	}
	if o := inglenook(t, "", "embed", "--task", "classification", "--image", "x.png"); o.code != 2 {
		t.Errorf("a task for pictures: %+v", o)
	}
}
