package metalbackend

import "inglenook/engine"

// fused lowers the operations at the front of ops that one dispatch can do
// together, and says how many those are.
func (l *lowering) fused(ops []*engine.Tensor) (int, error) {
	return 0, nil
}
