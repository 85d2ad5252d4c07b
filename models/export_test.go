package models

import (
	"maps"
	"slices"
)

// GGUFArchitectures are the names in general.architecture that are read.
func GGUFArchitectures() []string { return slices.Sorted(maps.Keys(ggufFamilies)) }
