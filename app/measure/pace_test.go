package measure

import (
	"slices"
	"strings"
	"testing"
	"time"
)

func TestRepeatedLosesPatience(t *testing.T) {
	calls, steps := 0, 0
	p := usualPace(5)
	seconds, err := p.repeated(func() { steps++ }, func() (time.Duration, error) {
		calls++
		return time.Duration(6-min(calls, 6)) * time.Second, nil
	})
	if err != nil || calls != 1+5*p.times || !slices.Equal(seconds[len(seconds)-4:], []float64{1, 2, 3, 4}) || steps != 6 {
		t.Errorf("%v after %d calls, %d steps, %v", seconds, calls, steps, err)
	}
	calls, steps = 0, 0
	p.patience = 0
	slow, err := p.repeated(func() { steps++ }, func() (time.Duration, error) {
		calls++
		time.Sleep(time.Millisecond)
		return time.Second, nil
	})
	if err != nil || calls != 1 || steps != 6 || len(slow) != 1 {
		t.Errorf("without patience: %v after %d calls, %d steps, %v", slow, calls, steps, err)
	}
}

func TestRepeatedExactly(t *testing.T) {
	calls := 0
	seconds, err := exactPace(3).repeated(func() {}, func() (time.Duration, error) {
		calls++
		return time.Duration(calls) * time.Second, nil
	})
	if err != nil || !slices.Equal(seconds, []float64{2, 3, 4}) {
		t.Errorf("%v, %v", seconds, err)
	}
}

// A curve ends before a point that would take longer than the time left, and says so.
func TestCurveEndsInTime(t *testing.T) {
	p := &Result{Rows: make([]Row, 1)}
	curve := func(budget time.Duration, model subject) Row {
		var row Row
		r := &rowRun{plan: plan{sizes: []int{1, 4, 16, 64}, budget: budget}, row: &row, progress: newMeasuring(p, 5, nil)}
		if err := r.curve(t.Context(), model); err != nil {
			t.Error(err)
		}
		return row
	}
	row := curve(40*time.Millisecond, sleeper(time.Millisecond))
	if n := len(row.Curve); n == 0 || n > 3 || len(row.Notes) != 1 || !strings.Contains(row.Notes[0], "The curve ends at") {
		t.Errorf("%+v", row)
	}
	if row := curve(time.Hour, sleeper(0)); len(row.Curve) != 4 || row.Notes != nil {
		t.Errorf("with time: %+v", row)
	}
}
