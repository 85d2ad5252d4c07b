package documents

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"inglenook/app/base"
	"inglenook/cpubackend/scan"
	"inglenook/documents/store"
	"inglenook/documents/store/sqlite"
)

// StageMoving is the stage of a move: its counts are files.
const StageMoving = "moving"

// movedKey marks a collection that is on its way: the id that it has where it comes from.
const movedKey = "moved from"

// Moved is what a move came to.
type Moved struct {
	Name            string
	Files, Passages int
}

// Move brings a collection of this computer into the database at an address, or back from
// there, with texts and vectors: nothing is read or embedded again. It is removed where it
// was once all of it has arrived. A move that was ended goes on when it is started again.
func (s *Service) Move(ctx context.Context, collection, address string, back bool, report func(base.Progress)) (Moved, error) {
	ctx, done, err := s.life.Begin(ctx)
	if err != nil {
		return Moved{}, err
	}
	defer done()
	here, there, err := s.bothStores(ctx, address)
	if err != nil {
		return Moved{}, base.InContext(ctx, err)
	}
	defer there.Close()
	defer here.Close()
	from, to, say := store.Store(here), store.Store(there), databaseSentence
	if back {
		from, to, say = there, here, s.sentence
	}
	moved, err := s.move(ctx, from, to, collection, base.NewStage(StageMoving, "files", report).Texts)
	if err == nil {
		err = s.improveMoved(ctx, to, moved.Name, report)
	}
	if err != nil {
		var ours moveError
		if errors.As(err, &ours) || ctx.Err() != nil {
			return Moved{}, base.InContext(ctx, err)
		}
		return Moved{}, say(err)
	}
	s.announce()
	return moved, nil
}

func (s *Service) improveMoved(ctx context.Context, to store.Store, name string, report func(base.Progress)) error {
	c, err := inStore(ctx, to, name)
	if err != nil || c == nil {
		return err
	}
	return s.improve(ctx, c, report)
}

// moveError is a sentence about a move that cannot be.
type moveError string

func (e moveError) Error() string { return string(e) }

// bothStores opens the collections of this computer and those of a database. No other
// call uses the ones of this computer meanwhile.
func (s *Service) bothStores(ctx context.Context, address string) (here, there store.Store, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.runs) > 0 {
		return nil, nil, moveError("a collection is being indexed; stop that, or wait until it has ended, and move then")
	}
	if err := s.closeStores(); err != nil {
		return nil, nil, err
	}
	if there, err = s.openDatabase(ctx, address); err != nil {
		return nil, nil, err
	}
	if there.ReadOnly() { // a move writes there, or removes there what has arrived here
		return nil, nil, errors.Join(moveError("your user may only read the database, so nothing can be moved into it or out of it; ask who runs it for the right to write"), there.Close())
	}
	scanner, err := scan.New("")
	if err != nil {
		return nil, nil, errors.Join(err, there.Close())
	}
	if here, err = sqlite.OpenToWrite(ctx, s.folder, scanner); err != nil {
		return nil, nil, errors.Join(s.sentence(err), there.Close())
	}
	if here.ReadOnly() {
		return nil, nil, errors.Join(moveError("another Inglenook has the collections of this computer open; end it, and move then"), here.Close(), there.Close())
	}
	return here, there, nil
}

func (s *Service) move(ctx context.Context, from, to store.Store, name string, copied func(done, total int)) (Moved, error) {
	source, err := inStore(ctx, from, name)
	if err != nil {
		return Moved{}, err
	}
	target, err := inStore(ctx, to, name)
	if err != nil {
		return Moved{}, err
	}
	switch {
	case source == nil && target != nil && len(target.Setting(movedKey)) > 0: // ended after the last file
		return s.finishMove(ctx, target)
	case source == nil:
		return Moved{}, moveError(fmt.Sprintf("there is no collection %q where it is to be moved from", name))
	case target == nil:
		if target, err = to.Create(ctx, source.Name()); err != nil {
			return Moved{}, err
		}
	}
	if err := begin(ctx, target, source); err != nil {
		return Moved{}, err
	}
	if err := store.Copy(ctx, source, target, copied); err != nil {
		return Moved{}, err
	}
	for _, key := range []string{foldersKey, modelsKey, leftOutKey, unreadKey, heldKey, probesKey} {
		if value := source.Setting(key); value != nil {
			if err := target.SetSetting(key, value); err != nil {
				return Moved{}, err
			}
		}
	}
	if err := sameSize(ctx, source, target); err != nil {
		return Moved{}, err
	}
	if err := from.Remove(ctx, source.ID()); err != nil {
		return Moved{}, err
	}
	return s.finishMove(ctx, target)
}

// begin marks a collection as the one that another is moved into, unless it is marked. One that
// holds nothing may be what a move made that ended right then.
func begin(ctx context.Context, target, source store.Collection) error {
	if isFrom(target, source) {
		return nil
	}
	sum, err := target.Summary(ctx)
	if err != nil {
		return err
	}
	if len(sum.Files) > 0 || sum.Embedder != "" || target.Setting(foldersKey) != nil {
		return moveError(fmt.Sprintf("there is another collection %s where it is to be moved to; remove or rename one of them", source.Name()))
	}
	return setJSON(target, movedKey, source.ID())
}

// finishMove takes the mark away. The servers that were chosen for the collection stay those.
func (s *Service) finishMove(ctx context.Context, target store.Collection) (Moved, error) {
	sum, err := target.Summary(ctx)
	if err != nil {
		return Moved{}, err
	}
	if err := s.library.MoveChoices(movedFrom(target), target.ID()); err != nil {
		return Moved{}, moveError(err.Error())
	}
	return Moved{target.Name(), sum.Files[store.Indexed], sum.Passages}, target.SetSetting(movedKey, nil)
}

// isFrom reports whether a collection is the beginning of a move of another one.
func isFrom(target, source store.Collection) bool {
	return movedFrom(target) == source.ID()
}

// movedFrom is the id that a collection had before the move that is under way; "": there is none.
func movedFrom(target store.Collection) (id string) {
	_ = json.Unmarshal(target.Setting(movedKey), &id)
	return id
}

// sameSize makes sure that all has arrived, before the source goes.
func sameSize(ctx context.Context, source, target store.Collection) error {
	a, err := source.Summary(ctx)
	if err != nil {
		return err
	}
	b, err := target.Summary(ctx)
	if err != nil {
		return err
	}
	if a.Passages != b.Passages || a.Files[store.Indexed] != b.Files[store.Indexed] {
		return moveError(fmt.Sprintf("%d of %d passages and %d of %d files have arrived, so the collection stays where it was; move it again", b.Passages, a.Passages, b.Files[store.Indexed], a.Files[store.Indexed]))
	}
	return nil
}

// inStore returns the collection of a name, nil where there is none.
func inStore(ctx context.Context, in store.Store, name string) (store.Collection, error) {
	all, err := in.Collections(ctx)
	if err != nil {
		return nil, err
	}
	for _, c := range all {
		if strings.EqualFold(c.Name(), strings.TrimSpace(name)) {
			return c, nil
		}
	}
	return nil, nil
}
