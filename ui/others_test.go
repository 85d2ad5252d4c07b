package ui

import (
	"slices"
	"testing"

	"fyne.io/fyne/v2"

	"inglenook/app/library"
	"inglenook/app/servers"
	"inglenook/remote/remotetest"
	"inglenook/ui/panel"
	"inglenook/ui/uitest"
)

// A server that another process added is among the models of a room that is entered after that.
func TestServerOfAnotherProcess(t *testing.T) {
	d, home := uitest.NewApp(), t.TempDir()
	d.Elsewhere = uitest.Engines(home)
	b := started(t, d)
	double := remotetest.New(t)
	if _, err := uitest.Engines(home).Add(t.Context(), servers.AddRequest{Addresses: []string{double.URL}, Name: "lab"}); err != nil {
		t.Fatal(err)
	}
	const id = "lab/some-embedder"
	d.Offered = append(d.Offered, library.Model{ID: id, Name: id, Kind: library.KindEmbedding, Source: library.SourceServer, Server: "lab", Usable: true})
	b.enter(panel.Rerank)
	b.loop.Until(t, "the model of the server", func() (there bool) {
		uitest.Each(b.stage, func(o fyne.CanvasObject) {
			if p, ok := o.(*panel.ModelPicker); ok {
				there = there || slices.ContainsFunc(p.Models, func(m library.Model) bool { return m.ID == id })
			}
		})
		return there
	})
}
