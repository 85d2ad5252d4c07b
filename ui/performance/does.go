package performance

import (
	"fmt"
	"strings"

	"inglenook/app/fit"
	"inglenook/app/library"
	"inglenook/app/measure"
	"inglenook/ui/kit"
)

// sayWhat tells what would be measured of the chosen model.
func (p *Panel) sayWhat() {
	m, _ := p.picker.Model()
	text := doesInWords(m, p.effort.Index == 1)
	p.does.Set(text)
	kit.Show(p.does.Flat, text != "")
	p.view.Refresh()
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
