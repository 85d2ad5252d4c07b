package sqlite

import (
	"context"
	"os/exec"
	"testing"

	"inglenook/documents/store"
	"inglenook/documents/store/storetest"
	"inglenook/documents/store/vectors"
)

func TestMain(m *testing.M) {
	storetest.Main(m, func(ctx context.Context, dir string) (store.Store, error) { return Open(ctx, dir, vectors.Portable{}) })
}

// A process that is killed at any moment loses no completed call. Database, words and
// vectors agree, every vector belongs to its text, and the next process continues.
func TestKill(t *testing.T) { killOften(t, 20) }

func killOften(t *testing.T, rounds int) {
	dir := t.TempDir()
	storetest.Kills{
		Open:  func(t *testing.T) store.Store { return openStore(t, dir) },
		Child: func(from int) *exec.Cmd { return storetest.Child(dir, from) },
		Kill:  func(child *exec.Cmd) error { return child.Process.Kill() },
		Check: func(t *testing.T, c store.Collection) { checkWhole(t, c.(*Collection)) },
	}.Run(t, rounds)
}
