package texts

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

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
	points, explained, err := project(vectors, func() error { return nil })
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
			points, explained, err := project(vectors, func() error { return nil })
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
			again, _, _ := project(vectors, func() error { return nil })
			if !slices.Equal(points, again) {
				t.Errorf("another run gives %v, not %v", again, points)
			}
		})
	}
}

func TestProjectSignsAreFixed(t *testing.T) {
	points, _, err := project([][]float32{{5, 0, 1}, {-1, 0, 0}, {-2, 0.5, 0}, {-2, -0.5, 0}}, func() error { return nil })
	if err != nil || points[0][0] != 1 {
		t.Errorf("the farthest point lies at %v (error %v), want 1 on the first axis", points[0], err)
	}
}
