package chat

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"sync"
	"time"

	"inglenook/app/base"
	"inglenook/app/devices"
	"inglenook/engine"
	"inglenook/hub"
	"inglenook/pipeline/decoding"
)

// keepPatience is how long keeping may hold up what needs the model next, and the
// end of the program.
const keepPatience = time.Second

// keepReserve is how much of the disk is left for other things: without so much,
// nothing is kept.
const keepReserve = 2 << 30

var errLittleRoom = errors.New("the disk is almost full")

// prefixCache keeps what models have read of conversations in files of the cache
// folder, prefix/MODEL/CONVERSATION, so that an old conversation goes on at once.
// All of it can be computed again: what is damaged, of another version or too much is
// removed, and a word in the log is all that is said of it.
type prefixCache struct {
	life     *base.Lifetime
	settings *base.SettingsStore
	log      *slog.Logger
	dir      string

	mu     sync.Mutex
	cancel context.CancelFunc // of the work under way; nil: there is none
	ended  chan struct{}
}

// stamp names a model, how it is open, and the program.
func (h *loaded) stamp() string {
	o, c := h.options, h.chat
	return fmt.Sprintln(c.Model.ID, c.stamp, o.Weights, c.Info().Context, base.Version(), devices.Program())
}

var conversationName = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)

// name is the file of a conversation with a model, "" where there can be none.
func (k *prefixCache) name(h *loaded, conversation string) string {
	if len(conversation) > 64 || !conversationName.MatchString(conversation) {
		return ""
	}
	sum := sha256.Sum256([]byte(h.stamp()))
	return path.Join(hex.EncodeToString(sum[:12]), conversation)
}

// recall opens what was kept of a conversation; nil where there is nothing. The
// caller calls done.
func (k *prefixCache) recall(h *loaded, conversation string) (p *decoding.Prefix, done func()) {
	none := func() {}
	name := k.name(h, conversation)
	if name == "" || k.settings.Settings().PrefixLimit() == 0 {
		return nil, none
	}
	root, err := os.OpenRoot(k.dir)
	if err != nil {
		return nil, none
	}
	f, err := root.Open(name)
	if err != nil {
		root.Close()
		return nil, none
	}
	var bad error
	p = &decoding.Prefix{From: f, Stamp: h.stamp(), Ignored: func(err error) { bad = err }}
	return p, func() {
		f.Close()
		if now := time.Now(); bad == nil {
			_ = root.Chtimes(name, now, now)
		} else {
			k.log.Info("kept cache not used", "conversation", conversation, "why", bad)
			_ = root.Remove(name)
		}
		root.Close()
	}
}

// blockKeeper is a Writer whose cache can be copied to a file.
type blockKeeper interface {
	Held(ctx context.Context) []int32 // the tokens that the cache holds
	KeepPrefix(ctx context.Context, file decoding.PrefixFile, stamp string, ids []int32) error
}

// cached returns the tokens that the model's cache holds, or none where somebody else
// computes with it now.
func (h *loaded) cached(ctx context.Context) []int32 {
	b, ok := h.chat.model.(blockKeeper)
	if !ok {
		return nil
	}
	soon, cancel := context.WithTimeout(context.WithoutCancel(ctx), 100*time.Millisecond)
	defer cancel()
	return b.Held(soon)
}

// keep brings the file of a conversation up to date in the background, then calls
// release.
func (k *prefixCache) keep(ctx context.Context, h *loaded, release func(), conversation string) {
	ids := h.cached(ctx)
	limit, name := k.settings.Settings().PrefixLimit(), k.name(h, conversation)
	closing, done, err := k.life.Begin(context.Background())
	if limit == 0 || name == "" || len(ids) == 0 || err != nil {
		if err == nil {
			done()
		}
		release()
		return
	}
	k.settle(0)
	ctx, cancel := context.WithCancel(context.Background())
	stop := context.AfterFunc(closing, func() { time.AfterFunc(keepPatience, cancel) })
	ended := make(chan struct{})
	k.mu.Lock()
	k.cancel, k.ended = cancel, ended
	k.mu.Unlock()
	go func() {
		defer close(ended)
		defer done()
		defer release()
		defer cancel()
		defer stop()
		start := time.Now()
		err := k.write(ctx, h, name, ids)
		switch {
		case err == nil:
			k.log.Info("cache kept", "conversation", conversation, "tokens", len(ids), "took", time.Since(start).Round(time.Millisecond))
			k.trim(limit, name)
		case errors.Is(err, context.Canceled), errors.Is(err, decoding.ErrPrefixGone), errors.Is(err, engine.ErrCacheStays), errors.Is(err, errLittleRoom):
		default:
			k.log.Warn("cache not kept", "conversation", conversation, "error", err)
			k.remove(name)
		}
	}()
}

func (k *prefixCache) write(ctx context.Context, h *loaded, name string, ids []int32) error {
	if err := os.MkdirAll(filepath.Join(k.dir, path.Dir(name)), 0o700); err != nil {
		return err
	}
	if free, err := hub.FreeSpace(k.dir); err == nil && free < keepReserve {
		return errLittleRoom
	}
	root, err := os.OpenRoot(k.dir)
	if err != nil {
		return err
	}
	defer root.Close()
	f, err := root.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	return errors.Join(h.chat.model.(blockKeeper).KeepPrefix(ctx, f, h.stamp(), ids), f.Close())
}

// settle waits for the work under way; after so long it ends that.
func (k *prefixCache) settle(patience time.Duration) {
	k.mu.Lock()
	cancel, ended := k.cancel, k.ended
	k.mu.Unlock()
	if cancel == nil {
		return
	}
	if patience > 0 {
		select {
		case <-ended:
			return
		case <-time.After(patience):
		}
	}
	cancel()
	<-ended
}

// keptFile is one file of the folder.
type keptFile struct {
	name  string
	bytes int64
	used  time.Time
}

func (k *prefixCache) files(root *os.Root) (list []keptFile) {
	_ = fs.WalkDir(root.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return nil
		}
		if info, err := entry.Info(); err == nil && info.Mode().IsRegular() {
			list = append(list, keptFile{name, info.Size(), info.ModTime()})
		}
		return nil
	})
	return list
}

// trim removes the files that were not used for the longest time until the others
// take no more than limit bytes. The newest goes only where it is too large alone.
func (k *prefixCache) trim(limit int64, newest string) {
	root, err := os.OpenRoot(k.dir)
	if err != nil {
		return
	}
	defer root.Close()
	list := k.files(root)
	total := int64(0)
	for _, f := range list {
		total += f.bytes
	}
	slices.SortFunc(list, func(a, b keptFile) int {
		return cmp.Or(cmp.Compare(boolInt(a.name == newest), boolInt(b.name == newest)), a.used.Compare(b.used))
	})
	for _, f := range list {
		if total <= limit {
			return
		}
		if root.Remove(f.name) == nil {
			total -= f.bytes
			_ = root.Remove(path.Dir(f.name)) // which refuses while others are in it
		}
	}
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (k *prefixCache) remove(name string) {
	if root, err := os.OpenRoot(k.dir); err == nil {
		_ = root.Remove(name)
		root.Close()
	}
}

// forget removes what was kept of a conversation with any model.
func (k *prefixCache) forget(conversation string) {
	root, err := os.OpenRoot(k.dir)
	if err != nil {
		return
	}
	defer root.Close()
	for _, f := range k.files(root) {
		if path.Base(f.name) == conversation {
			_ = root.Remove(f.name)
			_ = root.Remove(path.Dir(f.name))
		}
	}
}

// PrefixBytes is how many bytes the caches of conversations take on the disk.
func (s *Service) PrefixBytes() (total int64) {
	root, err := os.OpenRoot(s.cache.dir)
	if err != nil {
		return 0
	}
	defer root.Close()
	for _, f := range s.cache.files(root) {
		total += f.bytes
	}
	return total
}

// TrimPrefixes removes what goes beyond the limit of the settings.
func (s *Service) TrimPrefixes() { s.cache.trim(s.settings.Settings().PrefixLimit(), "") }
