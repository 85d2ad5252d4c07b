package pipeline

import (
	"os"
	"testing"

	"inglenook/weights"
)

// Experts that are stored packed count as the numbers that they hold.
func TestPackedParameters(t *testing.T) {
	count := map[string]int64{}
	for _, name := range []string{"gpt-oss", "gpt-oss-mxfp4"} {
		set, err := weights.Open(os.DirFS("../models/testdata/decoders/"+name), weights.Options{})
		if err != nil {
			t.Fatal(err)
		}
		count[name], _, _ = measure(set)
		if err := set.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if count["gpt-oss"] == 0 || count["gpt-oss"] != count["gpt-oss-mxfp4"] {
		t.Errorf("the same model has %v parameters", count)
	}
}
