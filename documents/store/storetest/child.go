package storetest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"testing"

	"inglenook/documents/store"
)

const (
	// killChild is the environment variable that makes a test binary write to the store at
	// an address until it is killed; killFrom is the first step.
	killChild = "INGLENOOK_STORE_KILL"
	killFrom  = "INGLENOOK_STORE_KILL_FROM"
)

// Main is what TestMain of a package calls whose tests start [Child]. It ends the process.
func Main(m *testing.M, open func(ctx context.Context, address string) (store.Store, error)) {
	address := os.Getenv(killChild)
	if address == "" {
		os.Exit(m.Run())
	}
	from, err := strconv.Atoi(os.Getenv(killFrom))
	if err == nil {
		err = openAndWrite(address, from, open)
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

func openAndWrite(address string, from int, open func(context.Context, string) (store.Store, error)) error {
	ctx := context.Background()
	s, err := open(ctx, address)
	if err != nil {
		return err
	}
	return WriteUntilKilled(ctx, s, from)
}

// Child is this test binary as a process that writes to the store at an address, from a
// step on, until it is killed.
func Child(address string, from int) *exec.Cmd {
	child := exec.Command(os.Args[0], "-test.run=^$")
	child.Env = append(os.Environ(), killChild+"="+address, killFrom+"="+strconv.Itoa(from))
	return child
}
