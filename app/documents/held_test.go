package documents_test

import (
	"strings"
	"testing"

	"inglenook/app/devices"
	"inglenook/app/documents"
)

// How weights are held is decided by the first passages of a collection, said in words,
// and kept: what comes later is embedded in the same way, and searches go by it.
func TestHeldIsCheckedOnce(t *testing.T) {
	s, dir := newService(t), papers(t)
	must[documents.Collection](t)(s.Add(t.Context(), documents.AddRequest{Paths: []string{dir}}))
	request := documents.IndexRequest{Collection: documents.DefaultName, Target: devices.Target{Device: "cpu"}}
	h := must[documents.IndexResult](t)(s.Index(t.Context(), request, nil, nil)).Collection.Held
	if h.Checked < 1 || h.Checked > 3 || h.Alike < 0.99 || h.Alike > 1+1e-6 || (h.Times > 0) != (h.Checked > 1) {
		t.Errorf("the check of the first of three passages found %+v", h)
	}
	if eight := h.Alike >= 0.999 && (h.Checked < 2 || h.Times >= 1.05); eight != (h.Weights == "q8_0") || !eight && h.Weights != "auto" {
		t.Errorf("held as %q after %+v", h.Weights, h)
	}
	if about := h.About("passage"); !strings.Contains(about, "on the first") {
		t.Errorf("about %+v: %q", h, about)
	}

	write(t, dir, "late.txt", "A letter that came late.\n")
	got := must[documents.IndexResult](t)(s.Index(t.Context(), request, nil, nil))
	if got.Indexed != 1 || got.Collection.Held != h {
		t.Errorf("after one more file, %d of them indexed: %+v; before %+v", got.Indexed, got.Collection.Held, h)
	}
	if names := found(t, s, documents.SearchRequest{Text: "a letter that came late"}); len(names) == 0 || names[0] != "late.txt" {
		t.Errorf("found %q", names)
	}
}

// Weights that are asked for are noted unchecked, and others are refused from then on.
func TestHeldDoesNotMix(t *testing.T) {
	s, dir := newService(t), papers(t)
	must[documents.Collection](t)(s.Add(t.Context(), documents.AddRequest{Paths: []string{dir}}))
	request := func(weights string) documents.IndexRequest {
		return documents.IndexRequest{Collection: documents.DefaultName, Target: devices.Target{Device: "cpu", Hold: devices.Hold{Weights: weights}}}
	}
	if h := must[documents.IndexResult](t)(s.Index(t.Context(), request("auto"), nil, nil)).Collection.Held; h != (documents.Held{Weights: "auto"}) || h.About("passage") != "" {
		t.Errorf("held %+v, %q", h, h.About("passage"))
	}
	write(t, dir, "late.txt", "A letter that came late.\n")
	if _, err := s.Index(t.Context(), request("q8_0"), nil, nil); err == nil || !strings.Contains(err.Error(), "held as auto, and others do not mix with them") {
		t.Errorf("8 bits after auto: %v", err)
	}
	got := must[documents.IndexResult](t)(s.Index(t.Context(), request(""), nil, nil))
	if got.Indexed != 1 || got.Collection.Held.Weights != "auto" {
		t.Errorf("%d files indexed, held %+v", got.Indexed, got.Collection.Held)
	}
}
