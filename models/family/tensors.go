package family

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"

	"inglenook/engine"
	"inglenook/models/nn"
	"inglenook/weights"
)

// FromTensors completes the config of a GGUF file from its tensors.
func (c Config) FromTensors(set *weights.Set) (Config, error) {
	if n := storedLayers(set); n > c.Layers+c.Drafts {
		return c, fmt.Errorf("the file holds %d layers, but its metadata say %d: download the model again", n, c.Layers)
	}
	pairs := 0
	for _, s := range c.Span {
		if s.Rope != nil && (pairs == 0 || s.Rope.Type == "proportional") {
			pairs = s.Rope.Pairs()
		}
	}
	var factors [3][]float32
	for i, name := range []string{"rope_freqs.weight", "rope_factors_short.weight", "rope_factors_long.weight"} {
		var err error
		if factors[i], err = ropeFactors(set, name, pairs); err != nil {
			return c, err
		}
	}
	return c, c.turnBy(factors[0], factors[1], factors[2])
}

// turnBy stretches the positions of all layers by the factors of a GGUF file:
// those of llama3, or those of longrope for short and long texts.
func (c *Config) turnBy(divisors, short, long []float32) error {
	if (short == nil) != (long == nil) {
		return fmt.Errorf("the file holds one of rope_factors_short.weight and rope_factors_long.weight, but not the other: download the model again")
	}
	proportional := slices.ContainsFunc(c.Span, func(s Span) bool { return s.Rope != nil && s.Rope.Type == "proportional" })
	changed := map[*nn.Rope]*nn.Rope{nil: nil}
	spans := make([]Span, len(c.Span))
	for i, s := range c.Span {
		if _, done := changed[s.Rope]; !done {
			r := *s.Rope
			switch {
			case short != nil:
				r.Type, r.Short, r.Long = "longrope", short, long
			case r.Type == "longrope" && r.Short == nil: // a config.json has them
				return fmt.Errorf("the tensors rope_factors_short.weight and rope_factors_long.weight are missing: download the model again")
			case r.Type == "proportional" && divisors == nil && r.Turning == r.Pairs(): // nothing says which pairs rotate
				return fmt.Errorf("the tensor rope_freqs.weight is missing: download the model again")
			case divisors != nil && (r.Type == "proportional" || r.Type == "default" && !proportional):
				r.Divisors = divisors
			case r.Type == "default" || r.Type == "proportional":
			case divisors != nil:
				return fmt.Errorf("positions are stretched twice, by rope_freqs.weight and by the type %q, which is not supported", r.Type)
			}
			changed[s.Rope] = &r
		}
		spans[i] = Span{Window: s.Window, Rope: changed[s.Rope]}
	}
	c.Span = spans
	return nil
}

// still is the divisor by which GGUF files say that a pair does not rotate.
const still = 1e30

// ropeFactors reads a vector of so many numbers, nil if absent.
func ropeFactors(set *weights.Set, name string, n int) ([]float32, error) {
	if _, there := set.Info(name); !there || n == 0 {
		return nil, nil
	}
	t, err := set.Tensor(name)
	if err != nil {
		return nil, err
	}
	if t.DType != engine.F32 || t.Len() != n {
		return nil, fmt.Errorf("the tensor %s holds %d numbers of type %s instead of %d of type f32: download the model again", name, t.Len(), t.DType, n)
	}
	if t.Source() == nil { // an outline has no data: any values serve
		return slices.Repeat([]float32{1}, n), nil
	}
	data := make([]byte, 4*n)
	if k, err := t.Source().ReadAt(data, 0); k < len(data) {
		if err == nil {
			err = io.ErrUnexpectedEOF
		}
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	factors := make([]float32, n)
	for i := range factors {
		x := math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
		if !(x >= 1e-6 && x <= 1e6 || x == still) {
			return nil, fmt.Errorf("the tensor %s holds %v, which cannot stretch positions: download the model again", name, x)
		}
		factors[i] = x
	}
	return factors, nil
}

// LeftOver returns notes on weights within the layers of a checkpoint that its
// config does not mention. They are not used, as in the reference library.
func (c Config) LeftOver(set *weights.Set) (notes []string) {
	if n := storedLayers(set); n > c.Layers+c.Drafts {
		notes = append(notes, fmt.Sprintf("config.json says that the model has %d layers, but the checkpoint stores %d: the last ones are not used", c.Layers, n))
	}
	var unused, others []string
	known, knows := c.Design.(Ignorer)
	for _, name := range set.Unused() {
		if otherPart.MatchString(name) {
			others = append(others, name)
			continue
		}
		m := layerName.FindStringSubmatch(name)
		if m == nil || buffer.MatchString(name) || knows && known.Ignores(name) {
			continue
		}
		if i, err := strconv.Atoi(m[1]); err == nil && i < c.Layers {
			unused = append(unused, name)
		}
	}
	if n := len(others); n > 0 && c.Picture == 0 { // the half that reads pictures is opened when there are some
		notes = append(notes, fmt.Sprintf("the checkpoint also holds parts for pictures, sound or drafts (%d tensors such as %.80s): they are not used, and text works as always", n, others[0]))
	}
	switch n := len(unused); {
	case n == 1:
		notes = append(notes, fmt.Sprintf("the checkpoint stores the tensor %.80s, which the model of its config.json does not have: it is not used", unused[0]))
	case n > 1:
		notes = append(notes, fmt.Sprintf("the checkpoint stores %d tensors (such as %.80s) that the model of its config.json does not have: they are not used", n, unused[0]))
	}
	return notes
}

// Ignorer is a design whose files hold tensors that nothing uses.
type Ignorer interface{ Ignores(name string) bool }

// buffer matches tensors of old checkpoints that are not weights: masks and
// frequencies.
var buffer = regexp.MustCompile(`\.(?:attn|attention)\.(?:bias|masked_bias)$|\.inv_freq$|\.position_ids$`)

var layerName = regexp.MustCompile(`\.(?:block|layers?|h)\.(\d+)\.`)

// otherPart matches tensors beside a language model: what reads pictures and
// sound, and what drafts tokens.
var otherPart = regexp.MustCompile(`(?:^|\.)(?:vision_tower|vision_model|vision_embedder|visual|audio_tower|embed_vision|embed_audio|multi_modal_projector|mtp)\.`)

// storedLayers counts the layers with weights in a file.
func storedLayers(set *weights.Set) int {
	n := 0
	for _, name := range set.Names() {
		m := layerName.FindStringSubmatch(name)
		if m == nil {
			continue
		}
		if i, err := strconv.Atoi(m[1]); err == nil && i >= n && !otherPart.MatchString(name) {
			n = i + 1
		}
	}
	return n
}
