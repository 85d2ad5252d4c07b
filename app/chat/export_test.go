package chat

import "time"

// SettlePrefixes waits until what was read is in the files of the prefix cache.
func (s *Service) SettlePrefixes(patience time.Duration) { s.cache.settle(patience) }

// Borrow works with the model that is loaded until release is called.
func (s *Service) Borrow() (release func()) {
	_, release = s.use()
	return release
}
