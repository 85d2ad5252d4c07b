package devices

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

	"inglenook/cpubackend/blas"
)

// TestTellProducts: a library that was to be used and is not is told once; one that is used is in the log.
func TestTellProducts(t *testing.T) {
	t.Setenv(blas.Variable, "libother.so")
	for by, told := range map[string]int{"": 0, "by libother": 0, "by this program, because libother has no cblas_sgemm": 1} {
		var log bytes.Buffer
		var said []string
		d := &Service{log: slog.New(slog.NewTextHandler(&log, nil)), options: Options{Tell: func(s string) { said = append(said, s) }}}
		d.tellProducts(by)
		d.tellProducts(by)
		if len(said) != told || told > 0 && (!strings.Contains(said[0], by) || !strings.Contains(said[0], blas.Variable)) {
			t.Errorf("%q: told %q", by, said)
		}
		if strings.Count(log.String(), "\n") != min(1, len(by)) || !strings.Contains(log.String(), by) {
			t.Errorf("%q: the log has %q", by, log.String())
		}
	}
}
