package sqlite

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"testing"

	"inglenook/documents/store"
	"inglenook/documents/store/storetest"
	"inglenook/documents/store/vectors"
)

// killChild is the environment variable that makes this test binary write to the store in a
// folder until it is killed; killFrom is the first step.
const (
	killChild = "INGLENOOK_STORE_KILL"
	killFrom  = "INGLENOOK_STORE_KILL_FROM"
)

func TestMain(m *testing.M) {
	dir := os.Getenv(killChild)
	if dir == "" {
		os.Exit(m.Run())
	}
	from, err := strconv.Atoi(os.Getenv(killFrom))
	if err == nil {
		err = writeUntilKilled(dir, from)
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

func writeUntilKilled(dir string, from int) error {
	ctx := context.Background()
	s, err := Open(ctx, dir, vectors.Portable{})
	if err != nil {
		return err
	}
	return storetest.WriteUntilKilled(ctx, s, from)
}

// A process that is killed at any moment loses no completed call. Database, words and
// vectors agree, every vector belongs to its text, and the next process continues.
func TestKill(t *testing.T) { killOften(t, 20) }

func killOften(t *testing.T, rounds int) {
	dir := t.TempDir()
	storetest.Kills{
		Open: func(t *testing.T) store.Store { return openStore(t, dir) },
		Child: func(from int) *exec.Cmd {
			child := exec.Command(os.Args[0], "-test.run=^$")
			child.Env = append(os.Environ(), killChild+"="+dir, killFrom+"="+strconv.Itoa(from))
			return child
		},
		Kill:  func(child *exec.Cmd) error { return child.Process.Kill() },
		Check: func(t *testing.T, c store.Collection) { checkWhole(t, c.(*Collection)) },
	}.Run(t, rounds)
}
