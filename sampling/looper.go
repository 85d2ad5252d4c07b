package sampling

import "slices"

// Bounds of a loop. Tables, code and lists repeat short stretches, and a poem repeats a verse a
// few times; none of them repeats the same tokens so often and for so long.
const (
	loopRepeats = 6
	loopTokens  = 256
	longestLoop = 512 // tokens of what is repeated
)

// A Looper notices that a reply repeats itself: its last tokens are the same stretch at least
// six times over, without any difference, and 256 tokens or more. A stretch has at most 512.
// A small model that has come into such a loop goes on until its context is full.
type Looper struct {
	last []int32 // no more than a loop of the longest stretch
}

// Push takes the next token and reports whether the reply is in a loop.
func (l *Looper) Push(id int32) bool {
	const most = loopRepeats * longestLoop
	if len(l.last) == 2*most {
		l.last = append(l.last[:0], l.last[most:]...)
	}
	l.last = append(l.last, id)
	for period := 1; period <= longestLoop; period++ {
		need := max(loopRepeats*period, loopTokens)
		if need > len(l.last) {
			return false
		}
		tail := l.last[len(l.last)-need:]
		if tail[need-1] == tail[need-1-period] && slices.Equal(tail[period:], tail[:need-period]) {
			return true
		}
	}
	return false
}
