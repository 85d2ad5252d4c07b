package models

import (
	"maps"
	"slices"

	"inglenook/models/decoders"
)

// GGUFArchitectures lists the values of general.architecture that can be read.
func GGUFArchitectures() []string { return slices.Sorted(maps.Keys(decoders.GGUF)) }
