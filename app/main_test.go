package app

import (
	"fmt"
	"os"
	"testing"

	"github.com/adrg/xdg"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(claimChild); dir != "" {
		holdClaim(dir)
		return
	}
	if dir := os.Getenv(talkChild); dir != "" {
		fmt.Fprintln(os.Stderr, talkUntilKilled(dir))
		os.Exit(1)
	}
	goleak.VerifyTestMain(m)
}

// home gives the test a home folder of its own, and no Hub cache but the one
// below it.
func home(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("HOME", dir)
	for _, name := range []string{"XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "HF_HOME", "HF_HUB_CACHE", "HF_TOKEN", "INGLENOOK_HOME"} {
		t.Setenv(name, "")
	}
	xdg.Reload()
	t.Cleanup(xdg.Reload)
	return dir
}
