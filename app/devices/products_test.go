package devices

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

	"inglenook/cpubackend/blas"
	"inglenook/engine"
)

// TestTellProducts: a library that was to be used and is not is told once; one that is used is in the log.
func TestTellProducts(t *testing.T) {
	t.Setenv(blas.Variable, "libother.so")
	for _, of := range []engine.Device{{}, {Products: "by libother"}, {Products: "by itself, because libother has no cblas_sgemm", OwnProducts: true}} {
		by, told := of.Products, 0
		if of.OwnProducts {
			told = 1
		}
		var log bytes.Buffer
		var said []string
		d := &Service{log: slog.New(slog.NewTextHandler(&log, nil)), options: Options{Tell: func(s string) { said = append(said, s) }}}
		d.tellProducts(of)
		d.tellProducts(of)
		if len(said) != told || told > 0 && (!strings.Contains(said[0], by) || !strings.Contains(said[0], blas.Variable)) {
			t.Errorf("%q: told %q", by, said)
		}
		if strings.Count(log.String(), "\n") != min(1, len(by)) || !strings.Contains(log.String(), by) {
			t.Errorf("%q: the log has %q", by, log.String())
		}
	}
}
