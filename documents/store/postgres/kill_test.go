package postgres

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"testing"

	"inglenook/documents/store"
	"inglenook/documents/store/postgres/postgrestest"
	"inglenook/documents/store/storetest"
)

const (
	// killChild is the variable that makes this test binary write to a database until it
	// is killed; killFrom is the first step.
	killChild = "INGLENOOK_STORE_KILL"
	killFrom  = "INGLENOOK_STORE_KILL_FROM"

	// revive is the variable with a command that kills the server for tests as the system
	// would, and starts it again.
	revive = "INGLENOOK_TEST_POSTGRES_REVIVE"
)

func TestMain(m *testing.M) {
	address := os.Getenv(killChild)
	if address == "" {
		os.Exit(m.Run())
	}
	from, err := strconv.Atoi(os.Getenv(killFrom))
	if err == nil {
		err = writeUntilKilled(address, from)
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

func writeUntilKilled(address string, from int) error {
	ctx := context.Background()
	s, err := Open(ctx, address)
	if err != nil {
		return err
	}
	return storetest.WriteUntilKilled(ctx, s, from)
}

// A process that is killed at any moment loses no completed call and leaves nothing half.
func TestKill(t *testing.T) { killOften(t, 10) }

// The same holds where the server is killed.
func TestKillServer(t *testing.T) { killServerOften(t, 3) }

func killOften(t *testing.T, rounds int) {
	kills(t, func(child *exec.Cmd) error { return child.Process.Kill() }).Run(t, rounds)
}

func killServerOften(t *testing.T, rounds int) {
	command := os.Getenv(revive)
	if command == "" {
		t.Skip("set " + revive + " to a command that kills the server and starts it again to run this")
	}
	kills(t, func(child *exec.Cmd) error {
		if said, err := exec.Command("sh", "-c", command).CombinedOutput(); err != nil {
			return fmt.Errorf("%w: %s", err, said)
		}
		_ = child.Process.Kill() // unless it has ended with the server
		return nil
	}).Run(t, rounds)
}

func kills(t *testing.T, kill func(*exec.Cmd) error) storetest.Kills {
	address := postgrestest.Database(t)
	return storetest.Kills{
		Open: func(t *testing.T) store.Store { return open(t, address) },
		Child: func(from int) *exec.Cmd {
			child := exec.Command(os.Args[0], "-test.run=^$")
			child.Env = append(os.Environ(), killChild+"="+address, killFrom+"="+strconv.Itoa(from))
			return child
		},
		Kill: kill,
	}
}
