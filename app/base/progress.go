package base

import "time"

// The stages of the work, in order.
const (
	StageTesting   = "testing the GPU" // before its first use; how far is not known
	StageLoading   = "loading"
	StageEmbedding = "embedding"
	StageScoring   = "scoring"
	StageReading   = "reading" // a prompt
	StageComparing = "comparing"

	// StageServer comes once a second while a server is awaited that is to open a model: Done is in seconds. It
	// comes before each new try as well where one fails in the middle of long work: see Progress.Fails.
	StageServer = "waiting for a server"
)

// Progress says how far a stage of the work is.
type Progress struct {
	Stage string // one of the Stage constants
	Done  int64
	Total int64
	Unit  string        // "bytes", "texts", "tokens"
	Left  time.Duration // estimate of the time left in this stage; 0: unknown
	Speed float64       // units a second, of a download; 0: not told

	Server string // that is awaited, with StageServer
	Fails  string // how it fails, as the end of a sentence such as "fails (status 500)"; "": it does not answer yet
}

// paceAfter is how long a stage runs before its time left is estimated: the
// first batches say too little.
const paceAfter = 300 * time.Millisecond

// stage reports progress of one stage through report, which may be nil.
type stage struct {
	name   string
	unit   string
	report func(Progress)
	start  time.Time
}

func NewStage(name, unit string, report func(Progress)) *stage {
	return &stage{name: name, unit: unit, report: report, start: time.Now()}
}

// At reports that done of total are finished.
func (s *stage) At(done, total int64) {
	if s.report == nil {
		return
	}
	s.report(Progress{Stage: s.name, Done: done, Total: total, Unit: s.unit, Left: TimeLeft(time.Since(s.start), done, total)})
}

// Texts is at for callbacks that count in ints.
func (s *stage) Texts(done, total int) { s.At(int64(done), int64(total)) }

// TimeLeft assumes that the rest goes at the pace so far.
func TimeLeft(elapsed time.Duration, done, total int64) time.Duration {
	if elapsed < paceAfter || done <= 0 || done >= total {
		return 0
	}
	return time.Duration(float64(elapsed) * float64(total-done) / float64(done))
}
