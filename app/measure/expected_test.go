package measure

import (
	"testing"
	"time"

	"inglenook/app/library"
)

// How long a measurement takes is what an earlier one of the model took, or else what is usual.
func TestExpected(t *testing.T) {
	writer, reader := library.Model{ID: "w", Kind: library.KindChat}, library.Model{ID: "r", Kind: library.KindEmbedding}
	if got := Expected(reader, 2, nil); got != 9*time.Second {
		t.Errorf("two ways of a model that reads take %v", got)
	}
	if got := Expected(writer, 1, nil); got != 12*time.Second {
		t.Errorf("a model that reads and writes takes %v", got)
	}
	row := embedded("", 32)
	row.Measures[0].Amount, row.Measures[0].Repeats = 32, 19
	earlier := []Result{{Model: "other", Rows: []Row{embedded("", 1)}}, {Model: "r", Rows: []Row{row, row}}}
	if got := Expected(reader, 3, earlier); got != 66*time.Second {
		t.Errorf("three ways of a slow model take %v", got)
	}
}
