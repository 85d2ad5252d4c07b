package models

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"inglenook/filenames"
	"inglenook/models/decoders"
	"inglenook/models/encoders"
	"inglenook/models/family"
	"inglenook/weights"
	"inglenook/weights/gguf"
)

// ConfigFromGGUF reads the metadata of a GGUF file as ParseConfig reads
// config.json. LoadDecoder takes what they omit from the tensors: which layers
// have biases, whether the head is tied, the factors that stretch positions. What
// an encoder's omit is WithTensors' part.
func ConfigFromGGUF(meta *gguf.Meta) (Config, error) {
	if part := partOf(meta); part != "" {
		return Config{}, fmt.Errorf("the file holds %s, and no model that could run by itself: open the model's main file", part)
	}
	arch, err := meta.String("general.architecture")
	if err != nil {
		return Config{}, err
	}
	if a, ok := encoders.GGUF[arch]; ok {
		return encoderFromGGUF(meta, arch, a)
	}
	a, ok := decoders.GGUF[arch]
	if !ok {
		if part := family.NotYet(arch); part != "" {
			return Config{}, fmt.Errorf("the GGUF file holds a model of the architecture %q, which has %s, and this version does not support those yet; supported are %s", arch, part, supportedGGUF())
		}
		return Config{}, fmt.Errorf("the GGUF file holds a model of the architecture %q, which is not supported; supported are %s", arch, supportedGGUF())
	}
	r := family.NewMetadata(meta, arch, a.Mixture)
	r.Common()
	r.Writes()
	if a.More != nil {
		a.More(r)
	}
	if r.Fields.Err != nil {
		return Config{}, r.Fields.Err
	}
	f, name, err := familyOf(a.Architectures[0], "")
	if err != nil {
		return Config{}, err
	}
	c := f.Read(r.Fields)
	c.Architecture, c.ModelType, c.GGUF = name, arch, true
	return c.FinishDecoder(r.Fields), r.Fields.Err
}

// encoderFromGGUF is ConfigFromGGUF for a model that reads.
func encoderFromGGUF(meta *gguf.Meta, arch string, a encoders.GGUFEntry) (Config, error) {
	r := family.NewMetadata(meta, arch, a.Mixture)
	r.Common()
	r.Reads()
	a.More(r)
	if r.Fields.Err != nil {
		return Config{}, r.Fields.Err
	}
	f, name, err := familyOf(a.Architectures[0], "")
	if err != nil {
		return Config{}, err
	}
	c := f.Read(r.Fields)
	c.Architecture, c.ModelType, c.GGUF = name, arch, true
	return c.FinishEncoder(r.Fields), r.Fields.Err
}

// WithTensors completes the config of a GGUF file by what only its tensors tell: for a model that
// reads, whether it has a head for labels, and how many of them; for one that writes, whether a
// head that guesses lies beside it. A file that holds nothing but such a head is refused.
func WithTensors(c Config, set *weights.Set) (Config, error) {
	if c.Causal {
		if c.Drafts > 0 && !hasFirstLayer(set) {
			return c, fmt.Errorf("the file holds %s, and no model that could run by itself: open the model's main file", filenames.Drafts)
		}
		if set.Joined() {
			c.Drafts = max(c.Drafts, 1)
		}
		return c, nil
	}
	return encoders.FromTensors(c, set)
}

// hasFirstLayer reports whether a language model's first layer is there.
func hasFirstLayer(set *weights.Set) bool {
	return slices.ContainsFunc(set.Names(), func(name string) bool { return strings.Contains(name, "layers.0.") })
}

// partOf returns what a file holds that is no model, or "".
func partOf(meta *gguf.Meta) string {
	kind, _ := meta.String("general.type")
	architecture, _ := meta.String("general.architecture")
	return filenames.PartOfType(kind, architecture)
}

// InGGUF reports whether models of an architecture, named as in config.json, can
// be read from GGUF files.
func InGGUF(architecture string) bool {
	for _, f := range decoders.GGUF {
		if slices.Contains(f.Architectures, architecture) {
			return true
		}
	}
	for _, f := range encoders.GGUF {
		if slices.Contains(f.Architectures, architecture) {
			return true
		}
	}
	return false
}

func supportedGGUF() string {
	names := slices.AppendSeq(slices.Collect(maps.Keys(decoders.GGUF)), maps.Keys(encoders.GGUF))
	slices.Sort(names)
	return strings.Join(names, ", ")
}
