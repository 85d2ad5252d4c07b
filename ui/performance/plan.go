package performance

import (
	"fmt"
	"strings"

	"inglenook/app/fit"
	"inglenook/app/library"
	"inglenook/app/measure"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
	"inglenook/ui/ways"
)

// plan is how a model is to be measured: in which ways, for how long, and what beside its speed.
type plan struct {
	frame   *frame
	models  *models
	targets *targetList
	effort  *kit.Segments
	does    *kit.Paragraph // what is measured, in words
	curve   *kit.Check
	norm    *kit.Check
	guess   *kit.Check
	ticked  func() // other ways were
	changed func() // the length of the test has
}

func newPlan(h panel.Host, f *frame, m *models, colors *ways.Colors) *plan {
	p := &plan{frame: f, models: m}
	p.targets = newTargetList(h, colors, func() { p.ticked() })
	p.effort = kit.NewSegments(h.Keys, []string{"Quick", "Thorough"}, func(int) { p.say(); p.changed() })
	p.does = kit.NewParagraph("", kit.ColorMuted).Small()
	p.curve = kit.NewCheck(h.Keys, "", nil)
	p.norm = kit.NewCheck(h.Keys, "Also time normalisation by number of rows", nil)
	p.guess = kit.NewCheck(h.Keys, "Also time predictions of the next words", nil)
	return p
}

func (p *plan) thorough() bool { return p.effort.Index == 1 }

// fill offers the ways of the chosen model.
func (p *plan) fill() {
	m, _ := p.models.chosen()
	p.targets.fill(panel.OfferedDevices(p.targets.host.App, ""), m)
}

// request is what is asked of a measurement; applies reports whether a page of the details can show
// anything of the model.
func (p *plan) request(m library.Model, applies func(page int) bool) measure.Request {
	return measure.Request{
		Model: m.ID, Targets: p.targets.chosen(), Thorough: p.thorough(),
		Curve: p.curve.Checked && applies(pageCurve), Norms: p.norm.Checked && applies(pageNorms), Guesses: p.guess.Checked && applies(pageGuesses),
	}
}

// offerExtras shows what can be measured beside the speed, to those who look at the details; what
// is ticked is seen on every page.
func (p *plan) offerExtras(inDetails bool, applies func(page int) bool) {
	m, _ := p.models.chosen()
	if _, box := byWhat(m); p.curve.Text != box {
		p.curve.SetText(box)
	}
	for page, box := range map[int]*kit.Check{pageNorms: p.norm, pageGuesses: p.guess} {
		kit.Show(box, applies(page) && (inDetails || box.Checked))
	}
	kit.Show(p.curve, applies(pageCurve))
}

// say tells what would be measured of the chosen model.
func (p *plan) say() {
	m, _ := p.models.chosen()
	text := doesInWords(m, p.thorough())
	p.does.Set(text)
	kit.Show(p.does.Flat, text != "")
	p.frame.view.Refresh()
}

// doesInWords says what a model has to do when it is measured, for who never heard of a token;
// "": it cannot be measured.
func doesInWords(m library.Model, thorough bool) string {
	jobs, times := measure.Jobs(m, thorough)
	var parts []string
	for _, j := range jobs {
		switch j.Work {
		case fit.WorkPrompt:
			parts = append(parts, "reads a text of "+kit.Words(j.Amount))
		case fit.WorkGenerate:
			parts = append(parts, "writes "+kit.Words(j.Amount))
		case fit.WorkEmbed:
			parts = append(parts, "reads "+kit.Count(j.Amount, "short text"))
		case fit.WorkRerank:
			parts = append(parts, "ranks "+kit.Count(j.Amount, "short text")+" for a question")
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return fmt.Sprintf("The model %s, in each way at least %d times.", strings.Join(parts, " and "), times)
}
