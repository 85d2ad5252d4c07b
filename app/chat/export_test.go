package chat

import "time"

// SettlePrefixes waits until the prefix cache has written everything that was read.
func (s *Service) SettlePrefixes(patience time.Duration) { s.cache.settle(patience) }

// Borrow uses the loaded model until release is called.
func (s *Service) Borrow() (release func()) {
	_, release = s.use()
	return release
}

// Sent returns what a model gets of a talk.
func (t Talk) Sent(small, noSystem bool) []PromptMessage { return messages(t.sent(small, noSystem)) }
