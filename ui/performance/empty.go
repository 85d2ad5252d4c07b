package performance

import (
	"slices"
	"strings"

	"inglenook/app/measure"
	"inglenook/ui/kit"
)

// empty returns why a page is empty. Without a title it is not.
func (p *results) empty(page int) (title, text string) {
	m, chosen := p.models.chosen()
	any := func(has func(measure.Row) bool) bool { return slices.ContainsFunc(p.record.rows(), has) }
	switch {
	case (page == pageCompat || page == pageAll) && len(p.models.list) > 0:
		return "", ""
	case p.models.list == nil:
		return " ", ""
	case len(p.models.list) == 0:
		return "No model", "Open a model folder, or drop one on this window."
	case !chosen:
		return "No model chosen", "Choose a model first."
	case page == pageHistory && p.history.empty():
		return "No earlier measurement", "Each finished measurement of " + m.Title() + " is kept here, so that you can see how speed changes."
	case page == pageHistory:
		return "", ""
	case p.run.under != nil && p.run.under.waits:
		return "Waiting for a quiet moment", "Measuring begins by itself once other programs have needed less than a tenth of the processors for a few seconds. You can go on using the computer, or cancel."
	case (page == pageSpeed || page == pageFigures) && len(p.record.rows()) == 0 && p.run.under == nil && p.record.looked != m.ID:
		return " ", "" // an estimate would give way to what was measured
	case (page == pageSpeed || page == pageFigures) && len(p.record.rows()) == 0 && p.run.under == nil && len(p.forecast.rows()) > 0:
		return "", ""
	case len(p.record.rows()) == 0 && p.run.under == nil:
		if page == pageSpeed && p.forecast.open != nil {
			return "Estimating…", "Or press “Measure this model” to know how fast " + m.Title() + " is here."
		}
		return "Nothing measured yet", "Choose where " + m.Title() + " should run, then press “Measure this model”."
	case page == pageSpeed && p.summary.chart != nil:
		return "", ""
	case (page == pageSpeed || page == pageFigures) && len(p.speed.charts) == 0:
		return "Measuring", "The bars of each device appear when it is done. You can cancel at any time: what is finished is kept."
	case page == pageOps && !any(func(r measure.Row) bool { return len(opsOf(r)) > 0 }):
		return "No operations yet", "This shows which operations take the time."
	case page == pageNorms && !any(func(r measure.Row) bool { return len(r.Norms) > 0 }):
		if p.run.under != nil && p.run.under.request.Norms {
			return "Not measured yet", "Normalisation is measured after the speed of a device."
		}
		return "Normalisation not measured", tickFirst(p.plan.norm)
	case page == pageGuesses && !any(func(r measure.Row) bool { return r.Guesses != nil }):
		if p.run.under != nil && p.run.under.request.Guesses {
			return "Not measured yet", "Word predictions are measured after the speed of a device."
		}
		return "Word predictions not measured", tickFirst(p.plan.guess)
	case page == pageCurve && !any(func(r measure.Row) bool { return len(r.Curve) > 0 }):
		if p.run.under != nil && p.run.under.request.Curve {
			return "Not measured yet", "The curve is measured after the speed of a device."
		}
		page, _ := byWhat(m)
		return "Not measured " + strings.ToLower(page), tickFirst(p.plan.curve)
	}
	return "", ""
}

// tickFirst says what has to be ticked before it is measured.
func tickFirst(box *kit.Check) string {
	return "Tick “" + box.Text + "” above “Measure this model”, then press that."
}
