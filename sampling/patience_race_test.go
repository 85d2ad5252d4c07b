//go:build race

package sampling

import "time"

// patience with the race detector, under which everything takes ten times as long.
const patience = 10 * time.Second
