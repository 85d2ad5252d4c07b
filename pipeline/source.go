package pipeline

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"strings"

	"inglenook/engine"
	"inglenook/models"
	"inglenook/pipeline/modules"
	"inglenook/pipeline/pictures"
	"inglenook/pipeline/words"
	"inglenook/weights"
)

// source is an open checkpoint: a folder with config.json and its weights, or a
// GGUF file, which describes itself.
type source struct {
	folder fs.FS
	config models.Config
	// pictures: the half that reads pictures is opened, not the one that reads texts.
	pictures bool
	set      *weights.Set
}

// openSource opens config and weights of a checkpoint. file is a certain weights
// file of the folder, or empty. With an error comes the config, if it was read.
func openSource(folder fs.FS, file string, quantize engine.DType) (s source, err error) {
	return openSourceFor(folder, file, quantize, "")
}

// openSourceFor opens a checkpoint for one of its tasks; "" is its usual one.
func openSourceFor(folder fs.FS, file string, quantize engine.DType, task string) (s source, err error) {
	s.folder = folder
	self := weights.DescribesItself(folder, file)
	if !self {
		if s.config, err = readConfig(folder); err != nil {
			return s, err
		}
	}
	if s.config, err = s.config.For(task); err != nil {
		return s, err
	}
	s.pictures = s.config.PicturesOnly
	if s.set, err = weights.Open(folder, weights.Options{File: file, Quantize: quantize, Packing: s.config.Packing, Adapter: s.config.Adapter, Ahead: true}); err != nil {
		return s, err
	}
	if s.config.Adapter != nil && !s.set.Adapted() {
		if task != "" {
			return s, errors.Join(fmt.Errorf("the weights of this model have nothing for its task %.40q; leave the task out, or get the model again", task), s.set.Close())
		}
		s.config.Adapter, s.config.Tasks = nil, nil
		s.config.Notes = append(s.config.Notes, "config.json names tasks and the weights have nothing for them, so texts are read in the same way for each")
	}
	if self {
		if s.config, err = configFromGGUF(s.set); err != nil {
			return s, errors.Join(err, s.set.Close())
		}
	}
	return s, nil
}

// configFromGGUF reads the config of a GGUF file.
func configFromGGUF(set *weights.Set) (models.Config, error) {
	c, err := models.ConfigFromGGUF(set.Meta())
	if err != nil {
		return c, err
	}
	return models.WithTensors(c, set)
}

// modules reads the module list: that of the folder or, where it has none that states how to
// pool, what the family does or the metadata of a GGUF file say.
func (s source) modules(checkpoint fs.FS) (*modules.List, error) {
	return s.stated(modules.Read(checkpoint, s.config.Hidden))
}

// outlineModules is modules without the weights of the modules.
func (s source) outlineModules(checkpoint fs.FS) (*modules.List, error) {
	return s.stated(modules.Outline(checkpoint, s.config.Hidden))
}

func (s source) stated(m *modules.List, err error) (*modules.List, error) {
	if err != nil || m.Stated {
		return m, err
	}
	if !s.config.Causal && s.config.Head == models.Pooled { // vectors are what it is made for
		m.Pooling, m.Pooler, m.Stated = nil, true, true
		m.Dimension = cmp.Or(s.config.Width, m.Dimension)
		return m, nil
	}
	if s.set.Meta() == nil {
		return m, nil
	}
	if err := m.FromGGUF(s.set.Meta()); err != nil {
		m.Close()
		return nil, err
	}
	return m, nil
}

// look returns how the checkpoint wants pictures.
func (s source) look() (pictures.Processor, error) {
	usual := pictures.CLIP(s.config.Picture)
	if strings.HasPrefix(s.config.ModelType, "siglip") {
		usual = pictures.SigLIP(s.config.Picture)
	}
	return pictures.Open(s.folder, usual)
}

// match reads how the checkpoint judges whether a picture belongs to a text; nil if it does not say.
func (s source) match() (*Match, error) {
	w := s.set.Scope()
	if !w.Has("logit_scale") || !w.Has("logit_bias") {
		return nil, nil
	}
	m := &Match{Scale: math.Exp(float64(w.Scalar("logit_scale"))), Bias: float64(w.Scalar("logit_bias"))}
	return m, w.Err()
}

// errPicturesOnly refuses texts for a model that reads pictures alone.
func errPicturesOnly(c models.Config) error {
	return fmt.Errorf("%s reads pictures and no texts here; embed --image gives their vectors, and a CLIP model with both halves compares them with texts", c.Architecture)
}

// words returns what the checkpoint says about text.
func (s source) words() words.Words { return words.Of(s.folder, s.set.Meta()) }

func (s source) close() error { return s.set.Close() }
