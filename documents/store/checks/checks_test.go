package checks

import "testing"

func TestSame(t *testing.T) {
	score := func(v float64) float64 { return v }
	for name, c := range map[string]struct {
		found, all []float64
		want       bool
	}{
		"nothing":                 {nil, nil, true},
		"the same":                {[]float64{0.9, 0.5}, []float64{0.9, 0.5}, true},
		"others, equally near":    {[]float64{0.9, 0.9}, []float64{0.9, 0.9}, true},
		"the nearest missed":      {[]float64{0.5, 0.4}, []float64{0.9, 0.5}, false},
		"the last missed":         {[]float64{0.9, 0.4}, []float64{0.9, 0.5}, false},
		"fewer":                   {[]float64{0.9}, []float64{0.9, 0.5}, false},
		"more":                    {[]float64{0.9, 0.5}, []float64{0.9}, false},
		"nearer than all, by ulp": {[]float64{0.9000000000000001}, []float64{0.9}, true},
	} {
		if got := Same(c.found, c.all, score); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
