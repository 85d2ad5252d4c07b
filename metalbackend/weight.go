package metalbackend

import (
	"errors"

	"inglenook/engine"
)

// weight is where the rows of a weight lie, in the layout of its file.
func (l *lowering) weight(t *engine.Tensor) (region, error) {
	return region{}, errors.ErrUnsupported
}
