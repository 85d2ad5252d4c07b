package models

import (
	"maps"
	"slices"
)

// GGUFArchitectures lists the values of general.architecture that can be read.
func GGUFArchitectures() []string { return slices.Sorted(maps.Keys(ggufFamilies)) }
