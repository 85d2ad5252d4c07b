package app

import (
	"os"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(claimChild); dir != "" {
		holdClaim(dir)
		return
	}
	goleak.VerifyTestMain(m)
}
