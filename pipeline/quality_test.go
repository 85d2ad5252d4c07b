//go:build quality

package pipeline_test

import (
	"bufio"
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"inglenook/pipeline"
	"inglenook/vecmath"
)

// TestQuality measures two models on STS-B dev (Spearman, in percent) and Cranfield
// (nDCG@10, linear gain) and compares them with the reference library, which reaches
// 86.34 and 0.4351 with all-MiniLM-L6-v2. Run by `make quality`.
func TestQuality(t *testing.T) {
	for _, m := range []struct {
		name, dir       string
		sts, cranfield  float64 // of the reference library; 0: floor only
		stsFloor, floor float64
	}{
		{name: "all-MiniLM-L6-v2", dir: shared(t, "models/all-MiniLM-L6-v2"), sts: 86.34, cranfield: 0.4351},
		{name: "starter-embed", dir: "../assets/starter", stsFloor: 85, floor: 0.40},
	} {
		t.Run(m.name, func(t *testing.T) {
			e := openEmbedder(t, m.dir, pipeline.EmbedderOptions{})
			sts, ndcg := stsb(t, e), cranfield(t, e)
			t.Logf("%s: STS-B dev Spearman %.2f, Cranfield nDCG@10 %.4f", m.name, sts, ndcg)
			if m.sts > 0 && math.Abs(sts-m.sts) > 0.1 {
				t.Errorf("STS-B: %.2f, the reference gives %.2f", sts, m.sts)
			}
			if m.cranfield > 0 && math.Abs(ndcg-m.cranfield) > 0.003 {
				t.Errorf("Cranfield: %.4f, the reference gives %.4f", ndcg, m.cranfield)
			}
			if sts < m.stsFloor || ndcg < m.floor {
				t.Errorf("below %.1f or %.3f", m.stsFloor, m.floor)
			}
		})
	}
}

func embedAll(t *testing.T, e pipeline.Embedder, texts []string) [][]float32 {
	t.Helper()
	v, err := vectorsOf(context.Background(), e, texts)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func stsb(t *testing.T, e pipeline.Embedder) float64 {
	var a, b []string
	var gold []float64
	for _, row := range rows(t, shared(t, "sts/stsb-dev.tsv")) {
		score, err := strconv.ParseFloat(row[2], 64)
		if err != nil {
			t.Fatal(err)
		}
		a, b, gold = append(a, row[3]), append(b, row[4]), append(gold, score)
	}
	va, vb := embedAll(t, e, a), embedAll(t, e, b)
	got := make([]float64, len(gold))
	for i := range got {
		got[i] = vecmath.Cosine(va[i], vb[i])
	}
	return 100 * pearson(ranks(got), ranks(gold))
}

func cranfield(t *testing.T, e pipeline.Embedder) float64 {
	type record struct{ ID, Title, Text string }
	read := func(name string) (all []record) {
		data, err := os.ReadFile(shared(t, filepath.Join("retrieval/cranfield", name)))
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(data)) {
			var r struct {
				ID    string `json:"_id"`
				Title string `json:"title"`
				Text  string `json:"text"`
			}
			if err := json.Unmarshal([]byte(line), &r); err != nil {
				t.Fatal(err)
			}
			all = append(all, record(r))
		}
		return all
	}
	texts := func(rs []record) (out []string) {
		for _, r := range rs {
			out = append(out, strings.TrimLeft(r.Title+" "+r.Text, " "))
		}
		return out
	}
	docs, queries := read("corpus.jsonl"), read("queries.jsonl")
	grade := map[string]map[string]float64{}
	for _, row := range rows(t, shared(t, "retrieval/cranfield/qrels.tsv")) {
		g, err := strconv.ParseFloat(row[2], 64)
		if err != nil {
			t.Fatal(err)
		}
		if grade[row[0]] == nil {
			grade[row[0]] = map[string]float64{}
		}
		grade[row[0]][row[1]] = g
	}
	vd := embedAll(t, e, texts(docs))
	total := 0.0
	for i, q := range embedAll(t, e, texts(queries)) {
		order := make([]int, len(docs))
		score := make([]float64, len(docs))
		for d := range docs {
			order[d], score[d] = d, vecmath.Cosine(q, vd[d])
		}
		slices.SortStableFunc(order, func(x, y int) int {
			switch {
			case score[x] > score[y]:
				return -1
			case score[x] < score[y]:
				return 1
			}
			return 0
		})
		judged := grade[queries[i].ID]
		var gains, best []float64
		for _, d := range order[:10] {
			gains = append(gains, judged[docs[d].ID])
		}
		for _, g := range judged {
			best = append(best, g)
		}
		slices.SortFunc(best, func(x, y float64) int { return int(y - x) })
		if ideal := dcg(best[:min(10, len(best))]); ideal > 0 {
			total += dcg(gains) / ideal
		}
	}
	return total / float64(len(queries))
}

func dcg(gains []float64) (sum float64) {
	for i, g := range gains {
		sum += g / math.Log2(float64(i)+2)
	}
	return sum
}

// rows reads a table of tab-separated values without its header.
func rows(t *testing.T, name string) (all [][]string) {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s := bufio.NewScanner(f)
	for s.Scan() {
		all = append(all, strings.Split(s.Text(), "\t"))
	}
	if err := s.Err(); err != nil {
		t.Fatal(err)
	}
	return all[1:]
}

// ranks returns the rank of each value; ties share the mean of theirs.
func ranks(v []float64) []float64 {
	order := make([]int, len(v))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		switch {
		case v[a] < v[b]:
			return -1
		case v[a] > v[b]:
			return 1
		}
		return 0
	})
	r := make([]float64, len(v))
	for i := 0; i < len(order); {
		j := i
		for j < len(order) && v[order[j]] == v[order[i]] {
			j++
		}
		for k := i; k < j; k++ {
			r[order[k]] = float64(i+j-1) / 2
		}
		i = j
	}
	return r
}

func pearson(a, b []float64) float64 {
	var ma, mb float64
	for i := range a {
		ma, mb = ma+a[i]/float64(len(a)), mb+b[i]/float64(len(b))
	}
	var ab, aa, bb float64
	for i := range a {
		ab += (a[i] - ma) * (b[i] - mb)
		aa += (a[i] - ma) * (a[i] - ma)
		bb += (b[i] - mb) * (b[i] - mb)
	}
	return ab / math.Sqrt(aa*bb)
}
