//go:build !linux

package regulartest

import "testing"

// Disk is a mounted file system that can fall silent.
type Disk struct{ Dir string }

// NewDisk skips the test: this system has no file systems in user space.
func NewDisk(t testing.TB, _ map[string][]byte) *Disk {
	t.Skip("no file systems in user space on this system")
	return nil
}

// Silence does nothing on this system.
func (*Disk) Silence(testing.TB, string, Silence) {}

// End does nothing on this system.
func (*Disk) End() {}
