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

// forecast is what is predicted for the model and the work that are chosen.
type forecast struct {
	panel.Host
	app    App
	models *models
	plan   *plan
	wanted func() bool // somebody looks, and nothing is being measured
	show   func()      // draws it where nothing is measured

	known predictions
	asked measure.Request // without places
	open  *question       // under way; nil: none
}

// question is one that Predict has yet to answer.
type question struct{ cancel context.CancelFunc }

// ask asks what is to be expected in the ticked places, as far as that is not known, and shows it as
// long as nothing is measured.
func (f *forecast) ask() {
	if !f.models.measurable() || !f.wanted() {
		return
	}
	m, _ := f.models.chosen()
	request := measure.Request{Model: m.ID, Thorough: f.plan.thorough()}
	if f.asked.Model != request.Model || f.asked.Thorough != request.Thorough {
		f.known, f.asked = predictions{}, request
	}
	for _, place := range f.plan.targets.chosen() {
		if _, known := f.known[place]; (!known || f.known.rough(place)) && !panel.IsEmulated(place.Device) {
			request.Targets = append(request.Targets, place)
		}
	}
	f.end()
	if len(request.Targets) == 0 {
		f.show()
		return
	}
	ctx, cancel := context.WithCancel(f.Life)
	q := &question{cancel}
	f.open = q
	f.show() // with what is known already, or that there will be some
	f.Work(func(context.Context) {
		defer cancel()
		got, err := f.app.Predict(ctx, request)
		f.Do(func() {
			if f.open != q {
				return
			}
			f.open = nil
			if err != nil {
				f.App.Log().Warn("no prediction", slog.Any("error", err))
				f.show()
				return
			}
			for i, place := range request.Targets {
				f.known[place] = got[i]
			}
			f.show()
		})
	})
}

// shownFor returns a copy of the predictions that are shown for a model, without the rough ones: beside
// them nothing is to be held. It is never nil.
func (f *forecast) shownFor(model string, thorough bool) map[devices.Target][]fit.Prediction {
	if f.asked.Model != model || f.asked.Thorough != thorough {
		return predictions{}
	}
	sure := maps.Clone(f.known)
	maps.DeleteFunc(sure, func(place devices.Target, _ []fit.Prediction) bool { return f.known.rough(place) })
	return sure
}

// remark says why a prediction may surprise; "": none does.
func (f *forecast) remark() string {
	if f.known.fewerThreadsWin() {
		return "More threads look slower here: in a short test, this processor worked slower with them. Press “Measure this model” to know."
	}
	return ""
}

// end ends the question under way: what runs beside a measurement, or in a room that nobody sees, only
// disturbs.
func (f *forecast) end() {
	if q := f.open; q != nil {
		q.cancel()
		f.open = nil
	}
}

// forget has everything asked anew: the computer may be less busy the next time.
func (f *forecast) forget() {
	f.end()
	f.asked = measure.Request{}
}

// rows are the ticked places that have predictions.
func (f *forecast) rows() []measure.Row {
	var rows []measure.Row
	for _, place := range f.plan.targets.chosen() {
		if len(f.known[place]) > 0 {
			rows = append(rows, measure.Row{Target: place})
		}
	}
	return slices.Clip(rows)
}
