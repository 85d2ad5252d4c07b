// Package regulartest makes a disk that stops answering, for tests: a file system in
// user space (FUSE) whose server is a process of its own and keeps silent where the test
// wants it to.
package regulartest

import "time"

// Silence is what a disk may keep silent about.
type Silence int

const (
	Opening Silence = 1 << iota // what a file is, and opening it
	Reading                     // the bytes of a file
	Listing                     // the names in a folder
)

// Soon is a bound for what has to end at once in a test, generous for a busy machine.
const Soon = 10 * time.Second
