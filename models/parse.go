package models

import (
	"cmp"
	"slices"
	"strings"

	"inglenook/models/decoders"
	"inglenook/models/family"
)

// ParseConfig reads config.json in today's and older spellings. It rejects
// impossible sizes in one sentence.
func ParseConfig(data []byte) (Config, error) {
	f, err := family.ParseFields(data)
	if err != nil {
		return Config{}, err
	}
	modelType, known := f.Text("model_type"), ""
	if f.Values["auto_map"] == nil { // the checkpoint's own code may compute something else under a known model_type
		known = modelType
	}
	arch := f.Architecture()
	if arch == "" {
		known = modelType
	}
	fam, arch, err := familyOf(arch, known)
	if f.Err != nil {
		return Config{}, f.Err
	}
	if err != nil {
		return Config{}, err
	}
	if strings.HasSuffix(arch, family.InWrapper) && arch != fam.Architectures[0] {
		f = f.TextModel()
	}
	c := fam.Read(f)
	if named := f.Architecture(); !slices.ContainsFunc(slices.Concat(fam.Architectures, []string{"", arch}), func(a string) bool { return strings.EqualFold(a, named) }) {
		c.OtherHead = named
	}
	c.Architecture, c.ModelType, c.Quantized, c.Notes = cmp.Or(c.Architecture, arch), modelType, f.Quantized(), f.Notes
	c.Packing, _ = f.Packing()
	if _, ok := c.Design.(decoders.Design); ok {
		c.OwnCode = f.Values["auto_map"] != nil
		f.Refuse(!f.FlagOr(true, "is_causal"), "is_causal is off: a language model that attends in both directions is not supported")
		if c.Headless = fam.Bare(arch); c.Headless {
			c.Tied = true // nothing asks for the missing head
		}
		return c.FinishDecoder(f), f.Err
	}
	return c.FinishEncoder(f), f.Err
}
