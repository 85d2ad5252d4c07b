package weights

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// stricter lists why we refuse files that the reference reader accepts, each as a part
// of the message; testdata/README.md explains them.
var stricter = []string{
	"comes twice",
	"the text does not begin with '{'",
	"an object should come at byte",
	"and below 2^63 should come",
	"too many dimensions",
}

// TestDifferential opens the same damaged files with the reference library (the Python
// package safetensors) and with this package. INGLENOOK_PYTHON names a Python that has
// it.
func TestDifferential(t *testing.T) {
	python := os.Getenv("INGLENOOK_PYTHON")
	if python == "" {
		t.Skip("INGLENOOK_PYTHON names no Python with the package safetensors")
	}
	if err := exec.Command(python, "-c", "import safetensors").Run(); err != nil {
		t.Skipf("%s has no package safetensors", python)
	}
	var files [][]byte
	for _, c := range hostile() {
		files = append(files, c.data)
	}
	for i := range uint64(20_000) {
		files = append(files, mutant(sample(), 1<<32+i))
	}
	verdicts := reference(t, python, files)
	var both, neither, ours int
	reasons := map[string]int{}
	for i, data := range files {
		s, err := Open(single(data), Options{})
		if err == nil {
			s.Close()
		}
		theirs := verdicts[i]
		switch {
		case err == nil && theirs == "ok":
			both++
		case err != nil && theirs != "ok":
			neither++
		case err == nil:
			t.Errorf("file %d: accepted here, the reference says %s\n%q", i, theirs, header80(data))
		default:
			ours++
			reason := known(err)
			if reason == "" {
				t.Errorf("file %d: accepted by the reference, refused here: %v\n%q", i, err, header80(data))
			}
			reasons[reason]++
		}
	}
	t.Logf("%d files: both accept %d, both refuse %d, only we refuse %d: %v", len(files), both, neither, ours, reasons)
}

// known returns the documented reason for an error, or "".
func known(err error) string {
	for _, reason := range stricter {
		if strings.Contains(err.Error(), reason) {
			return reason
		}
	}
	return ""
}

// reference asks testdata/differential.py about every file.
func reference(t *testing.T, python string, files [][]byte) []string {
	t.Helper()
	var input bytes.Buffer
	for _, data := range files {
		input.Write(binary.LittleEndian.AppendUint64(nil, uint64(len(data))))
		input.Write(data)
	}
	command := exec.Command(python, "testdata/differential.py")
	command.Stdin, command.Stderr = &input, os.Stderr
	output, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(bytes.NewReader(output))
	lines.Scan()
	t.Logf("safetensors %s", lines.Text())
	var verdicts []string
	for lines.Scan() {
		verdicts = append(verdicts, lines.Text())
	}
	if len(verdicts) != len(files) {
		t.Fatalf("%d verdicts for %d files", len(verdicts), len(files))
	}
	return verdicts
}

// header80 returns the beginning of a damaged header, for a message.
func header80(data []byte) []byte { return data[:min(len(data), 1500)] }
