package sqlite

import (
	"testing"

	"inglenook/documents/store"
	"inglenook/documents/store/storetest"
)

// The store on this computer does what every store does.
func TestStore(t *testing.T) {
	storetest.Run(t, func(t *testing.T) func() store.Store {
		dir := t.TempDir()
		return func() store.Store { return openStore(t, dir) }
	})
}

// A collection moves to another folder.
func TestCopies(t *testing.T) {
	open := func(dir string) func() store.Store { return func() store.Store { return openStore(t, dir) } }
	storetest.Copies(t, open(t.TempDir()), open(t.TempDir()))
}
