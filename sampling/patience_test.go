//go:build !race

package sampling

import "time"

// patience is how much processor time one hostile schema may take. The aim is
// 250 ms on a quiet machine; a busy one may need several times that, and what
// this guards against takes minutes.
const patience = time.Second
