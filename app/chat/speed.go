package chat

import "time"

// tooShort is how long an answer has to be written before its speed says anything: a few words
// that come at once give a figure that no longer answer reaches.
const tooShort = 50 * time.Millisecond

// Speed is how many tokens a second an answer was written; 0: that is not known, or it was too
// short to tell.
func Speed(r *ReplyRecord) float64 {
	if r == nil || r.Rate <= 0 || float64(r.Tokens)/r.Rate < tooShort.Seconds() {
		return 0
	}
	return r.Rate
}
