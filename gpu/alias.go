package gpu

// Aliased returns the indexes of two bindings of a dispatch that share bytes, of
// which the kernel writes one: Metal lets a compiler assume that there are none.
// Bit i of written means that the kernel writes the buffer with index i.
func (d *Dispatch) Aliased(written uint32) (a, b int, found bool) {
	for a := range d.Bindings {
		for b := range d.Bindings[:a] {
			if written>>a&1|written>>b&1 != 0 && d.Bindings[a].overlaps(&d.Bindings[b]) {
				return b, a, true
			}
		}
	}
	return 0, 0, false
}
