package performance

import (
	"context"
	"log/slog"
	"maps"
	"slices"

	"inglenook/app/devices"
	"inglenook/app/fit"
	"inglenook/app/measure"
	"inglenook/ui/panel"
)

// prediction is what is predicted for the model and the work that are chosen.
type prediction struct {
	known predictions
	asked measure.Request // without places
	open  *question       // under way; nil: none
}

// question is one that Predict has yet to answer.
type question struct{ cancel context.CancelFunc }

// predict asks what is to be expected in the ticked places, as far as that is not
// known, and shows it as long as nothing is measured.
func (p *Panel) predict() {
	m, ok := p.picker.Model()
	if _, fits := Fits(m); !ok || !fits || !p.inView || p.running != nil || p.batch != nil {
		return
	}
	request := measure.Request{Model: m.ID, Thorough: p.effort.Index == 1}
	f := &p.prediction
	if f.asked.Model != request.Model || f.asked.Thorough != request.Thorough {
		f.known, f.asked = predictions{}, request
	}
	for _, place := range p.targets.chosen() {
		if _, known := f.known[place]; (!known || f.known.rough(place)) && !panel.IsEmulated(place.Device) {
			request.Targets = append(request.Targets, place)
		}
	}
	p.endPrediction()
	if len(request.Targets) == 0 {
		p.showPredictions()
		return
	}
	ctx, cancel := context.WithCancel(p.Life)
	q := &question{cancel}
	f.open = q
	p.showPredictions() // with what is known already, or that there will be some
	p.Work(func(context.Context) {
		defer cancel()
		got, err := p.app.Predict(ctx, request)
		p.Do(func() {
			if f.open != q {
				return
			}
			f.open = nil
			if err != nil {
				p.App.Log().Warn("no prediction", slog.Any("error", err))
				p.showPredictions()
				return
			}
			for i, place := range request.Targets {
				f.known[place] = got[i]
			}
			p.showPredictions()
		})
	})
}

// shownFor returns a copy of the predictions that are shown for a model, without the rough ones: beside
// them nothing is to be held. It is never nil.
func (f *prediction) shownFor(model string, thorough bool) map[devices.Target][]fit.Prediction {
	if f.asked.Model != model || f.asked.Thorough != thorough {
		return predictions{}
	}
	sure := maps.Clone(f.known)
	maps.DeleteFunc(sure, func(place devices.Target, _ []fit.Prediction) bool { return f.known.rough(place) })
	return sure
}

// remark says why a prediction may surprise; "": none does.
func (f *prediction) remark() string {
	if f.known.fewerThreadsWin() {
		return "More threads look slower here: in a short test, this processor worked slower with them. Press “Measure this model” to know."
	}
	return ""
}

// endPrediction ends the question under way: what runs beside a measurement, or in a
// room that nobody sees, only disturbs.
func (p *Panel) endPrediction() {
	if q := p.prediction.open; q != nil {
		q.cancel()
		p.prediction.open = nil
	}
}

// showPredictions draws the predictions where nothing is measured.
func (p *Panel) showPredictions() {
	if p.running == nil && p.result == nil {
		p.speed.show(p.predictedRows(), -1, p.prediction.known)
		p.summary.estimate(p.predictedRows(), p.prediction.known)
		p.remarks = ""
		if len(p.predictedRows()) > 0 { // else the empty page says it
			p.remarks = p.prediction.remark()
		}
		p.turn()
	}
}

// predictedRows are the ticked places that have predictions.
func (p *Panel) predictedRows() []measure.Row {
	var rows []measure.Row
	for _, place := range p.targets.chosen() {
		if len(p.prediction.known[place]) > 0 {
			rows = append(rows, measure.Row{Target: place})
		}
	}
	return slices.Clip(rows)
}
