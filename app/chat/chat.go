// Package chat is conversations with a language model: what is kept of them, the model
// that answers, what fits its context, and the cache that lets an old one go on at once.
//
// Use Service for conversations that are kept, and OpenChat for a model alone. Package
// chats is the store below it; how tokens are made is the work of pipeline.
package chat

import (
	"errors"
	"log/slog"
	"path/filepath"
	"sync"

	"inglenook/app/base"
	"inglenook/app/devices"
	"inglenook/app/library"
	"inglenook/app/pool"
	"inglenook/engine"
)

// Service is the conversations that are kept on this computer, and the language
// model that answers in them. All methods may be called from any goroutine; those
// that only touch the store are quick. Answers are made one at a time.
type Service struct {
	*Conversations
	*PresetStore

	life     *base.Lifetime
	log      *slog.Logger
	settings *base.SettingsStore
	devices  *devices.Service
	library  *library.Service
	pool     *pool.Pool
	papers   Documents
	tools    Tools

	turn   engine.Lock // to load a model and answer
	counts tokenCounts
	cache  prefixCache

	mu     sync.Mutex
	held   *loaded          // the model that answers; nil: none is loaded
	needed map[string]int64 // bytes of memory, by a model's stamp
	pairs  map[string]pair  // which model guesses for another one, by its stamp
}

// New opens neither the store nor a model yet.
func New(life *base.Lifetime, settings *base.SettingsStore, log *slog.Logger, p base.Paths, devices *devices.Service, library *library.Service, pool *pool.Pool, papers Documents, tools Tools) *Service {
	return &Service{
		Conversations: NewConversations(log, p), PresetStore: &PresetStore{settings: settings},
		life: life, log: log, settings: settings, devices: devices, library: library, pool: pool, papers: papers, tools: tools,
		turn:   engine.NewLock(),
		cache:  prefixCache{life: life, settings: settings, log: log, dir: filepath.Join(p.Cache, "prefix")},
		needed: map[string]int64{}, pairs: map[string]pair{},
	}
}

// Delete moves a conversation to the trash, from which Restore brings it back
// for 30 days. What the disk has of a model's cache for it goes at once.
func (s *Service) Delete(id string) error {
	err := s.Conversations.Delete(id)
	if err == nil {
		s.cache.forget(id)
	}
	return err
}

// Close returns the model to the pool and closes the store. No answer may be running.
func (s *Service) Close() error {
	s.giveBack(false)
	return errors.Join(s.Conversations.close())
}
