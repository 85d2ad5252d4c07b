package pipeline

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"inglenook/engine"
	"inglenook/models"
	"inglenook/pipeline/decoding"
	"inglenook/pipeline/judge"
	"inglenook/pipeline/memory"
	"inglenook/pipeline/modules"
	"inglenook/pipeline/placement"
	"inglenook/pipeline/smallfile"
	"inglenook/weights"
)

// OutlineOptions say how a checkpoint would be opened; they are those of
// [GeneratorOptions] and, as far as it has them, [EmbedderOptions].
type OutlineOptions struct {
	WeightsFile string
	Hold
	// Type asks about the model of config.json with matrices of this type, such as
	// "F16" or "Q4_K", whatever its weights are; Format is then the format that
	// holds them: "safetensors" or "gguf".
	Type, Format string
}

// Outline describes a checkpoint by its headers, or by config.json alone: which
// operations it consists of, and how much memory it takes. It cannot compute
// anything.
type Outline struct {
	Architecture string
	Format       string // "safetensors" or "gguf"
	DType        string // of most weights: "F32", "Q4_K" …
	Parameters   int64
	WeightBytes  int64 // as in the files
	Context      int   // tokens
	Writes       bool  // a language model that is not made for embedding or ranking
	Uses         []Use // what becomes of each use
	Notes        []string

	source  source
	kv      engine.DType
	decoder models.Decoder // of a model that writes

	sequences int      // that it would write at once
	enc       *encoder // of one that reads, without tokenizer
	reads     recorder
	mods      *modules.List
}

// OpenOutline reads headers. Its error is the reason, in one sentence, for which
// the model cannot run here at all.
func OpenOutline(checkpoint fs.FS, o OutlineOptions) (*Outline, error) {
	x := &Outline{}
	if err := x.open(checkpoint, o); err != nil {
		return nil, errors.Join(err, x.Close())
	}
	return x, nil
}

func (x *Outline) open(checkpoint fs.FS, o OutlineOptions) (err error) {
	if x.kv, err = cacheType(o.KV); err != nil {
		return err
	}
	quantize, err := weightType(o.Weights)
	if err != nil {
		return err
	}
	x.sequences = o.Sequences
	root, err := transformerRoot(checkpoint)
	if err != nil {
		return err
	}
	var note string
	if o.Type != "" {
		x.source, err = supposed(root, o.Type, o.Format, quantize)
	} else {
		x.source, note, err = openOutlined(root, o.WeightsFile, quantize)
	}
	if err != nil {
		return err
	}
	c := x.source.config
	mods, err := x.source.outlineModules(checkpoint)
	if err != nil {
		return err
	}
	mods.Close()
	x.Uses = usesOf(x.source, checkpoint, mods)
	form, ranks := x.source.form(mods, "")
	x.Architecture, x.Writes = c.Architecture, c.Causal && (!mods.Stated || c.TextToText) && ranks != nil
	if x.Writes && c.Headless {
		return errHeadless(c)
	}
	if x.Writes {
		err = x.openDecoder(o)
	} else {
		err = x.openEncoder(checkpoint, o, form)
	}
	if err != nil {
		return err
	}
	x.Parameters, x.WeightBytes, x.DType = measure(x.source.set)
	if x.Format = "safetensors"; x.source.set.Meta() != nil {
		x.Format = "gguf"
	}
	if note != "" {
		x.Notes = append(x.Notes, note)
	}
	x.Notes = slices.Concat(x.Notes, x.source.config.Notes, x.source.set.Notes())
	return nil
}

func (x *Outline) openDecoder(o OutlineOptions) (err error) {
	if x.decoder, err = models.LoadDecoder(x.source.config, x.source.set); err != nil {
		return err
	}
	x.source.config = x.decoder.Config()
	x.Context, err = contextFor(o.Context, x.source.config.MaxTokens)
	return err
}

// openEncoder opens a model that reads. form is that of a language model that ranks.
func (x *Outline) openEncoder(checkpoint fs.FS, o OutlineOptions, form judge.Form) (err error) {
	if x.enc, err = newEncoder(x.source, placement.NewList(nil, nil), 0); err != nil {
		x.source.set = nil // which the encoder closed
		return err
	}
	x.source.config = x.enc.config
	c := x.source.config
	if x.mods, err = x.source.outlineModules(checkpoint); err != nil {
		return err
	}
	x.reads = (&embedder{enc: x.enc, mods: x.mods}).record(0)
	if c.Head == models.Logits || c.Head == models.Marks {
		x.reads = func(g *engine.Graph, b models.Batch) *engine.Tensor { return x.enc.model.Forward(g, b, c.Head) }
	}
	if form.Parts != nil {
		x.reads = func(g *engine.Graph, b models.Batch) *engine.Tensor {
			return recordAnswer(g, b, x.enc.reader, nil)
		}
	}
	most := longest(c.MaxTokens, x.mods.MaxLength, form.MaxLength)
	if o.Context > most {
		return fmt.Errorf("this model reads texts of at most %d tokens, and %d are asked for; choose fewer", most, o.Context)
	}
	x.Context = longest(most, o.Context)
	return nil
}

// Needs returns the memory that a checkpoint would take on the backends. No weight
// is read for that.
func Needs(checkpoint fs.FS, bs []engine.Backend, o OutlineOptions) (memory.Needs, error) {
	x, err := OpenOutline(checkpoint, o)
	if err != nil {
		return memory.Needs{}, err
	}
	defer x.Close()
	fit, err := x.On(bs, 0)
	return fit.Memory, err
}

// Close frees what the outline holds.
func (x *Outline) Close() error {
	if x.mods != nil {
		x.mods.Close()
	}
	if x.source.set == nil {
		return nil
	}
	return x.source.close()
}

// openOutlined opens a checkpoint, or the parts of it that are there. If some
// are missing, note says which.
func openOutlined(folder fs.FS, file string, quantize engine.DType) (s source, note string, err error) {
	s, whole := openSource(folder, file, quantize)
	if whole == nil {
		return s, "", nil
	}
	o := weights.Options{File: file, Quantize: quantize, Outline: true, Ahead: true}
	s = source{folder: folder}
	self := weights.DescribesItself(folder, file)
	if !self {
		if s.config, err = readConfig(folder); err != nil {
			return s, "", err
		}
		o.Packing, o.Adapter = s.config.Packing, s.config.Adapter
		if o.Imagine, err = configType(folder, s.config); err != nil {
			return s, "", err
		}
	}
	if s.set, err = weights.Open(folder, o); err != nil {
		return s, "", err
	}
	if self {
		s.config, err = configFromGGUF(s.set)
	}
	return s, whole.Error(), err
}

// supposed is the model of config.json with matrices of a type in a format.
func supposed(folder fs.FS, dtype, format string, quantize engine.DType) (s source, err error) {
	s.folder = folder
	if s.config, err = readConfig(folder); err != nil {
		return s, err
	}
	if s.config.GGUF = format == "gguf"; s.config.GGUF && !models.InGGUF(s.config.Architecture) {
		return s, fmt.Errorf("%s is not read from GGUF files: choose a safetensors revision", s.config.Architecture)
	}
	s.set = weights.Imagine(dtype, quantize)
	return s, nil
}

// configType returns the type of the weights that config.json states. It is
// used where there are no weights to ask.
func configType(folder fs.FS, config models.Config) (string, error) {
	var c struct {
		Old any `json:"torch_dtype"`
		New any `json:"dtype"`
	}
	if _, err := smallfile.JSON(folder, "config.json", &c); err != nil {
		return "", err
	}
	if config.Quantized != "" {
		return "", models.QuantizedError(config.Quantized)
	}
	stated := c.Old
	if stated == nil {
		stated = c.New
	}
	name, isText := stated.(string)
	if stated == nil || isText && (name == "" || name == "auto") {
		return "F32", nil
	}
	t, known := weights.StoredType(name)
	if !known {
		return "", fmt.Errorf("config.json says that the weights are of the type %.40q, which this version cannot compute with: choose a revision with F32, F16 or BF16 weights", fmt.Sprint(stated))
	}
	if config.Packing == nil {
		return t, nil
	}
	scales := t
	if config.Packing.Usual.Mode == "mxfp4" {
		scales = "U8"
	}
	read, _ := config.Packing.Usual.Stored(scales)
	return read.FileName(), nil
}

// Fit is how a model fits a list of devices.
type Fit struct {
	Report engine.Report // where each operation of a pass runs
	Memory memory.Needs
}

// On asks the backends, best first and the CPU last, which operations they
// would run in a pass of the open model. It reads no weights and computes
// nothing. If the model needs more memory than the available bytes (0 = unknown),
// experts that need not be in memory are not counted.
func (x *Outline) On(bs []engine.Backend, available int64) (Fit, error) {
	if x.decoder == nil {
		return x.encoderOn(bs)
	}
	p, err := decoding.NewDecoder(x.decoder, x.kv, x.Context, min(defaultChunkTokens, x.Context), placement.NewList(bs, nil))
	if err != nil {
		return Fit{}, err
	}
	defer p.Close()
	if !p.Alone() {
		if err := p.Sequences(min(x.sequences, decoding.MostSequences)); err != nil {
			return Fit{}, err
		}
	}
	if err := p.Divide(); err != nil {
		return Fit{}, err
	}
	memory, report, err := p.Needs()
	if err != nil {
		return Fit{}, err
	}
	if spared, short := p.Spare(memory, available); short == nil {
		memory = spared
		p.Keep()
	}
	p.Record(0, []int32{0}, 1)
	single, err := p.Graph.Coverage(p.List.Backends...)
	return Fit{worse(report, single), memory}, err
}

func (x *Outline) encoderOn(bs []engine.Backend) (Fit, error) {
	x.enc.on = placement.NewList(bs, nil)
	longest := x.Context
	if x.enc.reader != nil {
		longest = min(longest, x.enc.passTokens()) // a longer text asks for its own memory when it comes
	}
	if err := x.enc.divide(x.reads, longest); err != nil {
		return Fit{}, err
	}
	memory, report, err := x.enc.needs(x.reads, longest)
	if err != nil {
		return Fit{}, err
	}
	if _, err := x.enc.record(fullBatch(1, 1), x.reads); err != nil {
		return Fit{}, err
	}
	single, err := x.enc.graph.Coverage(x.enc.on.Backends...)
	return Fit{worse(report, single), memory}, err
}

// worse joins the reports of two passes that differ only in their sizes. For
// each operation it takes the placement that more devices refused.
func worse(a, b engine.Report) engine.Report {
	if len(a.Placements) != len(b.Placements) {
		return a
	}
	all := append([]engine.Placement(nil), a.Placements...)
	for i, p := range b.Placements {
		if len(p.Refused) > len(all[i].Refused) {
			all[i] = p
		}
	}
	a.Placements, a.Handovers = all, max(a.Handovers, b.Handovers)
	return a
}

// Fits reports whether so many bytes suffice (0 = unknown): nil, or what to do.
func (f Fit) Fits(available int64, context int) error { return f.Memory.Fits(available, context) }
