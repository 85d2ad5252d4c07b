package usage

import (
	"os"
	"path/filepath"
	"testing"
)

func TestProcessors(t *testing.T) {
	for line, want := range map[string][2]float64{
		"cpu  100 5 20 300 40 1 2 3 50 60": {340, 471}, // guests are not counted twice
		"cpu 1 2 3 4":                      {4, 10},
		"cpu":                              {},
		"":                                 {},
		"cpu0 1 2 3 4 5":                   {},
		"cpu 1 2 x 4 5":                    {},
		"cpu 1 2 -3 4 5":                   {},
	} {
		if idle, all := processors(line); idle != want[0] || all != want[1] {
			t.Errorf("%q: %v of %v, want %v", line, idle, all, want)
		}
	}
}

func TestKibibytes(t *testing.T) {
	name := filepath.Join(t.TempDir(), "status")
	if err := os.WriteFile(name, []byte("VmRSS:\t   12 kB\nOdd: x kB\nLess: -4 kB\nMore: 99999999999999999 kB\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]int64{"VmRSS:": 12 << 10, "Odd:": 0, "Less:": 0, "More:": 0, "None:": 0} {
		if got := kibibytes(name, key); got != want {
			t.Errorf("%s %d, want %d", key, got, want)
		}
	}
}
