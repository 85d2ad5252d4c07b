package postgres

import (
	"context"
	"os/exec"
	"testing"

	"inglenook/documents/store"
	"inglenook/documents/store/postgres/postgrestest"
	"inglenook/documents/store/storetest"
)

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
	kills(t, postgrestest.Revive(t)).Run(t, rounds)
}

func kills(t *testing.T, kill func(*exec.Cmd) error) storetest.Kills {
	address := postgrestest.Database(t)
	return storetest.Kills{
		Open:  func(t *testing.T) store.Store { return open(t, address) },
		Child: func(from int) *exec.Cmd { return storetest.Child(address, from) },
		Kill:  kill,
	}
}
