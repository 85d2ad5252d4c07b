package chat

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/dustin/go-humanize"

	"inglenook/app/base"
	"inglenook/app/devices"
	"inglenook/app/fit"
	"inglenook/app/library"
	"inglenook/app/pool"
)

// loaded is the model that answers in conversations, borrowed from the pool.
type loaded struct {
	chat    *Writer
	options pool.WriterOptions
	since   time.Time
	last    string // the conversation that its cache holds; who has the turn may use it

	users   int  // guarded by Service.mu, as what follows
	discard bool // its memory is to be freed by the last user
}

// plain reports whether the model continues texts and does not converse.
func (h *loaded) plain() bool { return h.chat.Model.Kind == library.KindText }

// take waits for the turn. Where somebody else has it, waiting is called once.
func (s *Service) take(ctx context.Context, waiting func()) error {
	if s.turn.TryLock() {
		return nil
	}
	if waiting != nil {
		waiting()
	}
	return s.turn.LockContext(ctx)
}

func (s *Service) leave() { s.turn.Unlock() }

// Load opens the model of the choices so that the next answer begins at once. It
// waits for an answer under way. The model that was loaded before stays open as
// long as there is memory for both.
func (s *Service) Load(ctx context.Context, x Choices, report func(base.Progress)) error {
	ctx, done, err := s.life.Begin(ctx)
	if err != nil {
		return err
	}
	defer done()
	if err := s.take(ctx, nil); err != nil {
		return err
	}
	defer s.leave()
	_, release, err := s.load(ctx, x, report)
	if err == nil {
		release()
	}
	return err
}

// Loaded returns the model that is loaded for conversations, if there is one.
func (s *Service) Loaded() (Loaded, bool) {
	h, release := s.use()
	if h == nil {
		return Loaded{}, false
	}
	defer release()
	return Loaded{Model: h.chat.Model, Info: h.chat.Info(), Choices: openedUnder(h.options), Plain: h.plain(), Since: h.since}, true
}

// Unload frees the memory of the model that is loaded; if it answers just now, or
// its cache is being kept, as soon as that has ended.
func (s *Service) Unload() { s.giveBack(true) }

// ErrNoModel is about a conversation for which none was chosen.
var ErrNoModel = errors.New("no model is chosen for this conversation and none is loaded; choose one")

// load returns the model of the choices to one user more, opened now if need be.
// The caller has the turn.
func (s *Service) load(ctx context.Context, x Choices, report func(base.Progress)) (*loaded, func(), error) {
	h, release := s.use()
	if h != nil && (x.Model == "" || h.options == x.chatOptions()) {
		return h, release, nil
	}
	if release != nil {
		release()
	}
	if x.Model == "" {
		return nil, nil, ErrNoModel
	}
	s.cache.settle(keepPatience)
	s.giveBack(false)
	chat, err := s.OpenChat(ctx, x.chatOptions(), report)
	if err != nil {
		return nil, nil, err
	}
	h = &loaded{chat: chat, options: x.chatOptions(), since: time.Now(), users: 1}
	s.mu.Lock()
	s.held = h
	s.mu.Unlock()
	return h, s.user(h), nil
}

// use returns the model that is loaded, if there is one, to one user more. One of a server that is
// at another address now, or was removed, is not loaded any more.
func (s *Service) use() (*loaded, func()) {
	s.mu.Lock()
	held := s.held
	s.mu.Unlock()
	if held != nil && s.library.Moved(held.chat.Model, held.chat.stamp) {
		s.giveBack(false)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	h := s.held
	if h == nil {
		return nil, nil
	}
	h.users++
	return h, s.user(h)
}

// user returns what ends one use of a model.
func (s *Service) user(h *loaded) func() {
	return func() {
		s.mu.Lock()
		h.users--
		last := h.users == 0 && s.held != h
		s.mu.Unlock()
		if last {
			s.shut(h)
		}
	}
}

// giveBack lets the model go, with its last user.
func (s *Service) giveBack(discard bool) {
	s.mu.Lock()
	h := s.held
	s.held = nil
	idle := h != nil && h.users == 0
	if h != nil {
		h.discard = discard
	}
	s.mu.Unlock()
	if idle {
		s.shut(h)
	}
}

// shut returns the model to the pool, and takes it out of it where its
// memory is to be freed.
func (s *Service) shut(h *loaded) {
	h.chat.Close()
	if !h.discard {
		return
	}
	err := s.pool.Discard(h.chat.model)
	if err != nil {
		s.log.Warn("unload", "error", err)
	}
}

// Idle implements [pool.Holder]: the model is loaded and nobody works with it.
func (s *Service) Idle(model string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.held != nil && s.held.chat.Model.ID == model && s.held.users == 0
}

// Working reports whether the loaded model is at work.
func (s *Service) Working() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.held != nil && s.held.users > 0
}

// LetGo implements [pool.Holder]: the pool needs the memory for another model.
func (s *Service) LetGo(model string) bool {
	s.mu.Lock()
	h := s.held
	if h == nil || h.chat.Model.ID != model || h.users > 0 {
		s.mu.Unlock()
		return false
	}
	s.held = nil
	s.mu.Unlock()
	h.chat.Close()
	return true
}

// Models lists the language models of this computer that can be loaded, with
// what they need; no weight is read for that.
func (s *Service) Models(ctx context.Context) ([]ModelChoice, error) {
	ctx, done, err := s.life.Begin(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	models, err := s.library.Models(ctx)
	if err != nil {
		return nil, err
	}
	loaded, _ := s.Loaded()
	free := s.freeBytes(loaded.Model.ID)
	var list []ModelChoice
	for _, m := range models {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if !m.CanWrite() {
			continue
		}
		c := ModelChoice{Model: m, Plain: m.Kind == library.KindText, Loaded: m.ID == loaded.Model.ID, FreeBytes: free, Why: m.Reason}
		if m.Usable {
			if c.NeedsBytes, err = s.needs(ctx, m); err != nil {
				c.Why = err.Error()
			} else {
				c.Fits, c.Why = judgeFit(c)
			}
		}
		list = append(list, c)
	}
	return list, nil
}

// freeBytes is what a model may take: what is free and what the models would give
// back that nobody works with. 0: unknown.
func (s *Service) freeBytes(loaded string) int64 {
	free := s.devices.FreeMemory()
	if free == 0 {
		return 0
	}
	for _, o := range s.pool.OpenModels() {
		if !o.InUse || o.Model == loaded {
			free += o.Bytes
		}
	}
	return free
}

// needs is what a model takes as it is opened without further choices. Files that
// stay as they are are not read twice.
func (s *Service) needs(ctx context.Context, m library.Model) (int64, error) {
	e, err := s.library.Find(ctx, m.ID)
	if err != nil {
		return 0, err
	}
	device := s.settings.Settings().Device
	key := e.Stamp + device
	s.mu.Lock()
	known, ok := s.needed[key]
	s.mu.Unlock()
	if ok {
		return known, nil
	}
	where, err := s.pool.Choose(ctx, devices.Target{Device: device}, &e, nil)
	if err != nil {
		if where, err = s.pool.Choose(ctx, devices.Target{}, &e, nil); err != nil {
			return 0, err
		}
	}
	n := s.pool.Wanted(ctx, e, where, devices.Hold{}).Bytes + fit.Resident(e.Source, e.Bytes)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.needed[key] = n
	return n, nil
}

func judgeFit(c ModelChoice) (fits, why string) {
	switch {
	case c.Loaded || c.NeedsBytes == 0 || c.FreeBytes == 0 || float64(c.NeedsBytes) <= fit.Tight*float64(c.FreeBytes):
		return fit.FitsWell, ""
	case c.NeedsBytes <= c.FreeBytes:
		return fit.FitsTight, fmt.Sprintf("It needs %s of the %s that are free.", humanize.Bytes(uint64(c.NeedsBytes)), humanize.Bytes(uint64(c.FreeBytes)))
	}
	return fit.FitsNot, fmt.Sprintf("It needs %s and %s are free; choose a smaller model, or a smaller context.", humanize.Bytes(uint64(c.NeedsBytes)), humanize.Bytes(uint64(c.FreeBytes)))
}
