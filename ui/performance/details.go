package performance

import (
	"slices"

	"inglenook/app/library"
	"inglenook/app/measure"
)

// detailPages are the pages below the last tab, in the order in which they are offered.
var detailPages = []struct {
	page int
	name string
}{
	{pageFigures, "All speeds"}, {pageOps, "Operations"}, {pageCurve, byLength}, {pageGuesses, "Next words"}, {pageNorms, "Normalisation"},
}

// What the page of the curve is called: with a language model a context grows, with others a call.
const (
	byLength = "By length"
	byNumber = "By number"
)

// byWhat is what the page of the curve is called for a model, and the box that has it measured.
func byWhat(m library.Model) (page, box string) {
	if m.Writes() {
		return byLength, "Also test by length of text (takes longer)"
	}
	return byNumber, "Also test by number of texts (takes longer)"
}

// applies reports whether a page of the details can show anything of the chosen model. A server
// lets nobody see into its work; norms are measured for those who develop with this program.
func (p *results) applies(page int) bool {
	m, _ := p.models.chosen()
	measured := func(has func(measure.Row) bool) bool { return slices.ContainsFunc(p.record.rows(), has) }
	switch page {
	case pageOps:
		return !m.Elsewhere()
	case pageCurve:
		return !m.Elsewhere() || !m.Writes()
	case pageGuesses:
		return m.Writes() && !m.Elsewhere()
	case pageNorms:
		return p.App.Settings().Developer && !m.Elsewhere() || measured(func(r measure.Row) bool { return len(r.Norms) > 0 })
	}
	return true
}

// offerDetails offers the pages that apply. The one in view stays, or gives way to the first.
func (p *results) offerDetails() {
	now := p.offered[p.details.Index]
	offered, names := []int{}, []string{}
	m, _ := p.models.chosen()
	curve, _ := byWhat(m)
	for _, d := range detailPages {
		if !p.applies(d.page) {
			continue
		}
		name := d.name
		if d.page == pageCurve {
			name = curve
		}
		offered, names = append(offered, d.page), append(names, name)
	}
	if !slices.Equal(names, p.details.Options) {
		p.offered = offered
		p.details.Offer(names, max(0, slices.Index(offered, now)))
	}
}
