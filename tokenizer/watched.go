package tokenizer

import "strings"

// mayHoldControl reports whether text may contain a control token. If not,
// both native forms return the same ids, and the second need not be loaded.
func (t *Tokenizer) mayHoldControl(text string) bool {
	if t.watched == nil {
		return true
	}
	for _, token := range t.watched {
		if strings.Contains(text, token) {
			return true
		}
	}
	return false
}
