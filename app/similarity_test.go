package app

import (
	"context"
	"encoding/csv"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"inglenook/app/base"
	"inglenook/app/library"
	"inglenook/app/texts"
)

func TestCosines(t *testing.T) {
	m, err := texts.Cosines(texts.Normalized([][]float32{{3, 0}, {0, 2}, {-1, 0}, {1, 1}, {0, 0}}), func(int) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	half := float32(math.Sqrt(0.5))
	want := [][]float32{
		{1, 0, -1, half, 0}, {0, 1, 0, half, 0}, {-1, 0, 1, -half, 0}, {half, half, -half, 1, 0}, {0, 0, 0, 0, 1},
	}
	for i := range want {
		for j := range want[i] {
			if math.Abs(float64(m[i][j]-want[i][j])) > 1e-6 {
				t.Errorf("cosine %d %d is %v, want %v", i, j, m[i][j], want[i][j])
			}
		}
	}
}

func TestNearest(t *testing.T) {
	r := texts.SimilarityResult{Matrix: [][]float32{{1, 0.2, 0.9, 0.2}, {0.2, 1, 0, 0}, {0.9, 0, 1, 0}, {0.2, 0, 0, 1}}}
	got := r.Nearest(0, 2)
	if want := []texts.Neighbour{{Index: 2, Score: 0.9}, {Index: 1, Score: 0.2}}; !slices.Equal(got, want) {
		t.Errorf("nearest to 0: %v, want %v", got, want)
	}
	if got := r.Nearest(0, 99); len(got) != 3 {
		t.Errorf("asked for 99 of 3 neighbours: %d", len(got))
	}
	for _, bad := range [][2]int{{-1, 1}, {4, 1}, {0, 0}, {0, -1}} {
		if got := r.Nearest(bad[0], bad[1]); got != nil {
			t.Errorf("Nearest%v gave %v", bad, got)
		}
	}
}

func TestWriteCSV(t *testing.T) {
	input := []string{`a "quoted", text`, "two\nlines"}
	r := texts.SimilarityResult{Texts: input, Matrix: [][]float32{{1, 0.25}, {0.25, 1}}}
	var b strings.Builder
	if err := r.WriteCSV(&b); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(b.String())).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	want := [][]string{{"text", input[0], input[1]}, {input[0], "1.000000", "0.250000"}, {input[1], "0.250000", "1.000000"}}
	if !slices.EqualFunc(rows, want, slices.Equal[[]string]) {
		t.Errorf("read back %q, want %q", rows, want)
	}
}

func TestProjectFindsThePlane(t *testing.T) {
	// Points of a known plane in 20 dimensions, spread three times as far one
	// way as the other.
	random := rand.New(rand.NewPCG(3, 4))
	var vectors [][]float32
	var along []float64
	for range 100 {
		a, b := 3*random.NormFloat64(), random.NormFloat64()
		for _, p := range [][2]float64{{a, b}, {a, -b}, {-a, b}, {-a, -b}} { // uncorrelated, mean 0
			v := make([]float32, 20)
			v[4], v[11] = float32(p[0]), float32(p[1])
			vectors, along = append(vectors, v), append(along, p[0])
		}
	}
	points, explained, err := texts.Project(vectors, func() error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	if explained[0] < 0.8 || math.Abs(explained[0]+explained[1]-1) > 1e-9 {
		t.Errorf("explained %v, want about 0.9 and 1 together", explained)
	}
	scale := points[0][0] / along[0]
	for i, p := range points {
		if math.Abs(p[0]-along[i]*scale) > 1e-5 {
			t.Fatalf("point %d lies at %.6f on the first axis, want %.6f", i, p[0], along[i]*scale)
		}
	}
}

func TestProjectIsTotal(t *testing.T) {
	same := []float32{0.6, 0.8, 1e-3, 0.333333343}
	cases := map[string][][]float32{
		"none":         {},
		"one":          {{1, 2}},
		"two":          {{1, 0}, {0, 1}},
		"all equal":    {same, same, same, same, same, same, same},
		"zeros":        {{0, 0}, {0, 0}, {0, 0}},
		"one column":   {{1}, {-1}, {0.5}},
		"on a line":    {{1, 1}, {2, 2}, {3, 3}},
		"two clusters": {same, {1, 0, 0, 0}, same, {1, 0, 0, 0}},
		"square":       {{1, 1}, {1, -1}, {-1, 1}, {-1, -1}},
	}
	for name, vectors := range cases {
		t.Run(name, func(t *testing.T) {
			points, explained, err := texts.Project(vectors, func() error { return nil })
			if err != nil || len(points) != len(vectors) {
				t.Fatalf("%d points, error %v", len(points), err)
			}
			for _, pair := range append(slices.Clone(points), explained) {
				if !(math.Abs(pair[0]) <= 1+1e-12 && math.Abs(pair[1]) <= 1+1e-12) { // false for NaN
					t.Errorf("points %v, explained %v", points, explained)
				}
			}
			if explained[0] < explained[1]-1e-9 || explained[0]+explained[1] > 1+1e-9 {
				t.Errorf("explained %v", explained)
			}
			again, _, _ := texts.Project(vectors, func() error { return nil })
			if !slices.Equal(points, again) {
				t.Errorf("another run gives %v, not %v", again, points)
			}
		})
	}
}

func TestProjectSignsAreFixed(t *testing.T) {
	points, _, err := texts.Project([][]float32{{5, 0, 1}, {-1, 0, 0}, {-2, 0.5, 0}, {-2, -0.5, 0}}, func() error { return nil })
	if err != nil || points[0][0] != 1 {
		t.Errorf("the farthest point lies at %v (error %v), want 1 on the first axis", points[0], err)
	}
}

func TestSimilarityOfDouble(t *testing.T) {
	a := newTestApp(t, &double{})
	var stages []string
	r, err := a.Similarity(context.Background(), texts.SimilarityRequest{Texts: []string{"listen", "silent", "buzzing", strings.Repeat("long ", 300)}}, func(p base.Progress) {
		if len(stages) == 0 || stages[len(stages)-1] != p.Stage {
			stages = append(stages, p.Stage)
		}
		if p.Done > p.Total {
			t.Errorf("progress %+v", p)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if r.Matrix[0][1] < 0.999 || r.Matrix[0][2] > 0.7 || r.Nearest(0, 1)[0].Index != 1 {
		t.Errorf("matrix %v", r.Matrix)
	}
	if !slices.Equal(stages, []string{base.StageEmbedding, base.StageComparing}) {
		t.Errorf("stages %v", stages)
	}
	for _, want := range []string{"does not say how to make one vector", "One text is longer"} {
		if !strings.Contains(r.Note, want) {
			t.Errorf("note %q lacks %q", r.Note, want)
		}
	}
	if r.Device != "cpu" || r.TextsPerS <= 0 || r.TokensPerS <= 0 || r.Model.ID != library.StarterEmbed || len(r.Points) != 4 {
		t.Errorf("result %+v", r)
	}
}

func TestSimilarityRefuses(t *testing.T) {
	a := newTestApp(t, &double{})
	cases := map[string]texts.SimilarityRequest{
		"at least two texts":           {Texts: []string{"alone"}},
		"compare at most 2,000":        {Texts: make([]string, 2001)},
		"there is no device \"tpu\"":   {Texts: []string{"a", "b"}, Device: "tpu"},
		"the device cuda cannot be us": {Texts: []string{"a", "b"}, Device: "cuda"},
		"text is empty":                {Texts: []string{"a", " "}},
		"is not in the Hub cache":      {Texts: []string{"a", "b"}, Model: "org/name"},
	}
	for want, request := range cases {
		if _, err := a.Similarity(context.Background(), request, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}
