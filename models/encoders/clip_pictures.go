package encoders

import (
	"bytes"
	"cmp"
	"fmt"
	"io"

	"inglenook/engine"
	"inglenook/models/family"
	"inglenook/models/nn"
	"inglenook/weights"
)

// The tower of CLIP that reads pictures (Dosovitskiy et al. 2020, arXiv:2010.11929): squares of
// a picture are what words are to a text. A row before them stands for the whole.

// clipView is the config of the tower for pictures; the zero value: there is none.
type clipView struct {
	size, patch                         int // pixels of a picture's side, and of a square's
	hidden, layers, heads, intermediate int
	epsilon                             float32
	activation                          engine.Activation
}

// readCLIPView reads vision_config, with the reference library's sizes where it states none.
func readCLIPView(f *family.Fields) (v clipView) {
	in, done := f.In("vision_config")
	defer done()
	if in.Values == nil {
		return v
	}
	v = clipView{
		size:         in.SizeOr(224, 1<<12, "image_size"),
		patch:        in.SizeOr(32, 1<<12, "patch_size"),
		hidden:       in.SizeOr(768, family.MaxHidden, "hidden_size"),
		layers:       in.SizeOr(12, family.MaxLayers, "num_hidden_layers"),
		heads:        in.SizeOr(12, family.MaxHidden, "num_attention_heads"),
		intermediate: in.SizeOr(3072, family.MaxInner, "intermediate_size"),
		epsilon:      in.Epsilon(1e-5, "layer_norm_eps"),
		activation:   in.ActivationOr(engine.QuickGELU, "hidden_act"),
	}
	least := min(v.size, v.patch, v.hidden, v.layers, v.heads, v.intermediate)
	in.Refuse(least == 0, "a size of the half that reads pictures is 0")
	in.Refuse(least > 0 && (v.hidden%v.heads != 0 || v.size < v.patch), "the sizes of the half that reads pictures do not fit each other")
	in.Refuse(in.SizeOr(3, 1<<10, "num_channels") != 3, "only pictures of 3 colours are supported")
	return v
}

// clipPictures is the network from pixels to states.
type clipPictures struct {
	config        family.Config
	view          clipView
	squares       *engine.Tensor // [hidden, 3·patch·patch]
	whole, places nn.Embedding   // [2, hidden], of which the second row is 0, and [1+squares, hidden]
	before, after nn.LayerNorm   // [1, hidden]
	layers        nn.Stack
	vector        nn.Linear // [width, hidden]
}

// LoadPictures builds the half of a checkpoint that reads pictures. Its Model reads the pixels
// of a batch; without any, pictures are all zeros.
func LoadPictures(c family.Config, set *weights.Set) (Model, error) {
	d, ok := c.Design.(clipDesign)
	if !ok || d.view.size == 0 {
		return nil, fmt.Errorf("%s reads no pictures; choose a CLIP model", cmp.Or(c.Architecture, c.ModelType))
	}
	v := d.view
	b := nn.NewBuilder(set.Scope(), c.GGUF)
	at := b.In("vision_model")
	c.Hidden, c.Layers, c.Heads, c.Intermediate, c.Epsilon, c.Activation = v.hidden, v.layers, v.heads, v.intermediate, v.epsilon, v.activation
	c.MaxTokens = v.rows()
	m := &clipPictures{
		config: c, view: v,
		squares: at.Matrix("embeddings.patch_embedding.weight", v.hidden, 3*v.patch*v.patch),
		whole:   onlyFirst(at.Vector("embeddings.class_embedding", v.hidden)),
		places:  nn.NewEmbedding(at, "embeddings.position_embedding", v.rows(), v.hidden),
		before:  nn.NewLayerNorm(at, "pre_layrnorm", v.hidden, v.epsilon),
		after:   nn.NewLayerNorm(at, "post_layernorm", v.hidden, v.epsilon),
		vector:  nn.NewProjection(b, "visual_projection", d.projection, v.hidden, false),
	}
	for i := range v.layers {
		m.layers = append(m.layers, newCLIPLayer(c, at.In(fmt.Sprintf("encoder.layers.%d", i))))
	}
	if err := b.Err(); err != nil {
		return nil, c.Refused(err)
	}
	return m, nil
}

// rows is how many rows a picture has: its squares, and one for the whole.
func (v clipView) rows() int { return 1 + (v.size/v.patch)*(v.size/v.patch) }

// Config implements Model.
func (m *clipPictures) Config() family.Config { return m.config }

// Has implements Model.
func (m *clipPictures) Has(out family.Output) bool { return out != family.Logits }

// Forward implements Model: one picture for each text of the batch.
func (m *clipPictures) Forward(g *engine.Graph, b family.Batch, out family.Output) *engine.Tensor {
	if !m.Has(out) {
		return g.Fail(fmt.Errorf("the half of %s that reads pictures has no %s output", m.config.Architecture, out))
	}
	n, per := len(b.Starts)-1, m.view.rows()
	if pixels := n * 3 * m.view.size * m.view.size; b.Pixels != nil && len(b.Pixels) != pixels {
		return g.Fail(fmt.Errorf("%d pictures have %d values instead of %d", n, len(b.Pixels), pixels))
	}
	t := nn.Texts{Starts: []int32{0}}
	kinds := make([]int32, 0, n*per) // the row of the table that adds the whole
	for range n {
		if out != family.Hidden {
			t.Wanted = append(t.Wanted, int32(len(kinds)))
		}
		for i := range per {
			kinds, t.Positions = append(kinds, int32(min(i, 1))), append(t.Positions, int32(i))
		}
		t.Starts = append(t.Starts, int32(len(kinds)))
	}
	t.Tokens = kinds
	p := nn.NewTextsPass(g, t)
	x := g.Linear(g.Floats("pixels", n*per, m.view.cut(b.Pixels, n)), m.squares, nil, engine.None) // [rows, hidden]
	x = m.before.ForwardSum(g, x, g.Add(m.whole.Forward(g, p.Tokens), m.places.Forward(g, p.Positions)))
	x = m.layers.Forward(p, x) // [rows, hidden] or [pictures, hidden]
	if out != family.Pooled {
		return x
	}
	return m.vector.Forward(g, m.after.Forward(g, x)) // [pictures, width]
}

// cut returns the squares of n pictures as rows of 3·patch·patch values, with a row of zeros
// before those of each picture.
func (v clipView) cut(pixels []float32, n int) []float32 {
	wide, side := 3*v.patch*v.patch, v.size/v.patch
	out := make([]float32, n*v.rows()*wide)
	if pixels == nil {
		return out
	}
	for i := range n {
		for s := range side * side {
			row := out[(i*v.rows()+1+s)*wide:]
			for k := range 3 * v.patch {
				colour, y := k/v.patch, s/side*v.patch+k%v.patch
				from := ((i*3+colour)*v.size+y)*v.size + s%side*v.patch
				copy(row[k*v.patch:(k+1)*v.patch], pixels[from:])
			}
		}
	}
	return out
}

// onlyFirst returns a table of a vector [1, n] and a row of zeros.
func onlyFirst(w *engine.Tensor) nn.Embedding {
	var rows io.ReaderAt // nil: an outline has no data
	if src := w.Source(); src != nil {
		rows = withZeros{src, int64(w.Bytes())}
	}
	return nn.Embedding{Table: engine.NewWeight(w.Name, w.DType, 2, w.Cols, rows)}
}

// withZeros reads zeros behind the end of a source of so many bytes.
type withZeros struct {
	src  io.ReaderAt
	size int64
}

// ReadAt implements io.ReaderAt.
func (z withZeros) ReadAt(p []byte, off int64) (n int, err error) {
	if off < z.size {
		part := p[:min(int64(len(p)), z.size-off)]
		if n, err = z.src.ReadAt(part, off); n < len(part) {
			return n, err
		}
	}
	rest := p[n:min(int64(len(p)), max(2*z.size-off, 0))]
	copy(rest, bytes.Repeat([]byte{0}, len(rest)))
	if n += len(rest); n < len(p) {
		return n, io.EOF
	}
	return n, nil
}
