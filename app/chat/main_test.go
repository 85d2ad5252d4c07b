package chat_test

import (
	"fmt"
	"os"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(talkChild); dir != "" {
		fmt.Fprintln(os.Stderr, talkUntilKilled(dir))
		os.Exit(1)
	}
	goleak.VerifyTestMain(m)
}
