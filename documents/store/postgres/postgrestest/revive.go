package postgrestest

import (
	"fmt"
	"os"
	"os/exec"
	"testing"
)

// revive is the variable with a command that kills the server for tests as the system
// would, and starts it again.
const revive = "INGLENOOK_TEST_POSTGRES_REVIVE"

// Revive returns what kills the server and starts it again, and then ends a process that
// uses it; or skips the test.
func Revive(t testing.TB) func(client *exec.Cmd) error {
	t.Helper()
	command := os.Getenv(revive)
	if command == "" {
		t.Skip("set " + revive + " to a command that kills the server and starts it again to run this")
	}
	return func(client *exec.Cmd) error {
		if said, err := exec.Command("sh", "-c", command).CombinedOutput(); err != nil {
			return fmt.Errorf("%w: %s", err, said)
		}
		_ = client.Process.Kill() // unless it has ended with the server
		return nil
	}
}
