package measure

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"time"

	"inglenook/regular"
)

// kept is a prediction with what came of it, a line of the history.
type kept struct {
	When      time.Time `json:"when"`
	Version   string    `json:"version"`
	Model     string    `json:"model"`
	Device    string    `json:"device"`
	Work      string    `json:"work"`
	Context   int       `json:"context"`
	Unit      string    `json:"unit"`
	Predicted float64   `json:"predicted"`
	Measured  float64   `json:"measured"`
	Error     float64   `json:"error"` // as a part of what was measured
}

// KeepPredictions adds the predictions of a measurement, beside what was measured, to the
// history of predictions. What cannot be written is only logged.
func (s *Runner) KeepPredictions(p Result) {
	for _, r := range p.Rows {
		for _, m := range r.Measures {
			off, any := m.PredictionError()
			if !any || m.LessIsBetter() {
				continue
			}
			line, err := json.Marshal(kept{p.When, p.Version, p.Model, m.Device, m.Work, m.Context, m.Unit, m.Predicted, m.Median, off})
			if err == nil {
				err = appendLine(s.predicted, line)
			}
			if err != nil {
				s.log.Warn("prediction not kept", "error", err)
			}
		}
	}
}

func appendLine(path string, line []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := regular.OpenOwn(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(append(line, '\n'))
	return errors.Join(err, f.Close())
}
