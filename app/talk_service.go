package app

import (
	"errors"
	"inglenook/engine"
	"log/slog"
	"path/filepath"
	"sync"
)

// ChatService is the conversations that are kept on this computer, and the language
// model that answers in them. All methods may be called from any goroutine; those
// that only touch the store are quick. Answers are made one at a time.
type ChatService struct {
	*Conversations
	*PresetStore

	life     *Lifetime
	log      *slog.Logger
	settings *SettingsStore
	devices  *DevicesService
	library  *LibraryService
	pool     *Pool

	turn   engine.Lock // to load a model and answer
	counts tokenCounts
	cache  prefixCache

	mu     sync.Mutex
	held   *heldChat        // the model that answers; nil: none is loaded
	needed map[string]int64 // bytes of memory, by a model's stamp
}

// NewChatService opens neither the store nor a model yet.
func NewChatService(life *Lifetime, settings *SettingsStore, log *slog.Logger, p Paths, devices *DevicesService, library *LibraryService, pool *Pool) *ChatService {
	return &ChatService{
		Conversations: NewConversations(log, p), PresetStore: &PresetStore{settings: settings},
		life: life, log: log, settings: settings, devices: devices, library: library, pool: pool,
		turn:   engine.NewLock(),
		cache:  prefixCache{life: life, settings: settings, log: log, dir: filepath.Join(p.Cache, "prefix")},
		needed: map[string]int64{},
	}
}

// Delete moves a conversation to the trash, from which Restore brings it back
// for 30 days. What the disk has of a model's cache for it goes at once.
func (s *ChatService) Delete(id string) error {
	err := s.Conversations.Delete(id)
	if err == nil {
		s.cache.forget(id)
	}
	return err
}

// Close gives the model back and closes the store. No answer is under way any more.
func (s *ChatService) Close() error {
	s.giveBack(false)
	return errors.Join(s.Conversations.close())
}
