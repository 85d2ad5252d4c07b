package main

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"time"

	"inglenook/engine"
	"inglenook/models"
	"inglenook/weights"
)

// idsWork is a work file whose texts are token ids, or pictures that are pixels, so that what
// other engines do beside the model does not count.
type idsWork struct {
	IDs      [][][]int32 // batches of texts
	Pixels   string      // a file of float32: pictures [3, side, side] end to end
	Pictures int         // how many
	Answer   int         // tokens that a text-to-text model writes for each text; 0: the model only reads
	Runs     int         // of each batch, after one that does not count
	Profile  bool        // say on standard error how long each kind of operation takes
}

// idsResult has, for each batch, the seconds of each run, and what other engines must agree with.
type idsResult struct {
	Peer    string      `json:"peer"`
	LoadS   float64     `json:"load_s"`
	Wall    [][]float64 `json:"wall"`
	CPU     [][]float64 `json:"cpu"`
	Means   [][]float32 `json:"means,omitempty"`   // of the states of each batch's last text, or the last picture's vector
	Answers [][]int32   `json:"answers,omitempty"` // the tokens written for each batch's last text
	PeakMB  int64       `json:"peak_rss_mb"`
}

// idsModel is a checkpoint without its tokenizer.
type idsModel struct {
	set      *weights.Set
	graph    *engine.Graph
	cpu      engine.Backend
	model    models.Model   // reads texts or pictures
	decoder  models.Decoder // of a text-to-text model
	pixels   []float32
	profiled map[string]time.Duration // by kind of operation, or nil
}

// measureIDs does the work and prints one JSON line.
func measureIDs(dir, weightType string, w idsWork, cpu engine.Backend) error {
	start := time.Now()
	m, err := openIDs(dir, weightType, w, cpu)
	if err != nil {
		return err
	}
	defer m.set.Close()
	defer m.graph.Close()
	r := idsResult{Peer: "ours", LoadS: time.Since(start).Seconds()}
	batches := len(w.IDs)
	if w.Pixels != "" {
		batches = 1
	}
	for i := range batches {
		var wall, used []float64
		if err := m.do(w, i, &r, false); err != nil {
			return err
		}
		clear(m.profiled)
		for n := range w.Runs {
			begun, before := time.Now(), cpuSeconds()
			if err := m.do(w, i, &r, n == w.Runs-1); err != nil {
				return err
			}
			wall, used = append(wall, time.Since(begun).Seconds()), append(used, cpuSeconds()-before)
		}
		r.Wall, r.CPU = append(r.Wall, wall), append(r.CPU, used)
		for op, d := range m.profiled {
			fmt.Fprintf(os.Stderr, "batch %d, %s: %.1f ms a run\n", i, op, 1e3*d.Seconds()/float64(w.Runs))
		}
	}
	r.PeakMB = peakMB()
	return json.NewEncoder(os.Stdout).Encode(r)
}

func openIDs(dir, weightType string, w idsWork, cpu engine.Backend) (m idsModel, err error) {
	folder := os.DirFS(dir)
	data, err := os.ReadFile(dir + "/config.json")
	if err != nil {
		return m, err
	}
	config, err := models.ParseConfig(data)
	if err != nil {
		return m, err
	}
	quantize := engine.F32
	if weightType == "q8_0" {
		quantize = engine.Q8_0
	}
	if m.set, err = weights.Open(folder, weights.Options{Quantize: quantize}); err != nil {
		return m, err
	}
	m.graph, m.cpu = engine.NewGraph(), cpu
	if w.Profile {
		m.profiled = map[string]time.Duration{}
	}
	if w.Pixels != "" {
		if m.pixels, err = readFloats(w.Pixels); err != nil {
			return m, err
		}
	}
	switch {
	case w.Answer > 0:
		m.decoder, err = models.LoadDecoder(config, m.set)
	case w.Pixels != "":
		m.model, err = models.LoadPictures(config, m.set)
	default:
		m.model, err = models.Load(config, m.set)
	}
	return m, err
}

// do does batch i and, the last time, keeps what came out.
func (m idsModel) do(w idsWork, i int, r *idsResult, last bool) error {
	if w.Answer > 0 {
		for j, ids := range w.IDs[i] {
			got, err := m.answer(ids, w.Answer)
			if err != nil {
				return err
			}
			if last && j == len(w.IDs[i])-1 {
				r.Answers = append(r.Answers, got)
			}
		}
		return nil
	}
	b, out := models.Batch{Starts: []int32{0}}, models.Hidden
	if w.Pixels != "" {
		out, b.Pixels = models.Pooled, m.pixels
		for n := range w.Pictures {
			b.Starts = append(b.Starts, int32(n+1))
		}
	} else {
		if m.model.Config().Head == models.Pooled {
			out = models.Pooled
		}
		for _, ids := range w.IDs[i] {
			b.Tokens = append(b.Tokens, ids...)
			b.Starts = append(b.Starts, int32(len(b.Tokens)))
		}
	}
	data, cols, err := m.run(func() *engine.Tensor { return m.model.Forward(m.graph, b, out) })
	if err != nil || !last {
		return err
	}
	rows := 1
	if out == models.Hidden {
		rows = len(w.IDs[i][len(w.IDs[i])-1])
	}
	r.Means = append(r.Means, mean(data[len(data)-rows*cols:], cols))
	return nil
}

// answer writes n tokens, each the likeliest.
func (m idsModel) answer(source []int32, n int) ([]int32, error) {
	cache, err := m.decoder.NewCache(engine.F32, max(n, len(source)))
	if err != nil {
		return nil, err
	}
	defer cache.Release()
	in := models.Input{Source: source, Tokens: []int32{int32(m.decoder.Config().Start)}}
	var written []int32
	for len(written) < n {
		data, _, err := m.run(func() *engine.Tensor { return m.decoder.Forward(m.graph, in, cache, nil, models.Logits) })
		if err != nil {
			return nil, err
		}
		cache.Advance()
		best := 0
		for j, v := range data {
			if v > data[best] {
				best = j
			}
		}
		written = append(written, int32(best))
		in = models.Input{Tokens: []int32{int32(best)}}
	}
	return written, nil
}

// run runs one pass and returns its result and that one's columns.
func (m idsModel) run(record func() *engine.Tensor) ([]float32, int, error) {
	m.graph.Reset()
	x := m.graph.Want(record())
	if _, err := m.graph.Run(context.Background(), m.cpu); err != nil {
		return nil, 0, err
	}
	if m.profiled != nil {
		for _, op := range m.graph.Ops() {
			m.profiled[fmt.Sprint(op.Op, " ", op.Cols, " from ", op.Src[0].Cols)] += op.Elapsed
		}
	}
	data, err := m.graph.Result(x)
	return data, x.Cols, err
}

// mean returns the mean of rows.
func mean(data []float32, cols int) []float32 {
	sum := make([]float32, cols)
	for i, v := range data {
		sum[i%cols] += v * float32(cols) / float32(len(data))
	}
	return sum
}

func readFloats(name string) ([]float32, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	v := make([]float32, len(data)/4)
	for i := range v {
		v[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
	}
	return v, nil
}
