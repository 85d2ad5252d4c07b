package documents

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"

	"inglenook/app/library"
	"inglenook/documents/store"
	"inglenook/remote"
)

// The files of a server's model are not here, and a server may get another model under
// the same name. So its model is told by the vectors that it gives for fixed texts. They
// are kept with each collection, where all who share it see them.

// probesKey is the setting of a collection with those vectors: probes.
const probesKey = "probes"

// probes are the vectors of the models of servers, by embedder id.
type probes map[string]probe

// probe is the vectors of the fixed texts, with numbers from -127 to 127, which are
// exact enough to tell models apart and take little room.
type probe [][]byte

// prober is a model that is told by its vectors. Where addresses of a server have several,
// Like returns the one that gave some earlier.
type prober interface {
	Probe() [][]float32
	Like(probe [][]float32) (*remote.Embedder, bool)
}

// mostProbes is how many models a collection remembers.
const mostProbes = 16

func probesOf(c store.Collection) probes {
	all := probes{}
	_ = json.Unmarshal(c.Setting(probesKey), &all)
	return all
}

func packed(vectors [][]float32) probe {
	p := make(probe, len(vectors))
	for i, v := range vectors {
		var largest float64
		for _, x := range v {
			largest = max(largest, math.Abs(float64(x)))
		}
		p[i] = make([]byte, len(v))
		for j, x := range v {
			p[i][j] = byte(int8(math.Round(float64(x) * 127 / max(largest, math.SmallestNonzeroFloat32))))
		}
	}
	return p
}

func (p probe) vectors() [][]float32 {
	out := make([][]float32, len(p))
	for i, row := range p {
		out[i] = make([]float32, len(row))
		for j, b := range row {
			out[i][j] = float32(int8(b))
		}
	}
	return out
}

// print is a short text that is made of the vectors. Where they differ a little it is
// another one, so it tells no models apart: like does.
func (p probe) print() string {
	return fmt.Sprintf("seen-%x", sha256.Sum256(slices.Concat(p...)))[:len("seen-")+12]
}

// like returns the id under which the model of an embedder is known.
func (p probes) like(e *embedder) (id string, ok bool) {
	for _, id := range append([]string{e.id}, slices.Sorted(maps.Keys(p))...) {
		if kept, there := p[id]; there && e.becomes(id, kept) {
			return id, true
		}
	}
	return "", false
}

// becomes reports whether an embedder has the model that gave a probe, or an address of its
// server has it, which is then the one that is used.
func (e *embedder) becomes(id string, kept probe) bool {
	if len(kept) == 0 || !strings.HasSuffix(id, e.howOf(len(kept[0]))) {
		return false
	}
	want := kept.vectors()
	if remote.SameModel(want, e.probe.vectors()) {
		return true
	}
	like, ok := e.open.Model.(prober).Like(want)
	if ok {
		e.open.Model, e.info, e.probe = like, like.Info(), packed(like.Probe())
		e.how = e.howOf(e.info.Dimension)
	}
	return ok
}

// counted is the form of the ids that earlier versions gave to models of servers. They
// count changes that one computer saw, which says nothing.
var counted = regexp.MustCompile(`@elsewhere-\d+ `)

// ofServer reports whether the vectors of an embedder id come from a server.
func (p probes) ofServer(id string) bool {
	_, kept := p[id]
	return kept || counted.MatchString(id)
}

// recognise gives the embedder of a server the id that its model has in a collection,
// and keeps what tells the model there if it is new.
func (s *Service) recognise(ctx context.Context, c store.Collection, e *embedder) error {
	if e.probe == nil {
		return nil
	}
	known := probesOf(c)
	if id, ok := known.like(e); ok {
		e.id = id
		return nil
	}
	sets, err := c.Sets(ctx)
	if err != nil {
		return s.sentence(err)
	}
	for _, set := range sets {
		if fits, err := s.adopts(ctx, c, set.Embedder, e); err != nil {
			return err
		} else if fits {
			e.id = set.Embedder
			break
		}
	}
	err = changeJSON(c, probesKey, func(all probes) probes {
		if id, ok := all.like(e); ok { // another computer was faster
			e.id = id
			return all
		}
		if all == nil || len(all) >= mostProbes {
			all = all.of(sets)
		}
		all[e.id] = e.probe
		return all
	})
	return s.sentence(err)
}

// of are the probes of some sets.
func (p probes) of(sets []store.VectorSet) probes {
	out := probes{}
	for _, set := range sets {
		if kept, ok := p[set.Embedder]; ok {
			out[set.Embedder] = kept
		}
	}
	return out
}

// is reports whether an embedder made the vectors of an id in one of some collections.
// It then has that id.
func (s *Service) is(ctx context.Context, id string, e *embedder, from []store.Collection) (bool, error) {
	if e.probe == nil || e.id == id {
		return e.id == id, nil
	}
	for _, c := range from {
		known := probesOf(c)
		kept, there := known[id]
		fits := there && e.becomes(id, kept)
		if !there {
			var err error
			if fits, err = s.adopts(ctx, c, id, e); err != nil {
				return false, err
			}
		}
		if fits {
			e.id = id
			return true, nil
		}
	}
	return false, nil
}

// adopts reports whether an embedder made the vectors of an id of an earlier version, with
// which nothing was kept that tells. It embeds some passages again.
func (s *Service) adopts(ctx context.Context, c store.Collection, id string, e *embedder) (bool, error) {
	if !counted.MatchString(id) || !strings.HasSuffix(id, e.how) {
		return false, nil
	}
	key := [3]string{c.ID(), id, e.probe.print()}
	s.mu.Lock()
	fits, known := s.adopted[key]
	s.mu.Unlock()
	if known {
		return fits, nil
	}
	fits, err := s.fits(ctx, c, id, e)
	if err == nil {
		s.mu.Lock()
		s.adopted[key] = fits
		s.mu.Unlock()
	}
	return fits, err
}

// How many passages are embedded again, of how many files at most.
const (
	fitPassages = 3
	fitFiles    = 50
)

// fits reports whether an embedder gives the vectors that a collection has of some passages.
// One without vectors fits all.
func (s *Service) fits(ctx context.Context, c store.Collection, id string, e *embedder) (bool, error) {
	files, err := c.Files(ctx, store.FileFilter{States: []store.State{store.Indexed}, Limit: fitFiles})
	if err != nil {
		return false, s.sentence(err)
	}
	var texts []string
	var kept [][]float32
	for _, f := range files {
		ids, err := c.PassagesOf(ctx, f.Path)
		if err != nil {
			return false, s.sentence(err)
		}
		ids = ids[:min(len(ids), 1)]
		passages, err := c.Passages(ctx, ids)
		if err != nil {
			return false, s.sentence(err)
		}
		vectors, err := c.Vectors(ctx, id, ids)
		if err != nil {
			return false, s.sentence(err)
		}
		if len(passages) == 1 && vectors[0] != nil {
			texts, kept = append(texts, passages[0].Input()), append(kept, vectors[0])
		}
		if len(texts) == fitPassages {
			break
		}
	}
	if len(texts) == 0 {
		return true, nil
	}
	got, err := e.embed(ctx, library.TaskPassages, texts, e.prompts.passage)
	if err != nil {
		return false, err
	}
	return remote.SameModel(kept, got.Vectors), nil
}
