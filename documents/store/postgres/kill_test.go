package postgres

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"testing"

	"inglenook/documents/store"
	"inglenook/documents/store/postgres/postgrestest"
	"inglenook/documents/store/storetest"
)

// revive is the variable with a command that kills the server for tests as the system
// would, and starts it again.
const revive = "INGLENOOK_TEST_POSTGRES_REVIVE"

func TestMain(m *testing.M) {
	storetest.Main(m, func(ctx context.Context, address string) (store.Store, error) { return Open(ctx, address) })
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
		Open:  func(t *testing.T) store.Store { return open(t, address) },
		Child: func(from int) *exec.Cmd { return storetest.Child(address, from) },
		Kill:  kill,
	}
}
