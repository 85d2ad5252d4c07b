package performance

import (
	"context"
	"slices"

	"inglenook/app/devices"
	"inglenook/app/library"
	"inglenook/app/measure"
	"inglenook/ui/panel"
)

// record is what was measured of the chosen model: the measurement that is shown, and those that are kept.
type record struct {
	panel.Host
	app     App
	frame   *frame
	models  *models
	run     *runner
	results *results
	refresh func() // shows what can be done now

	result  *measure.Result // complete, and in view; nil: none is
	earlier bool            // result is of an earlier visit or start
	looked  string          // the model whose earlier measurements are known
}

// show puts a measurement in view.
func (r *record) show(result *measure.Result, earlier bool, m library.Model) {
	r.result, r.earlier = result, earlier
	r.results.draw(m)
	r.refresh()
}

// clear puts none in view.
func (r *record) clear() { r.result, r.earlier = nil, false }

// follow shows what is known of a model that was chosen now.
func (r *record) follow(m library.Model) {
	if r.result != nil && r.result.Model != m.ID {
		r.result = nil
	}
	r.looked = ""
	if r.result == nil && r.run.under == nil {
		r.results.draw(m)
	}
	r.load(m.ID)
}

// open shows an earlier measurement with all that was found, which can be saved then.
func (r *record) open(past measure.Result) {
	m, _ := r.models.chosen()
	if r.run.under != nil || m.ID != past.Model {
		r.Tell("A measurement is under way. Wait for it, or cancel it first.")
		return
	}
	r.results.tabs.Select(pageSpeed)
	r.show(&past, true, m)
}

// drop deletes a measurement, say one that other programs disturbed, and offers to take that back.
func (r *record) drop(past measure.Result) {
	r.change(past, r.app.DropPerformance, func() {
		r.Offer("Deleted the measurement of "+moment(past.When)+".", "Undo", func() { r.change(past, r.app.KeepPerformance, func() {}) })
	})
}

// change changes what is kept of a model by one of its measurements, and shows what is known of it then.
func (r *record) change(past measure.Result, how func(measure.Result) error, done func()) {
	r.Work(func(context.Context) {
		err := how(past)
		r.Do(func() {
			if err != nil {
				r.frame.fail(err)
				return
			}
			done()
			r.results.compat.clear()
			m, _ := r.models.chosen()
			if m.ID == past.Model && r.result != nil && r.run.under == nil && (r.earlier || r.result.When.Equal(past.When)) { // another one may stand for the model now
				r.result, r.looked = nil, ""
				r.results.draw(m)
			}
			r.changed(past.Model)
		})
	})
}

// changed shows what is known of a model now that other measurements of it are kept.
func (r *record) changed(model string) {
	r.results.all.asked = false
	if m, _ := r.models.chosen(); m.ID == model {
		r.load(model)
	}
	r.results.turn()
}

// load shows the earlier measurements of a model.
func (r *record) load(model string) {
	r.Work(func(context.Context) {
		list, err := r.app.PerformanceHistory(model)
		r.Do(func() {
			m, _ := r.models.chosen()
			if m.ID != model {
				return
			}
			if err != nil {
				r.frame.fail(err)
			}
			r.looked = model
			r.results.history.show(list)
			own := slices.DeleteFunc(slices.Clone(list), r.foreign)
			if len(own) == 0 {
				own = list
			}
			if last, any := measure.Comparison(own); any && r.result == nil && r.run.under == nil { // what was measured says more than a prediction
				r.show(&last, true, m)
			}
			r.results.turn()
		})
	})
}

// rows are those in view: of the run under way, or of the measurement that is shown.
func (r *record) rows() []measure.Row {
	switch {
	case r.run.under != nil:
		return r.run.under.rows
	case r.result != nil:
		return r.result.Rows
	}
	return nil
}

// before are the measurements of the model that were made before the shown one.
func (r *record) before() []measure.Result {
	if r.result == nil {
		return nil
	}
	alike := slices.DeleteFunc(slices.Clone(r.results.history.list), func(past measure.Result) bool { return r.foreign(past) != r.foreign(*r.result) })
	return madeBefore(alike, *r.result)
}

// measuredOn names the processor with which the shown result was measured, if it is not this
// computer's: a folder of data may have been copied here.
func (r *record) measuredOn() string {
	if r.result != nil && r.foreign(*r.result) {
		return r.result.Machine
	}
	return ""
}

// foreign reports whether a result was measured with another processor than this computer's.
func (r *record) foreign(past measure.Result) bool {
	return slices.ContainsFunc(panel.OfferedDevices(r.App, ""), func(d devices.Device) bool { return d.ID == "cpu" && d.Name != past.Machine })
}

// remarks say what is to be known of the measurement in view as a whole.
func (r *record) remarks() (first, last []string) {
	if r.result != nil && r.earlier {
		first = append(first, "Measured on "+moment(r.result.When)+".")
		if r.results.history.newerThan(*r.result) {
			last = append(last, "A newer measurement is under History.")
		}
	}
	if r.result != nil && r.result.Cancelled {
		last = append(last, "This measurement was cancelled: what was finished by then is here.")
	}
	return first, last
}
