package base

import (
	"fmt"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"inglenook/pipeline"
	"inglenook/regular"
)

// Settings are what the program keeps between two starts.
type Settings struct {
	Theme              string               `json:"theme"`                  // "system", "light", "dark"
	TextSize           float32              `json:"text_size,omitempty"`    // of answers and passages, in pixels; 0: the usual
	Scale              float32              `json:"scale,omitempty"`        // of the whole window; 0: the usual
	Still              bool                 `json:"still,omitempty"`        // nothing moves by itself in the window
	Threads            int                  `json:"threads"`                // 0: the physical cores
	Model              string               `json:"model"`                  // last one chosen; "" the bundled one
	ModelFolder        string               `json:"model_folder,omitempty"` // to which models are downloaded; "": that of Hugging Face's tools
	Device             string               `json:"device"`                 // "auto" or a device id
	Developer          bool                 `json:"developer,omitempty"`    // what is for testing is offered as well
	Window             Window               `json:"window"`
	Folders            Folders              `json:"folders,omitzero"`
	Recent             []string             `json:"recent"`    // folders and files that were added, the newest first
	LastUsed           map[string]time.Time `json:"last_used"` // by model id
	SimilarityTexts    []string             `json:"similarity_texts"`
	SimilarityTable    string               `json:"similarity_table,omitempty"`    // file of the table whose column they are; "": none
	SimilarityColumn   int                  `json:"similarity_column,omitempty"`   // which of its columns
	SimilarityFound    *KeptComparison      `json:"similarity_found,omitempty"`    // what was found in them last; nil: nothing
	SimilarityClassify bool                 `json:"similarity_classify,omitempty"` // Classify was in view, not Compare
	Network            Network              `json:"network"`
	Server             ServerSettings       `json:"server"`
	Chat               ChatSettings         `json:"chat"`
	Documents          DocumentsSettings    `json:"documents"`
	Rerank             RerankSettings       `json:"rerank"`
	Classify           ClassifySettings     `json:"classify"`
	Performance        PerformanceSettings  `json:"performance"`
	ClosedTips         []string             `json:"closed_tips,omitempty"`    // by name: what a person does not want to be told again
	Presets            []Preset             `json:"presets,omitempty"`        // the person's own, by name
	Servers            []Server             `json:"servers,omitempty"`        // engines elsewhere
	FormerServers      []string             `json:"former_servers,omitempty"` // names of those that were removed
	// PrefixBytes is how much of the disk the caches of conversations may take; nil: 2 GB; 0: none are kept.
	PrefixBytes *int64 `json:"prefix_bytes,omitempty"`

	UnloadAfter int    `json:"unload_after,omitempty"` // minutes without use after which a model leaves the memory; 0: the usual; below: never
	ModelOrder  string `json:"model_order,omitempty"`  // of the installed models: "name", "size"; "": the last used first
}

// ServerSettings say how other programs are answered while the window is open.
type ServerSettings struct {
	AtStart bool `json:"at_start,omitempty"` // the server is switched on when the window opens
	Port    int  `json:"port,omitempty"`     // 0: the usual one
	Tokens  bool `json:"tokens,omitempty"`   // each request needs a token
	Network bool `json:"network,omitempty"`  // other computers may ask, each with a token
}

// ChatSettings are how the Chat room was left.
type ChatSettings struct {
	Model string `json:"model"` // the one chosen last; "": none
	Talk  string `json:"talk"`  // id of the conversation in view; "": a new one
	List  *bool  `json:"list"`  // whether the list of conversations is open; nil: where there is room

	ListWidth float32 `json:"list_width,omitempty"` // of that list; 0: the usual one

	New NewChats `json:"new,omitzero"`

	Drafts map[string]Draft `json:"drafts,omitempty"` // by conversation; "": of a new one
}

// NewChats is how new conversations begin.
type NewChats struct {
	Model     string `json:"model,omitempty"`      // its id; "": the one chosen last
	Preset    string `json:"preset,omitempty"`     // its name; "": the first
	MaxTokens int    `json:"max_tokens,omitempty"` // of an answer; 0: no limit but the context
}

// DocumentsSettings are how the Documents room was left.
type DocumentsSettings struct {
	Reranker string   `json:"reranker,omitempty"` // the model that reads passages, to sort them; "": none
	Store    string   `json:"store,omitempty"`    // the database that keeps the window's collections, without its password; "": this computer
	Paused   []string `json:"paused,omitempty"`   // ids of collections whose files the window does not read for now
	Removing []string `json:"removing,omitempty"` // ids of collections that were removed and are still to be deleted

	Query  string `json:"query,omitempty"`  // what was searched for last
	Mode   int    `json:"mode,omitempty"`   // in which way
	Chosen string `json:"chosen,omitempty"` // id of the collection that was searched; "": all

	FilesBy   string  `json:"files_by,omitempty"`   // the order of the list of files; "": by name
	ListShare float32 `json:"list_share,omitempty"` // of the room that the list has beside an opened document; 0: the usual one

	Choices map[string][]Choice `json:"choices,omitempty"` // by id of a collection, the newest first
}

// Source is where a text came from: a file, or a passage of a document. Its zero value is a person's keyboard.
type Source struct {
	File  string `json:"file,omitempty"`  // its path
	Place string `json:"place,omitempty"` // in it, in words: "page 3"; "": not known

	Collection string `json:"collection,omitempty"` // id of that which has the file, of a passage
	Written    string `json:"written,omitempty"`    // the passage as the document has it
	Start      int    `json:"start,omitempty"`      // of that in the text of the document
	Page       int    `json:"page,omitempty"`
	Line       int    `json:"line,omitempty"`
	BestFrom   int    `json:"best_from,omitempty"` // from where to where Written answers best
	BestTo     int    `json:"best_to,omitempty"`
}

// RerankSettings are how the Rerank room was left.
type RerankSettings struct {
	Query  string   `json:"query,omitempty"`
	Texts  []string `json:"texts"`            // nil: those of the first look
	From   []Source `json:"from,omitempty"`   // of each of Texts; nil: a person wrote all of them
	Models []string `json:"models,omitempty"` // ids: that of the model that ranks, and of the one beside it
	Best   int      `json:"best,omitempty"`   // how many of the sorted texts are shown; 0: all

	Questions []KeptQuestion `json:"questions,omitempty"` // with which models are compared

	Asked string        `json:"asked,omitempty"` // the question of Found
	Found []KeptRanking `json:"found,omitempty"` // what one model or two found about Texts last

	Tried     []KeptTrial `json:"tried,omitempty"`      // where one model or two found Texts last
	TriedWith []string    `json:"tried_with,omitempty"` // the questions of Tried
}

// KeptTrial is where a model found texts: for each question the place of each text, from 0 on.
type KeptTrial struct {
	Model     string  `json:"model"` // its id
	Name      string  `json:"name"`
	Bytes     int64   `json:"bytes,omitempty"` // of its files
	Dimension int     `json:"dimension,omitempty"`
	TextsPerS float64 `json:"texts_per_s,omitempty"`
	Places    [][]int `json:"places"`

	Notes []string `json:"notes,omitempty"` // what was said of how the texts were read
}

// KeptRanking is what a model found: a score for each text.
type KeptRanking struct {
	Model   string        `json:"model"` // its id
	Name    string        `json:"name"`
	Method  string        `json:"method,omitempty"`
	Pooling string        `json:"pooling,omitempty"`
	Device  string        `json:"device,omitempty"`
	Took    time.Duration `json:"took,omitempty"`
	Scores  []float32     `json:"scores"`

	Elsewhere []float32 `json:"elsewhere,omitempty"` // of the best text, for questions about something else
	Notes     []string  `json:"notes,omitempty"`     // what was said of how the texts were read
}

// mostScores is how many scores of a ranking are kept.
const mostScores = 5000

// cleanFound drops what was found where it is not what this program writes.
func (s *RerankSettings) cleanFound() {
	for _, r := range s.Found {
		if len(s.Found) > 2 || len(r.Scores) == 0 || len(r.Scores) > mostScores || len(r.Scores) != len(s.Found[0].Scores) {
			s.Asked, s.Found = "", nil
			return
		}
	}
	if len(s.Asked) > maxKeptTexts {
		s.Asked, s.Found = "", nil
	}
}

// MostPlaces is how many places of texts are kept of a model that was tried.
const MostPlaces = 20_000

// cleanTried drops where models found texts, where that is not what this program writes.
func (s *RerankSettings) cleanTried() {
	if !s.keepsTried() {
		s.Tried, s.TriedWith = nil, nil
	}
}

func (s *RerankSettings) keepsTried() bool {
	texts := -1
	for _, one := range s.Tried {
		if len(s.Tried) > 2 || len(one.Places) != len(s.TriedWith) || len(one.Places) == 0 {
			return false
		}
		for _, places := range one.Places {
			if texts < 0 {
				texts = len(places)
			}
			if len(places) != texts || texts*len(one.Places) > MostPlaces || slices.ContainsFunc(places, func(p int) bool { return p < 0 || p >= texts }) {
				return false
			}
		}
	}
	return true
}

// ClassifySettings are how the page that classifies was left.
type ClassifySettings struct {
	Model  string   `json:"model,omitempty"`  // id; "": none was chosen
	Labels string   `json:"labels,omitempty"` // as typed; "": those of the first look
	Texts  []string `json:"texts"`            // nil: those of the first look
	Reads  string   `json:"reads,omitempty"`  // how a label becomes a sentence, with {} in its place; "": as a topic

	Table  string `json:"table,omitempty"`  // path of the table that Texts are from; "": none
	Column int    `json:"column,omitempty"` // of its columns with texts

	Found *KeptClasses `json:"found,omitempty"` // what was found in Texts last; nil: nothing

	Sets []LabelSet `json:"sets,omitempty"` // that a person keeps
}

// MaxLabelSets is how many sets of labels a person can keep.
const MaxLabelSets = 50

// LabelSet are labels that a person can take again.
type LabelSet struct {
	Name   string `json:"name"`
	Labels string `json:"labels"`          // as typed
	Reads  string `json:"reads,omitempty"` // as in ClassifySettings
}

// PerformanceSettings are how the Performance room was left.
type PerformanceSettings struct {
	Model string `json:"model,omitempty"` // id of the one chosen last; "": none was chosen
}

// KeptQuestion is a question with the texts that answer it, by their index.
type KeptQuestion struct {
	Text  string `json:"text"`
	Right []int  `json:"right,omitempty"`
}

// Preset is a system prompt with a way to choose tokens, under a name.
type Preset struct {
	Name     string             `json:"name"`
	System   string             `json:"system,omitempty"`
	Sampling *pipeline.Sampling `json:"sampling,omitempty"` // nil: the model's own
	BuiltIn  bool               `json:"-"`                  // it can be neither changed nor deleted
}

// Window is how the window was left.
type Window struct {
	Width  float32 `json:"width"` // 0: as the program likes
	Height float32 `json:"height"`
	Panel  string  `json:"panel"`
	Full   bool    `json:"full"`             // full screen
	Folder string  `json:"folder,omitempty"` // in which an earlier version opened something last, for what [Folders] does not know
	Saved  string  `json:"saved,omitempty"`  // in which it saved something last
}

// Folders are those in which file dialogs ended.
type Folders struct {
	By     map[string]string `json:"by,omitempty"`     // the last one, by what the dialog was for
	Recent []string          `json:"recent,omitempty"` // of all dialogs, the last one first
}

// maxFolders is how many folders are kept.
const maxFolders = 8

// Keep keeps where a dialog ended. What others hold of it stays as it is.
func (f *Folders) Keep(purpose, folder string) {
	f.By = maps.Clone(f.By)
	if f.By == nil {
		f.By = map[string]string{}
	}
	f.By[purpose] = folder
	others := slices.DeleteFunc(slices.Clone(f.Recent), func(r string) bool { return r == folder })
	f.Recent = append([]string{folder}, others[:min(len(others), maxFolders-1)]...)
}

const (
	maxRecent    = 50
	maxLastUsed  = 500
	maxThreads   = 1024
	maxKeptTexts = 1 << 20 // bytes of SimilarityTexts that are kept, and of the texts of Rerank
	maxQuestions = 1000    // of Rerank
	maxWindow    = 32768   // in device-independent pixels
	mostSentence = 1000    // bytes of the sentence of a label

	MaxPresets     = 200
	MaxPresetBytes = 64 << 10 // of a system prompt
)

// defaultPrefixBytes is how much of the disk the caches of conversations may take
// where nobody said otherwise.
const defaultPrefixBytes = 2e9

// PrefixLimit is how many bytes the caches of conversations may take on the disk;
// 0: none are kept.
func (s Settings) PrefixLimit() int64 {
	if s.PrefixBytes == nil {
		return defaultPrefixBytes
	}
	return *s.PrefixBytes
}

// clean puts values that no screen of ours wrote back to their defaults.
func (s *Settings) clean() {
	if s.Server.Port < 0 || s.Server.Port > 65535 {
		s.Server.Port = 0
	}
	if !slices.Contains([]string{"system", "light", "dark"}, s.Theme) {
		s.Theme = "system"
	}
	if s.Threads < 0 || s.Threads > maxThreads {
		s.Threads = 0
	}
	if s.ModelFolder != "" && !filepath.IsAbs(s.ModelFolder) {
		s.ModelFolder = ""
	}
	if s.Device == "" {
		s.Device = "auto"
	}
	if !slices.Contains([]string{"", "name", "size"}, s.ModelOrder) {
		s.ModelOrder = ""
	}
	size := func(v float32) bool { return v >= 0 && v <= maxWindow } // false for NaN
	if !size(s.Window.Width) || !size(s.Window.Height) {
		s.Window.Width, s.Window.Height = 0, 0
	}
	if share := s.Documents.ListShare; !(share > 0 && share < 1) {
		s.Documents.ListShare = 0
	}
	if len(s.Recent) > maxRecent {
		s.Recent = s.Recent[:maxRecent]
	}
	if s.LastUsed == nil {
		s.LastUsed = map[string]time.Time{}
	}
	for len(s.LastUsed) > maxLastUsed {
		delete(s.LastUsed, Oldest(s.LastUsed))
	}
	if s.PrefixBytes != nil && *s.PrefixBytes < 0 {
		s.PrefixBytes = nil
	}
	s.Presets = slices.DeleteFunc(s.Presets, func(p Preset) bool {
		return p.Name == "" || len(p.System) > MaxPresetBytes || p.Sampling != nil && p.Sampling.Check() != nil
	})
	if len(s.Presets) > MaxPresets {
		s.Presets = s.Presets[:MaxPresets]
	}
	s.cleanServers()
	s.Chat.cleanDrafts()
	s.SimilarityTexts, s.Rerank.Texts = firstTexts(s.SimilarityTexts), firstTexts(s.Rerank.Texts)
	s.Classify.Texts = firstTexts(s.Classify.Texts)
	if len(s.Rerank.From) != len(s.Rerank.Texts) {
		s.Rerank.From = nil
	}
	if len(s.Classify.Labels) > maxKeptTexts {
		s.Classify.Labels = ""
	}
	if len(s.Documents.Query) > maxKeptTexts {
		s.Documents.Query = ""
	}
	if len(s.Documents.FilesBy) > maxKeptTexts {
		s.Documents.FilesBy = ""
	}
	if len(s.Rerank.Query) > maxKeptTexts {
		s.Rerank.Query = ""
	}
	if len(s.ClosedTips) > maxRecent {
		s.ClosedTips = s.ClosedTips[:maxRecent]
	}
	if len(s.Classify.Reads) > mostSentence || strings.Count(s.Classify.Reads, "{}") != 1 {
		s.Classify.Reads = ""
	}
	s.Classify.Sets = slices.DeleteFunc(s.Classify.Sets, func(set LabelSet) bool {
		return set.Name == "" || set.Labels == "" || len(set.Labels) > maxKeptTexts || set.Reads != "" && strings.Count(set.Reads, "{}") != 1
	})
	if len(s.Classify.Sets) > MaxLabelSets {
		s.Classify.Sets = s.Classify.Sets[:MaxLabelSets]
	}
	if f := s.Classify.Found; f != nil && f.Size() > mostClasses {
		s.Classify.Found = nil
	}
	if f := s.SimilarityFound; f != nil && !f.Fits(len(s.SimilarityTexts)) {
		s.SimilarityFound = nil
	}
	s.Rerank.cleanFound()
	s.Rerank.cleanTried()
	if len(s.Rerank.Questions) > maxQuestions {
		s.Rerank.Questions = s.Rerank.Questions[:maxQuestions]
	}
}

// firstTexts are the first of some texts, as many as are kept.
func firstTexts(list []string) []string {
	total := 0
	for i, text := range list {
		if total += len(text); total > maxKeptTexts {
			return list[:i]
		}
	}
	return list
}

func Oldest(used map[string]time.Time) (id string) {
	for k, t := range used {
		if id == "" || t.Before(used[id]) {
			id = k
		}
	}
	return id
}

func (s Settings) clone() Settings { return copied(s) }

// SettingsStore keeps the settings in memory and on disk. Several processes
// may share the file: each change is made to what is on disk at that moment.
type SettingsStore struct {
	file versioned
	log  *slog.Logger

	mu      sync.Mutex
	now     Settings
	unsaved bool                         // the last change is in memory only
	read    os.FileInfo                  // of the file as it was read or written last; nil: it was not there
	others  int                          // how often another process had changed it
	changed func(before, after Settings) // called after each change; it may be nil
}

// OpenSettings reads the settings; the note is a sentence for the person where
// the file was not in order. It never fails: without a file there are defaults.
func OpenSettings(path string, log *slog.Logger) (*SettingsStore, string) {
	s := &SettingsStore{file: versioned{path: path}, log: log}
	s.read, _ = os.Stat(path)
	note, err := s.file.read(&s.now)
	if err != nil {
		log.Warn("settings not read", "error", err)
		note = fmt.Sprintf("The settings in %s cannot be read (%v), so Inglenook starts with its own; check the rights of that file.", ShortPath(path), PlainError(err))
	}
	s.now.clean()
	return s, note
}

// Settings returns a copy of the settings.
func (s *SettingsStore) Settings() Settings {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now.clone()
}

// LastUse is when a model was used last; zero: never.
func (s *SettingsStore) LastUse(model string) time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now.LastUsed[model]
}

// Changed calls f after each change.
func (s *SettingsStore) Changed(f func(before, after Settings)) { s.changed = f }

// SaveSettings changes the settings and writes them to disk. The change holds
// for this run even when the error says that it could not be written.
func (s *SettingsStore) SaveSettings(change func(*Settings)) error {
	before, after, err := s.save(change)
	if s.changed != nil {
		s.changed(before, after)
	}
	return err
}

func (s *SettingsStore) save(change func(*Settings)) (before, after Settings, _ error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	unlock := s.lockFile()
	defer unlock()
	before = s.now

	next := s.now.clone()
	fresh := Settings{}
	if _, err := os.Stat(s.file.path); err == nil && !s.unsaved {
		s.isOthers()
		if _, err := s.file.read(&fresh); err == nil {
			next = fresh
		}
	}
	next.clean()
	change(&next)
	next.clean()
	s.now = next
	err := s.file.write(next)
	s.unsaved = err != nil
	s.read, _ = os.Stat(s.file.path)
	if err != nil {
		s.log.Warn("settings not saved", "error", err)
		return before, next.clone(), fmt.Errorf("the settings could not be saved in %s: %w; free some space or check the folder's rights (they hold until you quit)", ShortPath(filepath.Dir(s.file.path)), PlainError(err))
	}
	return before, next.clone(), nil
}

// lockFile keeps another process from changing the file in between. Where the
// file system has no locks the last writer wins, with a whole file all the same.
func (s *SettingsStore) lockFile() (unlock func()) {
	if err := os.MkdirAll(filepath.Dir(s.file.path), 0o700); err != nil {
		return func() {}
	}
	l := regular.NewLock(s.file.path+".lock", 0o600)
	for range 50 {
		got, err := l.TryLock()
		if err != nil {
			break
		}
		if got {
			return func() { _ = l.Unlock() }
		}
		time.Sleep(10 * time.Millisecond)
	}
	return func() { _ = l.Close() }
}
