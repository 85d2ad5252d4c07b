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
	siglip                              bool // no row stands for the whole; an attention pools the squares
}

// readCLIPView reads vision_config, with the reference library's sizes where it states none.
func readCLIPView(f *family.Fields) clipView {
	in, done := f.In("vision_config")
	defer done()
	if in.Values == nil {
		return clipView{}
	}
	return clipSizes(in, clipView{patch: 32, epsilon: 1e-5, activation: engine.QuickGELU})
}

// clipSizes reads the sizes of a tower for pictures; usual has those that differ between families.
func clipSizes(in *family.Fields, usual clipView) clipView {
	v := clipView{
		size:         in.SizeOr(224, 1<<12, "image_size"),
		patch:        in.SizeOr(usual.patch, 1<<12, "patch_size"),
		hidden:       in.SizeOr(768, family.MaxHidden, "hidden_size"),
		layers:       in.SizeOr(12, family.MaxLayers, "num_hidden_layers"),
		heads:        in.SizeOr(12, family.MaxHidden, "num_attention_heads"),
		intermediate: in.SizeOr(3072, family.MaxInner, "intermediate_size"),
		epsilon:      in.Epsilon(float64(usual.epsilon), "layer_norm_eps"),
		activation:   in.ActivationOr(usual.activation, "hidden_act"),
		siglip:       usual.siglip,
	}
	least := min(v.size, v.patch, v.hidden, v.layers, v.heads, v.intermediate)
	in.Refuse(least == 0, "a size of the half that reads pictures is 0")
	in.Refuse(least > 0 && (v.hidden%v.heads != 0 || v.size < v.patch), "the sizes of the half that reads pictures do not fit each other")
	in.Refuse(in.SizeOr(3, 1<<10, "num_channels") != 3, "only pictures of 3 colours are supported")
	return v
}

// readCLIPVision reads a checkpoint with the tower for pictures alone.
func readCLIPVision(f *family.Fields) family.Config {
	v := clipSizes(f, clipView{patch: 32, epsilon: 1e-5, activation: engine.QuickGELU})
	if f.Architecture() == "CLIPVisionModel" {
		return v.alone(0)
	}
	return v.alone(f.SizeOr(512, family.MaxHidden, "projection_dim"))
}

// alone is the config of a model that has nothing but the tower. Its vectors have so many
// columns; 0: as many as the states.
func (v clipView) alone(projection int) family.Config {
	return family.Config{
		Hidden: v.hidden, Layers: v.layers, Heads: max(1, v.heads), Intermediate: v.intermediate, Epsilon: v.epsilon, Activation: v.activation,
		MaxTokens: max(1, v.rows()), Positions: v.rows(), Head: family.Pooled, Width: projection, Picture: v.size, PicturesOnly: true,
		Design: clipDesign{projection: projection, view: v},
	}
}

// clipPictures is the network from pixels to states.
type clipPictures struct {
	config        family.Config
	view          clipView
	squares, bias *engine.Tensor // [hidden, 3·patch·patch], [1, hidden] or nil
	whole, places nn.Embedding   // [2, hidden], of which the second row is 0, or nothing; [rows, hidden]
	before, after nn.LayerNorm   // [1, hidden]; SigLIP has none before the layers
	layers        nn.Stack
	vector        *nn.Linear // [width, hidden]; nil: the states are the vectors
	pool          *siglipPool
}

// viewer is a design with a half that reads pictures, and the columns of its projection, 0: none.
type viewer interface{ pictures() (clipView, int) }

// LoadPictures builds the half of a checkpoint that reads pictures. Its Model reads the pixels
// of a batch; without any, pictures are all zeros.
func LoadPictures(c family.Config, set *weights.Set) (Model, error) {
	d, ok := c.Design.(viewer)
	if !ok || c.Picture == 0 {
		return nil, fmt.Errorf("%s reads no pictures; choose a CLIP or SigLIP model", cmp.Or(c.Architecture, c.ModelType))
	}
	v, projection := d.pictures()
	b := nn.NewBuilder(set.Scope(), c.GGUF)
	at := body(b, "embeddings.position_embedding", "vision_model")
	c.Hidden, c.Layers, c.Heads, c.Intermediate, c.Epsilon, c.Activation = v.hidden, v.layers, v.heads, v.intermediate, v.epsilon, v.activation
	c.MaxTokens = v.rows()
	m := &clipPictures{
		config: c, view: v,
		squares: at.Matrix("embeddings.patch_embedding.weight", v.hidden, 3*v.patch*v.patch),
		places:  nn.NewEmbedding(at, "embeddings.position_embedding", v.rows(), v.hidden),
		after:   nn.NewLayerNorm(at, "post_layernorm", v.hidden, v.epsilon),
	}
	if v.siglip {
		m.bias, m.pool = at.Vector("embeddings.patch_embedding.bias", v.hidden), newSigLIPPool(c, at.In("head"))
	} else {
		m.whole = onlyFirst(at.Vector("embeddings.class_embedding", v.hidden))
		m.before = nn.NewLayerNorm(at, "pre_layrnorm", v.hidden, v.epsilon)
	}
	if projection > 0 {
		l := nn.NewProjection(b, "visual_projection", projection, v.hidden, false)
		m.vector = &l
	}
	for i := range v.layers {
		m.layers = append(m.layers, newCLIPLayer(c, at.In(fmt.Sprintf("encoder.layers.%d", i))))
	}
	if err := b.Err(); err != nil {
		return nil, c.Refused(err)
	}
	return m, nil
}

// rows is how many rows a picture has: its squares, and in CLIP one for the whole.
func (v clipView) rows() int {
	side := v.size / max(1, v.patch)
	return v.wholes() + side*side
}

func (v clipView) wholes() int {
	if v.siglip {
		return 0
	}
	return 1
}

// Config implements Model.
func (m *clipPictures) Config() family.Config { return m.config }

// Has implements Model.
func (m *clipPictures) Has(out family.Output) bool { return out <= family.Pooled }

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
	var firsts []int32
	for range n {
		firsts = append(firsts, int32(len(kinds)))
		for i := range per {
			kinds, t.Positions = append(kinds, int32(min(i, m.view.wholes()))), append(t.Positions, int32(i))
		}
		t.Starts = append(t.Starts, int32(len(kinds)))
	}
	if out != family.Hidden && !m.view.siglip {
		t.Wanted = firsts
	}
	t.Tokens = kinds
	p := nn.NewTextsPass(g, t)
	x := g.Linear(g.Floats("pixels", n*per, m.view.cut(b.Pixels, n)), m.squares, m.bias, engine.None) // [rows, hidden]
	places := m.places.Forward(g, p.Positions)
	if m.view.siglip {
		x = m.after.Forward(g, m.layers.Forward(p, g.Add(x, places))) // [rows, hidden]
		switch out {
		case family.Pooled:
			return m.pool.Forward(p, x, firsts) // [pictures, hidden]
		case family.First:
			return g.Rows(x, g.Ints("first squares", firsts))
		}
		return x
	}
	x = m.before.ForwardSum(g, x, g.Add(m.whole.Forward(g, p.Tokens), places))
	x = m.layers.Forward(p, x) // [rows, hidden] or [pictures, hidden]
	if out != family.Pooled {
		return x
	}
	x = m.after.Forward(g, x)
	if m.vector != nil {
		x = m.vector.Forward(g, x)
	}
	return x // [pictures, width]
}

// cut returns the squares of n pictures as rows of 3·patch·patch values, in CLIP with a row of
// zeros before those of each picture.
func (v clipView) cut(pixels []float32, n int) []float32 {
	wide, side := 3*v.patch*v.patch, v.size/v.patch
	out := make([]float32, n*v.rows()*wide)
	if pixels == nil {
		return out
	}
	for i := range n {
		for s := range side * side {
			row := out[(i*v.rows()+v.wholes()+s)*wide:]
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
