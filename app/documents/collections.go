package documents

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"

	"inglenook/app/base"
	"inglenook/app/library"
	"inglenook/documents/index"
	"inglenook/documents/store"
	"inglenook/regular"
)

// Collection is a set of files that are searched together.
type Collection struct {
	ID       string
	Name     string
	Folders  []Folder
	Files    int // that are indexed
	Waiting  int // that were indexed and cannot be read just now
	Unread   int // that a run which goes on, or was ended early, has still to read
	Failed   int
	Skipped  int
	LeftOut  int // what the last run met and left out, such as hidden files: index names them
	Passages int
	Bytes    int64  // of the index, on disk
	Model    string // the embedding model that serves searches, by its id; empty: none yet
	Next     string // the model whose vectors are being made; empty: none
	Missing  int    // passages that have no vector of that model yet
	Ask      string // the model of a server that is to embed it and gets nothing until it is chosen for it here; empty: none
	Checks   Checks // of searches by meaning
	Held     Held   // how the weights of that model are held, the zero Held where nothing is noted
	Indexing bool
	Paused   bool
	ReadOnly bool // another Inglenook keeps it, so it can be searched here and not changed
}

// Counts says in a line how many files are searched, are still to be read, and cannot be read; "":
// no file is known.
func (c Collection) Counts() string {
	var parts []string
	if n := c.Files + c.Waiting; n > 0 || c.Unread+c.Failed+c.Skipped > 0 {
		parts = append(parts, humanize.Comma(int64(n))+" "+english.PluralWord(n, "file", "")+" searched")
	}
	if c.Unread > 0 {
		still := " still to be read"
		if c.Indexing && !c.Paused {
			still = " still being read"
		}
		parts = append(parts, humanize.Comma(int64(c.Unread))+still)
	}
	if n := c.Failed + c.Skipped; n > 0 {
		parts = append(parts, humanize.Comma(int64(n))+" unreadable")
	}
	return strings.Join(parts, ", ")
}

// Checks tell how good searches by meaning are in a large collection.
type Checks = store.Checks

// AllName names all collections together.
const AllName = "All collections"

// Together is what collections hold, as one without an id.
func Together(all []Collection) Collection {
	sum := Collection{Name: AllName}
	for _, c := range all {
		sum.Files, sum.Waiting, sum.Unread = sum.Files+c.Files, sum.Waiting+c.Waiting, sum.Unread+c.Unread
		sum.Failed, sum.Skipped, sum.Passages = sum.Failed+c.Failed, sum.Skipped+c.Skipped, sum.Passages+c.Passages
		sum.Indexing = sum.Indexing || c.Indexing && !c.Paused
	}
	return sum
}

// AboutChecks says in a sentence how good searches by meaning are, "" where they are exact.
func (c Collection) AboutChecks() string {
	if c.Checks.Checked == 0 {
		return ""
	}
	return fmt.Sprintf("%d of your last %d searches that were checked found the same ten passages as an exact search.", c.Checks.Same, c.Checks.Checked)
}

// Folder is a folder or file that a collection covers.
type Folder struct {
	Path    string   `json:"path"` // absolute
	Include []string `json:"include,omitempty"`
	Exclude []string `json:"exclude,omitempty"`
}

func (f Folder) root() index.Root {
	return index.Root{Path: f.Path, Patterns: index.Patterns{Include: f.Include, Exclude: f.Exclude}}
}

// Holds reports whether a path is that of the folder or file, or lies in it.
func (f Folder) Holds(path string) bool { return index.Root{Path: f.Path}.Covers(path) }

// DefaultName is the collection that is made where nobody names one.
const DefaultName = "Documents"

// The settings of a collection.
const (
	foldersKey = "folders"  // []Folder
	modelsKey  = "models"   // map[string]string: the model of each embedder id
	leftOutKey = "left out" // int: of the last run over all folders
	unreadKey  = "unread"   // unread: of a run that goes on or was ended early
)

// Collections returns all collections by name.
func (s *Service) Collections(ctx context.Context) ([]Collection, error) {
	ctx, done, err := s.life.Begin(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	all, err := s.all(ctx)
	if err != nil {
		return nil, err
	}
	list := make([]Collection, len(all))
	for i, c := range all {
		if list[i], err = s.describe(ctx, c); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// Collection returns the collection with a name or an id.
func (s *Service) Collection(ctx context.Context, name string) (Collection, error) {
	ctx, c, done, err := s.enter(ctx, name)
	if err != nil {
		return Collection{}, err
	}
	defer done()
	return s.describe(ctx, c)
}

func (s *Service) describe(ctx context.Context, c store.Collection) (Collection, error) {
	told, runs := s.untold(c.ID())
	sum, err := c.Summary(ctx)
	if err != nil {
		return Collection{}, s.sentence(err)
	}
	models := modelsOf(c)
	serving, next, missing := models[sum.Embedder], models[sum.Building], sum.Missing
	switch {
	case sum.Building == "" && serving != "" && models[""] != serving:
		next, missing = models[""], sum.Passages // no vector is made yet
	case sum.Building == "":
		next = ""
	}
	if serving != "" {
		serving = s.modelHere(ctx, c, sum.Embedder)
	}
	wanted, chosen := s.nameHere(ctx, c, "")
	ask := ""
	if !chosen && s.library.HasServer(wanted) {
		ask = wanted
	}
	off, err := left(ctx, c)
	if err != nil {
		return Collection{}, s.sentence(err)
	}
	unread := unreadOf(c).left(sum)
	if runs {
		unread = told.left(sum)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, f := range off { // not deleted yet
		sum.Files[f.State]--
		sum.Passages = max(0, sum.Passages-f.Passages)
	}
	return Collection{
		ID: c.ID(), Name: c.Name(), Folders: foldersOf(c), ReadOnly: s.store.ReadOnly(),
		Files: sum.Files[store.Indexed], Waiting: sum.Files[store.Waiting], Unread: unread, Failed: sum.Files[store.Failed], Skipped: sum.Files[store.Skipped], LeftOut: leftOutOf(c),
		Passages: sum.Passages, Bytes: sum.Bytes, Model: serving, Next: next, Missing: missing, Ask: ask, Checks: sum.Checks, Held: heldOf(c)[sum.Embedder],
		Indexing: s.runs[c.ID()] != nil, Paused: s.paused[c.ID()],
	}, nil
}

func (s *Service) all(ctx context.Context) ([]store.Collection, error) {
	kept, err := s.kept(ctx)
	if err != nil {
		return nil, err
	}
	all, err := kept.Collections(ctx)
	if closed := kept.Closed(); err == nil && len(all) == 0 && len(closed) > 0 {
		return nil, s.cannotOpen(closed[0])
	}
	return all, s.sentence(err)
}

// ClosedError is about a collection that is there and could not be opened. It can be
// removed.
type ClosedError struct {
	ID, Name string
	sentence string
}

func (e *ClosedError) Error() string { return e.sentence }

// cannotOpen returns why a collection that exists could not be opened.
func (s *Service) cannotOpen(c store.Closed) error {
	why, _, _ := strings.Cut(base.PlainError(c.Err).Error(), " (") // without the database's number
	todo := "Check the rights of " + base.ShortPath(s.folder) + ", and try again"
	switch {
	case errors.Is(c.Err, store.ErrBeginning):
		todo = "Try again in a moment"
	case errors.Is(c.Err, store.ErrDiskFull):
		why, todo = "the disk is full", "Free some space on the disk of "+base.ShortPath(s.folder)+", and try again"
	}
	return &ClosedError{c.ID, c.Name, fmt.Sprintf("the collection %s is there and could not be opened (%s); nothing of it is lost. %s", c.Name, why, todo)}
}

// ClosedNotes are sentences about collections that are there and could not be opened.
func (s *Service) ClosedNotes(ctx context.Context) (notes []string) {
	if kept, err := s.kept(ctx); err == nil {
		for _, c := range kept.Closed() {
			notes = append(notes, s.cannotOpen(c).Error())
		}
	}
	return notes
}

// enter begins work on the collection with a name or an id. The work has to end with
// the context, and with a call of done.
func (s *Service) enter(ctx context.Context, name string) (_ context.Context, c store.Collection, done func(), err error) {
	ctx, done, err = s.life.Begin(ctx)
	if err != nil {
		return nil, nil, nil, err
	}
	if c, err = s.find(ctx, name); err != nil {
		done()
		return nil, nil, nil, err
	}
	return ctx, c, done, nil
}

// find returns the collection with a name or an id.
func (s *Service) find(ctx context.Context, name string) (store.Collection, error) {
	kept, err := s.kept(ctx)
	if err != nil {
		return nil, err
	}
	called := func(id, own string) bool { return id == name || strings.EqualFold(own, strings.TrimSpace(name)) }
	var names []string
	for _, c := range kept.Closed() {
		if called(c.ID, c.Name) {
			return nil, s.cannotOpen(c)
		}
		names = append(names, c.Name)
	}
	all, err := kept.Collections(ctx)
	if err != nil {
		return nil, s.sentence(err)
	}
	for _, c := range all {
		if called(c.ID(), c.Name()) {
			return c, nil
		}
		names = append(names, c.Name())
	}
	if len(names) == 0 {
		return nil, noCollectionError(fmt.Sprintf("there is no collection %q, nor any other; index a folder first", name))
	}
	return nil, noCollectionError(fmt.Sprintf("there is no collection %q; there are: %s", name, strings.Join(names, ", ")))
}

// noCollectionError says that there is no collection of a name or id.
type noCollectionError string

func (e noCollectionError) Error() string { return string(e) }

// enterOf is enter for the collection of a passage that was found before, which a person does
// not know by its id.
func (s *Service) enterOf(ctx context.Context, id string) (_ context.Context, c store.Collection, done func(), err error) {
	ctx, c, done, err = s.enter(ctx, id)
	if none := noCollectionError(""); errors.As(err, &none) {
		err = errors.New("the collection that this passage is from was removed, so its document cannot be opened here; what was quoted from it stays in the chat")
	}
	return ctx, c, done, err
}

// AddRequest says what a collection should cover.
type AddRequest struct {
	Collection string // its name or id; "": DefaultName; made if there is none
	ByFolder   bool   // without a Collection: one with the name of the folder, where Paths is one
	Paths      []string
	Include    []string // patterns; empty: every file
	Exclude    []string
	Again      bool   // Include and Exclude are those of before: they hold for paths that are covered, also where they are empty
	Model      string // that embeds the collection if it is new; "": the bundled one
}

// Add makes a collection cover folders and files. It reads none of them: Index does.
func (s *Service) Add(ctx context.Context, r AddRequest) (Collection, error) {
	ctx, done, err := s.life.Begin(ctx)
	if err != nil {
		return Collection{}, err
	}
	defer done()
	added, err := foldersFor(ctx, r)
	if err != nil {
		return Collection{}, err
	}
	name := cmp.Or(r.Collection, DefaultName)
	if r.Collection == "" && r.ByFolder {
		if name, err = s.nameFor(ctx, added); err != nil {
			return Collection{}, err
		}
	}
	c, err := s.findOrMake(ctx, name, r.Model)
	if err != nil {
		return Collection{}, err
	}
	s.covering.Lock()
	err = changeJSON(c, foldersKey, func(folders []Folder) []Folder { return covering(folders, added, r.Again) })
	s.covering.Unlock()
	if err != nil {
		return Collection{}, s.sentence(err)
	}
	s.announce()
	return s.describe(ctx, c)
}

// covering returns folders with some added; of one that is there, patterns that are given
// replace those before, and with again none does too.
func covering(folders, added []Folder, again bool) []Folder {
	for _, a := range added {
		i := slices.IndexFunc(folders, func(f Folder) bool { return f.Path == a.Path })
		if i < 0 {
			folders = append(folders, a)
		} else if again || len(a.Include)+len(a.Exclude) > 0 {
			folders[i] = a
		}
	}
	return folders
}

// foldersFor checks the paths and patterns of a request.
func foldersFor(ctx context.Context, r AddRequest) (list []Folder, _ error) {
	if err := (index.Patterns{Include: r.Include, Exclude: r.Exclude}).Check(); err != nil {
		return nil, err
	}
	for _, p := range r.Paths {
		path, err := filepath.Abs(base.ExpandHome(p))
		if err != nil {
			return nil, err
		}
		if _, err := regular.Stat(ctx, path); err != nil {
			return nil, base.FileError(path, err)
		}
		list = append(list, Folder{Path: path, Include: r.Include, Exclude: r.Exclude})
	}
	return list, nil
}

func (s *Service) findOrMake(ctx context.Context, name, model string) (store.Collection, error) {
	c, err := s.find(ctx, name)
	if closed := (*ClosedError)(nil); err == nil || errors.As(err, &closed) {
		return c, err // a second collection of the name would hide the one that is closed
	}
	if err := checkName(name); err != nil {
		return nil, err
	}
	e, err := s.library.Encodes(ctx, cmp.Or(model, library.StarterEmbed))
	if err != nil {
		return nil, err
	}
	kept, err := s.kept(ctx)
	if err != nil {
		return nil, err
	}
	if c, err = kept.Create(ctx, name); errors.Is(err, store.ErrExists) { // somebody else has just made it
		return s.find(ctx, name)
	} else if err != nil {
		return nil, s.sentence(err)
	}
	if err := s.library.ChooseFor(c.ID(), e); err != nil {
		return c, err
	}
	return c, s.sentence(setModel(c, e.ID, ""))
}

// forgetRuns forgets what runs over a collection said that covers nothing any more.
func forgetRuns(c store.Collection) error {
	if err := setJSON(c, unreadKey, unread{}); err != nil {
		return err
	}
	return setJSON(c, leftOutKey, 0)
}

// Remove deletes a collection: all that was kept of its files. The files stay. A run
// that goes on ends.
func (s *Service) Remove(ctx context.Context, collection string) error {
	ctx, done, err := s.life.Begin(ctx)
	if err != nil {
		return err
	}
	defer done()
	var id string
	var closed *ClosedError
	switch c, err := s.find(ctx, collection); {
	case err == nil:
		id = c.ID()
	case errors.As(err, &closed):
		id = closed.ID // also what cannot be opened: that frees space
	default:
		return err
	}
	s.Stop(id)
	kept, err := s.kept(ctx)
	if err != nil {
		return err
	}
	defer s.announce()
	if err := kept.Remove(ctx, id); err != nil {
		return s.sentence(err)
	}
	return s.library.ForgetChoices(id)
}

// Rename gives a collection another name.
func (s *Service) Rename(ctx context.Context, collection, name string) error {
	ctx, c, done, err := s.enter(ctx, collection)
	if err != nil {
		return err
	}
	defer done()
	if err := checkName(name); err != nil {
		return err
	}
	return s.sentence(c.Rename(ctx, name))
}

func foldersOf(c store.Collection) []Folder { return settingOf[[]Folder](c, foldersKey) }

// settingOf is a setting of a collection, the zero value where nothing is kept.
func settingOf[T any](c store.Collection, key string) (value T) {
	_ = json.Unmarshal(c.Setting(key), &value)
	return value
}

func modelsOf(c store.Collection) map[string]string {
	models := map[string]string{}
	_ = json.Unmarshal(c.Setting(modelsKey), &models)
	return models
}

func leftOutOf(c store.Collection) (n int) {
	_ = json.Unmarshal(c.Setting(leftOutKey), &n)
	return n
}

func setJSON(c store.Collection, key string, value any) error {
	data, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return c.SetSetting(key, data)
}

// changeJSON puts what change makes of a setting in its place, so that nothing is lost of
// what other processes keep there.
func changeJSON[T any](c store.Collection, key string, change func(T) T) error {
	return c.ChangeSetting(key, func(data []byte) ([]byte, error) {
		var value T
		_ = json.Unmarshal(data, &value)
		return json.Marshal(change(value))
	})
}
