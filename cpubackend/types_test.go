package cpubackend

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"inglenook/engine"
)

// The C code repeats the engine's constants in its own enums; they must agree.
func TestEnumsOfC(t *testing.T) {
	types := make([]string, 0, len(engine.WeightTypes())+2)
	for d := engine.F32; int(d) <= len(engine.WeightTypes()); d++ { // I32 is among them
		types = append(types, "DTYPE_"+d.FileName())
	}
	for name, want := range map[string][]string{
		"dtype":      append(types, "DTYPES"),
		"activation": upper("ACT_", engine.Activations()),
		"pool_mode":  upper("POOL_", engine.PoolModes()),
	} {
		found := regexp.MustCompile(`(?s)enum ` + name + ` \{(.*?)\}`).FindStringSubmatch(header(t, "cpu.h"))
		if found == nil {
			t.Fatalf("cpu.h has no enum %s", name)
		}
		if got := strings.FieldsFunc(found[1], func(r rune) bool { return strings.ContainsRune(", \n\t", r) }); strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("enum %s in cpu.h is %v; the engine has %v", name, got, want)
		}
	}
}

func upper[T interface{ String() string }](prefix string, values []T) (names []string) {
	for _, v := range values {
		names = append(names, prefix+strings.ToUpper(v.String()))
	}
	return names
}

// The C code has the engine's numbers of values and bytes in a block.
func TestBlocksOfC(t *testing.T) {
	var rows []string
	for _, row := range regexp.MustCompile(`\[DTYPE_(\w+)\] = \{\w+, \w+, (\w+), \w+, \w+, \w+, (\w+)(?:, \w+)?\}`).FindAllStringSubmatch(header(t, "qtypes.h"), -1) {
		rows = append(rows, strings.Join(row[1:], " "))
	}
	var want []string
	for _, d := range engine.WeightTypes() {
		if d.Quantized() {
			want = append(want, fmt.Sprintf("%s %d %d", d.FileName(), d.Block()/32, d.BlockBytes()))
		}
	}
	if strings.Join(rows, ", ") != strings.Join(want, ", ") {
		t.Errorf("types, runs and bytes of blocks in qtypes.h:\n%v\nin the engine:\n%v", rows, want)
	}
}

func header(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile("kernels/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
