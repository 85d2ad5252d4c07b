package measure

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// One measurement is deleted, and everything else in the file stays, also what cannot be read; taken back,
// it stands where it stood.
func TestDeleteMeasurement(t *testing.T) {
	h := &history{Path: filepath.Join(t.TempDir(), "performance.jsonl")}
	at := func(hour int) Result {
		return Result{Model: "m", When: time.Date(2026, 11, 28, hour, 0, 0, 0, time.UTC)}
	}
	other := at(2)
	other.Model = "other"
	for _, p := range []Result{at(1), at(2), other, at(3)} {
		if err := h.add(p); err != nil {
			t.Fatal(err)
		}
	}
	whole, err := os.ReadFile(h.Path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(h.Path, append([]byte("{cut short\n"), whole...), 0o600); err != nil {
		t.Fatal(err)
	}
	hours := func() (list []int) {
		got, err := h.list()
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range got {
			if p.Model == "m" {
				list = append(list, p.When.Hour())
			} else {
				list = append(list, -p.When.Hour())
			}
		}
		return list
	}
	if err := h.remove("m", at(2).When); err != nil {
		t.Fatal(err)
	}
	if got := hours(); len(got) != 3 || got[0] != 3 || got[1] != -2 || got[2] != 1 {
		t.Errorf("left are %v", got)
	}
	if data, _ := os.ReadFile(h.Path); string(data[:10]) != "{cut short" {
		t.Error("a line that cannot be read is gone")
	}
	if err := h.add(at(2)); err != nil {
		t.Fatal(err)
	}
	if got := hours(); len(got) != 4 || got[0] != 3 || got[3] != 1 {
		t.Errorf("taken back, the order is %v", got)
	}
}
