package remote

import (
	"math"
	"net/http"
	"strings"
	"testing"

	"inglenook/remote/remotetest"
)

// TestOneVectorForAll: a server that gives every text the same vector has no model that can be used.
func TestOneVectorForAll(t *testing.T) {
	d := remotetest.New(t)
	setFault(d, func(w http.ResponseWriter, r *http.Request, body []byte) bool {
		data(`{"index":0,"embedding":[1,0,0,0,0,0,0,0]},{"index":1,"embedding":[1,0,0,0,0,0,0,0]}`)(d, w, r, body)
		return true
	})
	_, err := serveUnhurried(t, OpenAI, d).OpenEmbedder(t.Context(), Model{ID: "some-embedder"})
	sentence(t, err, strings.TrimPrefix(d.URL, "http://"), "the same vector for texts that say different things")
}

// TestSameModel: the vectors of one model in other number types are of one model. Those of
// others, of other lengths, or without any direction are not.
func TestSameModel(t *testing.T) {
	const dimension = 384
	probe := func(seed uint64, change func(x float32) float32) (list [][]float32) {
		for _, text := range probeTexts() {
			v := remotetest.Vector(text, dimension, seed)
			for i := range v {
				v[i] = change(v[i])
			}
			list = append(list, v)
		}
		return list
	}
	as := func(x float32) float32 { return x }
	first := probe(1, as)
	for name, c := range map[string]struct {
		other [][]float32
		same  bool
	}{
		"itself":        {first, true},
		"8 bits":        {probe(1, func(x float32) float32 { return float32(math.Round(float64(x)*500) / 500) }), true},
		"another scale": {probe(1, func(x float32) float32 { return 30 * x }), true},
		"another model": {probe(2, as), false},
		"none":          {probe(1, func(float32) float32 { return 0 }), false},
		"no number":     {probe(1, func(float32) float32 { return float32(math.NaN()) }), false},
		"shorter":       {[][]float32{first[0][:383], first[1][:383]}, false},
		"one text":      {first[:1], false},
		"one vector":    {[][]float32{first[0], first[0]}, false},
		"nothing":       {nil, false},
	} {
		if got := SameModel(first, c.other); got != c.same {
			t.Errorf("%s: %v", name, got)
		}
	}
}
