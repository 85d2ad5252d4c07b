package devices

import (
	"log/slog"
	"path/filepath"
	"testing"

	"inglenook/engine/enginetest"
)

// What a device passed holds for one build of the system: an update of macOS brings
// another compiler.
func TestProofIsOfASystem(t *testing.T) {
	device := &enginetest.ReferenceBackend{ID: "gpu"}
	file := filepath.Join(t.TempDir(), "proven.json")
	before := &proofs{path: file, system: "24G90", log: slog.New(slog.DiscardHandler)}
	before.Remember(before.Key(device, "self-check"))
	for system, known := range map[string]bool{"24G90": true, "25A354": false} {
		p := &proofs{path: file, system: system, log: slog.New(slog.DiscardHandler)}
		if p.Known(p.Key(device, "self-check")) != known {
			t.Errorf("on %s, what passed on 24G90 counts: %v", system, !known)
		}
	}
}
