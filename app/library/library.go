package library

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"inglenook/app/base"
	"inglenook/app/servers"
	"inglenook/filenames"
	"inglenook/hub/repo"
	"inglenook/pipeline"
	"inglenook/regular"
)

// Entry is a model with the location of its files.
type Entry struct {
	Model
	Location Location
	Stamp    string // changes when a file does, or where a server is
	guessed  bool   // Kind is by the name alone, so what is asked for is tried

	choices []string // files, any of which may be meant; empty: it is one model
	idsOnly bool     // it is not usable only because it has no tokenizer
}

// Service knows the models on this computer: the bundled ones, those that were
// added, and those of the Hub's cache.
type Service struct {
	life     *base.Lifetime
	settings *base.SettingsStore
	log      *slog.Logger
	describe Describe
	servers  *servers.Service
	known    known
}

// Describe says what the files of a checkpoint tell about it; WeightsFile is the one
// that was chosen of several.
type Describe func(checkpoint fs.FS, weightsFile string) (pipeline.Description, error)

// New returns the library of the settings.
func New(life *base.Lifetime, settings *base.SettingsStore, log *slog.Logger, servers *servers.Service, describe Describe) *Service {
	return &Service{life: life, settings: settings, log: log, servers: servers, describe: describe}
}

// Models lists the models that can be used: the bundled ones, those that were added,
// those of the Hub cache, which is read in place, and those of servers.
func (l *Service) Models(ctx context.Context) ([]Model, error) {
	ctx, done, err := l.life.Begin(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	places := slices.Clone(bundled)
	settings := l.settings.Settings()
	for _, path := range settings.Recent {
		p, err := pathPlace(ctx, path)
		if err != nil {
			p = Location{ID: path, Name: filepath.Base(path), Source: SourceFolder, Path: path, root: path, Sub: "."}
		}
		places = append(places, p)
	}
	for _, folder := range l.Folders() {
		cached, err := hubPlaces(ctx, folder)
		if err != nil {
			return nil, err
		}
		places = append(places, cached...)
	}

	var list []Model
	for _, p := range places {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if slices.ContainsFunc(list, func(m Model) bool { return m.ID == p.ID }) {
			continue
		}
		for _, m := range l.modelsAt(ctx, p) {
			m.LastUsed = settings.LastUsed[m.ID]
			list = append(list, m)
		}
	}
	for _, m := range l.servers.Models() {
		e := elsewhere(m)
		e.LastUsed = settings.LastUsed[e.ID]
		list = append(list, e.Model)
	}
	return list, nil
}

// modelsAt returns the model of a place; where a repository of the Hub lies there in
// several forms, each of them.
func (l *Service) modelsAt(ctx context.Context, p Location) []Model {
	e := l.examine(ctx, p)
	if p.Source != SourceHubCache || len(e.choices) == 0 {
		return []Model{e.Model}
	}
	var list []Model
	for _, file := range e.choices {
		m := l.examine(ctx, filePlace(ctx, filepath.Join(p.Path, filepath.FromSlash(file)))).Model
		m.Source = SourceHubCache
		list = append(list, m)
	}
	return list
}

// Resolve finds a model by name: "starter-embed" (or nothing), "starter-chat", a folder, one
// .safetensors or .gguf file, or a Hub id that lies in the Hub cache. A model that is
// there but cannot run is found too; its Reason says why not.
func (l *Service) Resolve(ctx context.Context, name string) (Model, error) {
	ctx, done, err := l.life.Begin(ctx)
	if err != nil {
		return Model{}, err
	}
	defer done()
	e, err := l.Find(ctx, name)
	return e.Model, err
}

func (l *Service) Find(ctx context.Context, name string) (Entry, error) {
	if err := ctx.Err(); err != nil {
		return Entry{}, err
	}
	p, err := l.Locate(ctx, name)
	if err != nil {
		return Entry{}, err
	}
	if p.Source == SourceServer {
		m, _, err := l.servers.Find(ctx, name)
		e := elsewhere(m)
		e.Stamp = l.servers.Stamp(m.Server)
		e.LastUsed = l.settings.Settings().LastUsed[e.ID]
		return e, err
	}
	e := l.examine(ctx, p)
	if err := ctx.Err(); err != nil { // and what examine found is that
		return Entry{}, err
	}
	e.LastUsed = l.settings.Settings().LastUsed[e.ID]
	return e, nil
}

// Usable is find for work that is about to begin.
func (l *Service) Usable(ctx context.Context, name string) (Entry, error) {
	e, err := l.WithoutTexts(ctx, name)
	if err == nil && !e.Usable {
		return Entry{}, Unusable(e.Model)
	}
	return e, err
}

// WithoutTexts is Usable for work with token ids or pictures alone, for which a model needs no tokenizer.
func (l *Service) WithoutTexts(ctx context.Context, name string) (Entry, error) {
	e, err := l.Find(ctx, name)
	if err == nil && !e.Usable && !e.idsOnly {
		err = Unusable(e.Model)
	}
	if err != nil {
		return Entry{}, err
	}
	return e, nil
}

// Encodes is usable for work that a language model is not made for.
func (l *Service) Encodes(ctx context.Context, name string) (Entry, error) {
	e, err := l.WithoutTexts(ctx, name) // what it is made for matters more than that a file is missing
	if err == nil && e.Kind == KindTask {
		return Entry{}, fmt.Errorf("%s turns a text into another one and neither embeds nor scores any; use it in Chat, and an embedding model or a reranker here", e.Name)
	}
	if err == nil && e.Kind == KindPictures {
		return Entry{}, fmt.Errorf("%s reads pictures and no texts; use it for pictures alone, and for both a CLIP model with both halves", e.Name)
	}
	if err == nil && e.Writes() && !e.guessed {
		return Entry{}, fmt.Errorf("%s is a language model, which writes text and neither embeds nor scores any; choose an embedding model or a reranker", e.Name)
	}
	if err == nil && !e.Usable {
		return Entry{}, Unusable(e.Model)
	}
	return e, err
}

func (l *Service) Locate(ctx context.Context, name string) (Location, error) {
	if l.servers.Names(name) {
		return l.serverPlace(ctx, name)
	}
	id := cmp.Or(name, StarterEmbed)
	if i := slices.IndexFunc(bundled, func(p Location) bool { return p.ID == id }); i >= 0 {
		return bundled[i], nil
	}
	if strings.ContainsRune(name, 0) {
		return Location{}, errors.New("a model name cannot hold a NUL byte; give a folder, a file or a Hub id")
	}
	path := base.ExpandHome(name)
	if _, err := regular.Stat(ctx, path); err == nil || looksLikePath(name) {
		return pathPlace(ctx, path)
	}
	if !repo.ValidID(name) {
		err := fmt.Errorf("%q is neither a file or folder here nor the name of a model; give %s, a Hub id such as org/name, a folder with config.json and weights, or a .safetensors or .gguf file", name, StarterEmbed)
		return Location{}, unavailable(name, err)
	}
	_, at, err := l.inFolders(ctx, name)
	if err == nil {
		return at, nil
	}
	if gone := l.formerly(name); gone != nil {
		return Location{}, gone
	}
	return at, err
}

// looksLikePath reports whether a name that is nothing on the disk was meant as a
// path, so that the sentence about it is the right one.
func looksLikePath(name string) bool {
	if filepath.IsAbs(name) || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "~") || strings.HasSuffix(name, "/") {
		return true
	}
	return filenames.IsWeights(name)
}

// pathPlace finds the checkpoint at a folder or file.
func pathPlace(ctx context.Context, path string) (Location, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return Location{}, err
	}
	info, err := regular.Stat(ctx, path)
	if errors.Is(err, fs.ErrNotExist) {
		return Location{}, &UnavailableError{base.FileError(path, err), "the file or folder " + base.ShortPath(path) + " of this model is gone, and the model can be used again when that is back"}
	}
	if err != nil {
		return Location{}, base.FileError(path, err)
	}
	if info.IsDir() {
		return folderPlace(path), nil
	}
	if !info.Mode().IsRegular() {
		return Location{}, notModel("%s is neither a folder nor a regular file; give a model folder or a .safetensors or .gguf file", base.ShortPath(path))
	}
	switch strings.ToLower(filepath.Ext(path)) {
	case ".safetensors", ".gguf":
		return filePlace(ctx, path), nil
	case ".json":
		return folderPlace(filepath.Dir(path)), nil
	}
	if format, foreign := filenames.Format(path); foreign {
		return Location{}, notRead(filepath.Base(path), format)
	}
	return Location{}, notModel("%s is not a model; give a folder with config.json and weights, or a .safetensors or .gguf file", filepath.Base(path))
}

// NotModelError is about something that is there and cannot be a model.
type NotModelError struct{ error }

func notModel(format string, args ...any) error { return &NotModelError{fmt.Errorf(format, args...)} }

// examine describes a checkpoint by its files. It always returns an entry; that of an
// unusable model says why.
func (l *Service) examine(ctx context.Context, p Location) Entry {
	e := Entry{Location: p, Model: Model{ID: p.ID, Name: p.Name, Source: p.Source, Path: p.Path}}
	folder, closer, err := p.Open(ctx)
	if err != nil {
		e.Reason = err.Error()
		return e
	}
	defer closer.Close()
	files, stamp := p.files(folder)
	d, err := l.description(ctx, p, folder, stamp, len(files) < maxListedFiles)
	if err != nil {
		e.Reason = p.Blame(ctx, folder, err).Error()
		return e
	}
	e.Files, e.Stamp = files, stamp
	for _, f := range files {
		e.Bytes += f.Bytes
	}
	e.Kind, e.Architecture, e.Format, e.DType = d.Kind, d.Architecture, d.Format, strings.ToLower(d.DType)
	e.Parameters, e.Dimension, e.MaxLength, e.Tools, e.Pictures = d.Parameters, d.Dimension, d.MaxLength, d.Tools, d.Pictures
	e.Thinking, e.Sampling = d.Thinking, d.Sampling
	e.Prompts, e.DefaultPrompt, e.Tasks, e.Classifies = d.Prompts, d.DefaultPrompt, d.Tasks, d.Classifies
	e.Usable, e.Reason, e.choices = d.Supported && d.Incomplete == "", cmp.Or(d.Reason, d.Incomplete), d.Choices
	e.idsOnly = d.Supported && !e.Usable
	if len(d.Choices) > 0 && p.Source == SourceHubCache { // which is no folder that people know
		e.Reason += " by its path, such as " + base.ShortPath(filepath.Join(p.Path, d.Choices[0]))
	}
	return e
}

// description says what the files at a place tell, as far as they are known by the stamp from before.
func (l *Service) description(ctx context.Context, p Location, folder fs.FS, stamp string, whole bool) (pipeline.Description, error) {
	if d, ok := l.known.get(p, stamp); ok {
		return d, nil
	}
	d, err := l.describe(folder, p.WeightsFile)
	if err != nil {
		return d, err
	}
	if !d.Supported {
		d.Reason = p.Blame(ctx, folder, errors.New(d.Reason)).Error()
	} else if d.Incomplete != "" {
		d.Incomplete = p.Blame(ctx, folder, errors.New(d.Incomplete)).Error()
	} else if whole { // the stamp has all files
		l.known.put(p, stamp, d)
	}
	return d, nil
}

// ForgetModel takes a model off the recent list. Its files stay.
func (l *Service) ForgetModel(id string) error {
	found := false
	err := l.settings.SaveSettings(func(s *base.Settings) {
		s.Recent = slices.DeleteFunc(s.Recent, func(have string) bool {
			found = found || have == id
			return have == id
		})
		delete(s.LastUsed, id)
	})
	if !found {
		return fmt.Errorf("%s is not on the list of added models; only those can be taken off it", id)
	}
	return err
}

// LastWork is when a model was used last, to the minute; zero: never.
func (l *Service) LastWork(id string) time.Time { return l.settings.LastUse(id) }

// usedAgain is how often the time of a model's last use is written down.
const usedAgain = time.Minute

// Used notes that a model works.
func (l *Service) Used(id string) {
	now := time.Now()
	if now.Sub(l.settings.LastUse(id)) < usedAgain {
		return
	}
	if err := l.settings.SaveSettings(func(s *base.Settings) { s.LastUsed[id] = now.UTC().Truncate(time.Second) }); err != nil {
		l.log.Warn("last use not kept", "error", err)
	}
}
