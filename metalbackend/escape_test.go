package metalbackend

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"inglenook/metalbackend/fake"
)

// Memory whose address a message gets is on the heap, as its comment says: the
// compiler's report of what escapes agrees.
func TestOnTheHeap(t *testing.T) {
	out, err := exec.Command("go", "build", "-gcflags=-m", ".").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	report := string(out)
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	claims := 0
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(source), "\n") {
			if !strings.Contains(line, "// on the heap") {
				continue
			}
			claims++
			place := fmt.Sprintf("%s:%d:", name, i+1)
			if !reports(report, place, "escapes to heap") {
				t.Errorf("%s the compiler keeps it on the stack: %s", place, strings.TrimSpace(line))
			}
		}
	}
	if claims < 2 {
		t.Errorf("%d places claim the heap; there are two", claims)
	}
}

// reports tells whether a line of the compiler's report is about a place and ends
// with what.
func reports(report, place, what string) bool {
	for line := range strings.Lines(report) {
		if at := strings.Index(line, place); at >= 0 && (at == 0 || line[at-1] == '/') && strings.HasSuffix(strings.TrimSpace(line), what) {
			return true
		}
	}
	return false
}

// The reason of a failure arrives although the stack moves while Metal writes it.
func TestStackMoves(t *testing.T) {
	for range 20 {
		rt, err := fake.New(fake.Options{CompileFail: "program_source:1:1: error: no"})
		if err != nil {
			t.Fatal(err)
		}
		failed := make(chan error)
		go func() { // on a small stack
			_, err := New(rt, Options{})
			failed <- err
		}()
		if err := <-failed; err == nil || !strings.Contains(err.Error(), "program_source:1:1") {
			t.Fatalf("the error is %v", err)
		}
	}
}
