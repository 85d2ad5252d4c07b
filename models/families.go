package models

import (
	"slices"
	"strings"

	"inglenook/models/decoders"
	"inglenook/models/encoders"
	"inglenook/models/family"
)

// families lists all that can be loaded: the encoders, then the decoders.
var families = slices.Concat(encoders.Families, decoders.Families)

// familyOf finds the row of an architecture and returns the architecture in our
// spelling. If config.json names none, as in old checkpoints, or one that is not
// in the table, the model_type decides.
func familyOf(architecture, modelType string) (family.Entry, string, error) {
	for _, f := range families {
		for _, a := range f.Architectures {
			if strings.EqualFold(a, architecture) { // LLaMAForCausalLM
				return f, a, nil
			}
		}
		if f.Bare(architecture) {
			return f, architecture, nil
		}
	}
	for _, f := range families {
		if modelType == f.ModelType && f.Takes(architecture) {
			return f, f.Architectures[0], nil
		}
	}
	var known []string
	for _, f := range families {
		if f.ModelType == modelType {
			known = append(known, f.Architectures...)
		}
	}
	return family.Entry{}, "", family.Unsupported(architecture, modelType, known)
}
