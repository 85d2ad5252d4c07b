// Package modules reads the module list of a sentence-transformers checkpoint: how
// the states of the transformer are pooled, and which layers follow. It records the
// layers but runs nothing, and it does not load the transformer.
package modules

import (
	"fmt"
	"io/fs"
	"path"
	"strings"

	"inglenook/engine"
	"inglenook/pipeline/smallfile"
	"inglenook/weights"
)

// List is the module list of a sentence-transformers checkpoint: what
// happens after the transformer, in order. Source: the files that
// sentence-transformers writes (modules.json, 1_Pooling/config.json …), in the
// spellings of its versions 0.3 to 6.
type List struct {
	Stated        bool // the checkpoint says how to pool
	Pooling       []engine.PoolMode
	Pooler        bool // pool by the model's own pooler head
	ExcludePrompt bool
	Steps         []Step
	Dimension     int // of the final vector
	MaxLength     int // tokens; 0 = not said
	LowerCase     bool
	Prompts       map[string]string
	DefaultPrompt string
	Score         *LogitScore // of a language model that ranks; else nil

	options weights.Options // how the weights of steps are opened
	sets    []*weights.Set  // of the steps, to be closed
}

// Step is one module after pooling.
type Step interface {
	Record(g *engine.Graph, x *engine.Tensor) *engine.Tensor
}

// Normalize is the step that scales vectors to length 1.
type Normalize struct{}

func (Normalize) Record(g *engine.Graph, x *engine.Tensor) *engine.Tensor {
	return g.L2Normalize(x)
}

type denseStep struct {
	w, b     *engine.Tensor
	act      engine.Activation
	residual *engine.Tensor // [out, in]
	skip     bool           // adds its input
}

func (d denseStep) Record(g *engine.Graph, x *engine.Tensor) *engine.Tensor {
	y := g.Linear(x, d.w, d.b, d.act)
	switch {
	case d.residual != nil:
		return g.Add(y, g.Linear(x, d.residual, nil, engine.None))
	case d.skip:
		return g.Add(y, x)
	}
	return y
}

type layerNormStep struct{ w, b *engine.Tensor }

func (l layerNormStep) Record(g *engine.Graph, x *engine.Tensor) *engine.Tensor {
	return g.LayerNorm(x, nil, l.w, l.b, 1e-5) // torch.nn.LayerNorm's default
}

// MaxLengthOr returns the most tokens of a text, def where the checkpoint does not say.
func (m *List) MaxLengthOr(def int) int {
	if m.MaxLength > 0 {
		return m.MaxLength
	}
	return def
}

// Close frees the weights of the steps.
func (m *List) Close() {
	for _, s := range m.sets {
		s.Close()
	}
}

// Read reads the module list. Where the checkpoint has none, the result
// pools by the mean, as the reference library does, and is not "stated".
func Read(fsys fs.FS, hidden int) (*List, error) {
	return readWith(fsys, hidden, weights.Options{})
}

// Outline reads the module list without the weights of its modules.
func Outline(fsys fs.FS, hidden int) (*List, error) {
	return readWith(fsys, hidden, weights.Options{Outline: true, Imagine: "F32"})
}

func readWith(fsys fs.FS, hidden int, o weights.Options) (*List, error) {
	var list []struct{ Path, Type string }
	found, err := smallfile.JSON(fsys, "modules.json", &list)
	if err != nil {
		return nil, err
	}
	m := &List{Pooling: []engine.PoolMode{engine.PoolMean}, Dimension: hidden, options: o}
	if !found {
		if _, err := fs.Stat(fsys, "1_Pooling/config.json"); err == nil {
			list = append(list, struct{ Path, Type string }{"1_Pooling", "Pooling"})
		}
	}
	if err := m.readText(fsys); err != nil {
		return nil, err
	}
	for _, entry := range list {
		kind := entry.Type[strings.LastIndexByte(entry.Type, '.')+1:]
		dir := path.Clean(entry.Path)
		if entry.Path == "" {
			dir = "."
		}
		if !fs.ValidPath(dir) {
			m.Close()
			return nil, fmt.Errorf("modules.json: the path %q leads out of the model folder; get the checkpoint again", entry.Path)
		}
		read, known := moduleKinds[kind]
		if !known {
			m.Close()
			return nil, fmt.Errorf("modules.json: the module %q is not supported (supported: Transformer, Pooling, Dense, LayerNorm, Normalize, Dropout, LogitScore)", entry.Type)
		}
		if err := read(m, fsys, dir); err != nil {
			m.Close()
			return nil, err
		}
	}
	return m, nil
}

// moduleKinds maps the last part of a module's type.
var moduleKinds = map[string]func(*List, fs.FS, string) error{
	"Transformer": (*List).readLimits,
	"Pooling":     (*List).readPooling,
	"Dense":       (*List).readDense,
	"LayerNorm":   (*List).readLayerNorm,
	"Normalize": func(m *List, _ fs.FS, _ string) error {
		m.Steps = append(m.Steps, Normalize{})
		return nil
	},
	"Dropout":    func(*List, fs.FS, string) error { return nil }, // nothing to do when not training
	"LogitScore": (*List).readLogitScore,
}

// readText reads what concerns the text: prompts and limits.
func (m *List) readText(fsys fs.FS) error {
	var c struct {
		Prompts           map[string]string `json:"prompts"`
		DefaultPromptName string            `json:"default_prompt_name"`
	}
	if _, err := smallfile.JSON(fsys, "config_sentence_transformers.json", &c); err != nil {
		return err
	}
	m.Prompts, m.DefaultPrompt = c.Prompts, c.DefaultPromptName
	if _, ok := m.Prompts[m.DefaultPrompt]; m.DefaultPrompt != "" && !ok {
		return fmt.Errorf("config_sentence_transformers.json: the default prompt %q is not among the prompts; get the checkpoint again", m.DefaultPrompt)
	}
	return m.readLimits(fsys, ".")
}

// readLimits reads the transformer module's own settings.
func (m *List) readLimits(fsys fs.FS, dir string) error {
	for _, name := range []string{"sentence_bert_config.json", "sentence_roberta_config.json", "sentence_distilbert_config.json", "sentence_xlm-roberta_config.json", "sentence_camembert_config.json"} {
		var c struct {
			MaxSeqLength *int `json:"max_seq_length"`
			DoLowerCase  bool `json:"do_lower_case"`
		}
		found, err := smallfile.JSON(fsys, path.Join(dir, name), &c)
		if err != nil {
			return err
		}
		if !found {
			continue
		}
		if c.MaxSeqLength != nil {
			if *c.MaxSeqLength < 3 {
				return fmt.Errorf("%s: max_seq_length %d leaves no room for text; get the checkpoint again", name, *c.MaxSeqLength)
			}
			m.MaxLength = *c.MaxSeqLength
		}
		m.LowerCase = c.DoLowerCase
		return nil
	}
	return nil
}

// poolFlags are the older spelling, in the order in which the vectors of
// several modes stand side by side.
var poolFlags = []struct {
	key  string
	mode engine.PoolMode
}{
	{"pooling_mode_cls_token", engine.PoolCLS},
	{"pooling_mode_max_tokens", engine.PoolMax},
	{"pooling_mode_mean_tokens", engine.PoolMean},
	{"pooling_mode_mean_sqrt_len_tokens", engine.PoolMeanSqrtLen},
	{"pooling_mode_weightedmean_tokens", engine.PoolWeightedMean},
	{"pooling_mode_lasttoken", engine.PoolLast},
}

// poolNames are the newer spelling and the one of this program.
var poolNames = map[string]engine.PoolMode{
	"cls": engine.PoolCLS, "max": engine.PoolMax, "mean": engine.PoolMean,
	"mean_sqrt_len_tokens": engine.PoolMeanSqrtLen, "mean_sqrt_len": engine.PoolMeanSqrtLen,
	"weightedmean": engine.PoolWeightedMean, "weighted_mean": engine.PoolWeightedMean,
	"lasttoken": engine.PoolLast, "last": engine.PoolLast,
}

func (m *List) readPooling(fsys fs.FS, dir string) error {
	name := path.Join(dir, "config.json")
	var c map[string]any
	found, err := smallfile.JSON(fsys, name, &c)
	if err != nil {
		return err
	}
	if !found {
		return fmt.Errorf("%s is missing, so how to pool is unknown; get the checkpoint again", name)
	}
	var modes []engine.PoolMode
	switch v := c["pooling_mode"].(type) {
	case string:
		modes, err = PoolModes([]string{v})
	case []any:
		names := make([]string, len(v))
		for i := range v {
			names[i], _ = v[i].(string)
		}
		modes, err = PoolModes(names)
	default:
		for _, f := range poolFlags {
			if on, _ := c[f.key].(bool); on {
				modes = append(modes, f.mode)
			}
		}
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	for key, v := range c {
		if on, _ := v.(bool); on && strings.HasPrefix(key, "pooling_mode_") && !knownPoolFlag(key) {
			return fmt.Errorf("%s: the pooling mode %q is not supported", name, key)
		}
	}
	if len(modes) == 0 {
		modes = []engine.PoolMode{engine.PoolMean} // the reference library's own default
	}
	include, given := c["include_prompt"].(bool)
	m.ExcludePrompt = given && !include
	if m.ExcludePrompt {
		for _, mode := range modes {
			if mode == engine.PoolWeightedMean {
				return fmt.Errorf("%s: weighted_mean pooling without the prompt is not supported", name)
			}
		}
	}
	m.Pooling, m.Stated = modes, true
	m.Dimension *= len(modes)
	return nil
}

func knownPoolFlag(key string) bool {
	for _, f := range poolFlags {
		if f.key == key {
			return true
		}
	}
	return false
}

// PoolModes returns the pooling modes of these names; the error about an unknown name
// lists those that are known.
func PoolModes(names []string) ([]engine.PoolMode, error) {
	modes := make([]engine.PoolMode, 0, len(names))
	for _, n := range names {
		mode, ok := poolNames[n]
		if !ok {
			return nil, fmt.Errorf("the pooling mode %q is not known; there are cls, mean, max, last, mean_sqrt_len, weighted_mean and pooler", n)
		}
		modes = append(modes, mode)
	}
	return modes, nil
}

// torchActivations maps the class names that Dense modules store.
var torchActivations = map[string]engine.Activation{
	"": engine.Tanh, "Tanh": engine.Tanh, "Identity": engine.None, "GELU": engine.GELU, "ReLU": engine.ReLU,
	"SiLU": engine.SiLU, "Sigmoid": engine.Sigmoid,
}

// Activation returns the activation function of a torch class, such as
// "torch.nn.modules.activation.Tanh"; "" is Tanh.
func Activation(class string) (engine.Activation, error) {
	a, ok := torchActivations[class[strings.LastIndexByte(class, '.')+1:]]
	if !ok {
		return 0, fmt.Errorf("the activation function %q is not supported", class)
	}
	return a, nil
}

func (m *List) readDense(fsys fs.FS, dir string) error {
	name := path.Join(dir, "config.json")
	c := struct {
		In         int    `json:"in_features"`
		Out        int    `json:"out_features"`
		Bias       *bool  `json:"bias"`
		Activation string `json:"activation_function"`
		Input      string `json:"module_input_name"`
		Residual   bool   `json:"use_residual"`
	}{}
	found, err := smallfile.JSON(fsys, name, &c)
	switch {
	case err != nil:
		return err
	case !found:
		return fmt.Errorf("%s is missing; get the checkpoint again", name)
	case c.In != m.Dimension || c.Out < 1 || c.Out > 1<<20:
		return fmt.Errorf("%s: a dense layer from %d to %d does not follow vectors of %d", name, c.In, c.Out, m.Dimension)
	case c.Input != "" && c.Input != "sentence_embedding":
		return fmt.Errorf("%s: a dense layer on %q is not supported", name, c.Input)
	}
	act, err := Activation(c.Activation)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	scope, err := m.open(fsys, dir)
	if err != nil {
		return err
	}
	d := denseStep{w: scope.Matrix("linear.weight", c.Out, c.In), act: act, skip: c.Residual && c.In == c.Out}
	if c.Bias == nil || *c.Bias {
		d.b = scope.Vector("linear.bias", c.Out)
	}
	if c.Residual && c.In != c.Out {
		d.residual = scope.Matrix("residual.weight", c.Out, c.In)
	}
	m.Steps, m.Dimension = append(m.Steps, d), c.Out
	return scope.Err()
}

func (m *List) readLayerNorm(fsys fs.FS, dir string) error {
	scope, err := m.open(fsys, dir)
	if err != nil {
		return err
	}
	m.Steps = append(m.Steps, layerNormStep{scope.Vector("norm.weight", m.Dimension), scope.Vector("norm.bias", m.Dimension)})
	return scope.Err()
}

// open opens the weights of a module's own folder.
func (m *List) open(fsys fs.FS, dir string) (*weights.Scope, error) {
	sub, err := fs.Sub(fsys, dir)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	set, err := weights.Open(sub, m.options)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	m.sets = append(m.sets, set)
	return set.Scope(), nil
}
