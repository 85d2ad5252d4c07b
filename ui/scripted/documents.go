package scripted

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"inglenook/app/base"
	"inglenook/app/documents"
	text "inglenook/documents"
)

// Documents stand in for the application's documents: files that it is given, in which
// it finds the paragraphs that hold a word of the question.
type Documents struct {
	Mu        sync.Mutex
	Texts     map[string]string // of files, by path
	LeftOut   []documents.File  // what Health answers
	Pinpoints bool              // Pinpoint finds sentences
	Failing   error             // what Search, Add and Open answer
	Asked     []documents.SearchRequest
	Added     []documents.AddRequest
	Sorted    []documents.RerankRequest // what Rerank was asked
	Far       bool                      // nothing that Search finds is close, as Settle says
	Doubt     string                    // why its scores are not to be relied on
	Sorting   chan struct{}             // Rerank waits until it is closed; nil: it does not
	Seeking   chan struct{}             // Search waits until it is closed; nil: it does not
	Opening   bool                      // meanwhile it opens a model, so that one by words alone does not wait
	Reading   chan struct{}             // Index waits until it is closed, as another run goes on; nil: it does not
	Removed   []string                  // collections
	Off       []string                  // what TakeOff was asked to leave out
	Forgotten []string                  // collections of which what was taken off is deleted
	Pages     int                       // of every file that ends in .pdf, one for each paragraph; 0: no pictures
	Drawn     []int                     // pages, in the order in which they were asked for
	Drawing   chan struct{}             // pictures wait until it is closed; nil: they do not
	all       []documents.Collection
	told      chan struct{} // closed when collections change
}

// NewDocuments returns documents without a collection.
func NewDocuments() *Documents {
	return &Documents{Texts: map[string]string{}, told: make(chan struct{})}
}

// Put makes a collection of texts by path.
func (d *Documents) Put(name string, texts map[string]string) {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	c := documents.Collection{ID: name, Name: name, Files: len(texts)}
	for _, path := range slices.Sorted(maps.Keys(texts)) {
		t := texts[path]
		d.Texts[path] = t
		c.Passages += len(paragraphs(t))
		c.Folders = append(c.Folders, documents.Folder{Path: path})
	}
	d.all = append(d.all, c)
}

// Alter changes what is told of a collection.
func (d *Documents) Alter(collection string, change func(*documents.Collection)) {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	for i := range d.all {
		if d.all[i].ID == collection {
			change(&d.all[i])
		}
	}
}

// SetEmbedder makes a model serve a collection.
func (d *Documents) SetEmbedder(collection, model string) {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	for i := range d.all {
		if d.all[i].ID == collection {
			d.all[i].Model = model
		}
	}
}

// SetAsk has a collection wait until a model of a server is chosen for it.
func (d *Documents) SetAsk(collection, model string) {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	for i := range d.all {
		if d.all[i].ID == collection {
			d.all[i].Ask = model
		}
	}
}

// Change replaces the text of a file, which the watch notices.
func (d *Documents) Change(path, t string) {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	d.Texts[path] = t
	d.announce()
}

func (d *Documents) announce() {
	close(d.told)
	d.told = make(chan struct{})
}

// Collections lists the collections.
func (d *Documents) Collections(context.Context) ([]documents.Collection, error) {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	return slices.Clone(d.all), nil
}

// Text is that of a file of any collection, or Failing.
func (d *Documents) Text(_ context.Context, path string) (string, []string, error) {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	return d.Texts[path], nil, d.Failing
}

// Add makes a collection cover paths.
func (d *Documents) Add(_ context.Context, r documents.AddRequest) (documents.Collection, error) {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	if d.Failing != nil {
		return documents.Collection{}, d.Failing
	}
	d.Added = append(d.Added, r)
	name := r.Collection
	if name == "" {
		name = documents.DefaultName
	}
	i := slices.IndexFunc(d.all, func(c documents.Collection) bool { return c.Name == name })
	if i < 0 {
		d.all = append(d.all, documents.Collection{ID: name, Name: name})
		i = len(d.all) - 1
	}
	for _, p := range r.Paths {
		d.all[i].Folders = append(d.all[i].Folders, documents.Folder{Path: p})
		d.all[i].Files++
	}
	d.announce()
	return d.all[i], nil
}

// Had finds files and folders of collections.
func (d *Documents) Had(_ context.Context, collection string, paths []string) (had []documents.Had, _ error) {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	for _, path := range paths {
		i := slices.IndexFunc(d.all, func(c documents.Collection) bool {
			return (collection == "" || c.Name == collection) && slices.ContainsFunc(c.Folders, func(f documents.Folder) bool {
				return f.Path == path || strings.HasPrefix(path, f.Path+"/")
			})
		})
		if i < 0 {
			continue
		}
		one := documents.Had{Path: path, Collection: d.all[i]}
		if _, isFile := d.Texts[path]; isFile {
			one.File = documents.File{Path: path, Format: formatOf(path), State: "indexed"}
		}
		had = append(had, one)
	}
	return had, nil
}

// AddSamples makes the collection of samples.
func (d *Documents) AddSamples(ctx context.Context) (documents.Collection, error) {
	return d.Add(ctx, documents.AddRequest{Collection: documents.SamplesName, Paths: []string{"/samples"}})
}

// SetModel notes the model of a collection.
func (d *Documents) SetModel(_ context.Context, collection, model string) error {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	for i := range d.all {
		if d.all[i].ID == collection {
			d.all[i].Next, d.all[i].Missing = model, d.all[i].Passages
			if model == d.all[i].Model {
				d.all[i].Next, d.all[i].Missing = "", 0
			}
			if model == d.all[i].Ask {
				d.all[i].Ask = ""
			}
		}
	}
	return d.Failing
}

// TakeOff makes a collection no longer cover a path.
func (d *Documents) TakeOff(_ context.Context, collection, path string) error {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	d.Off = append(d.Off, path)
	for i := range d.all {
		if d.all[i].ID == collection {
			d.all[i].Folders = slices.DeleteFunc(slices.Clone(d.all[i].Folders), func(f documents.Folder) bool { return f.Path == path })
		}
	}
	return nil
}

// Forget notes that what was taken off a collection is deleted.
func (d *Documents) Forget(_ context.Context, collection string) error {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	d.Forgotten = append(d.Forgotten, collection)
	return nil
}

// Remove deletes a collection.
func (d *Documents) Remove(_ context.Context, collection string) error {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	d.Removed = append(d.Removed, collection)
	d.all = slices.DeleteFunc(d.all, func(c documents.Collection) bool { return c.ID == collection })
	return nil
}

// Rename gives a collection another name.
func (d *Documents) Rename(_ context.Context, collection, name string) error {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	for i := range d.all {
		if d.all[i].ID == collection {
			d.all[i].Name = name
		}
	}
	return nil
}

// Watch tells of one run for each change, until ctx ends.
func (d *Documents) Watch(ctx context.Context, report func(documents.Watched)) error {
	for {
		d.Mu.Lock()
		told, all := d.told, slices.Clone(d.all)
		d.Mu.Unlock()
		for _, c := range all {
			report(documents.Watched{Collection: c.ID, Event: &documents.Event{}})
			r := documents.IndexResult{Collection: c, Device: "cpu"}
			r.Indexed = c.Files
			report(documents.Watched{Collection: c.ID, Result: r})
		}
		select {
		case <-told:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Index reads the files that were left out, and those that are locked with the password
// "open"; the watch has done the rest.
func (d *Documents) Index(ctx context.Context, r documents.IndexRequest, report func(documents.Event), _ func(base.Progress)) (result documents.IndexResult, _ error) {
	d.Mu.Lock()
	wait := d.Reading
	d.Mu.Unlock()
	if wait != nil {
		if r.Waits == nil {
			return result, documents.ErrIndexing
		}
		r.Waits()
		select {
		case <-wait:
		case <-ctx.Done():
			return result, ctx.Err()
		}
	}
	d.Mu.Lock()
	defer d.Mu.Unlock()
	report(documents.Event{})
	d.LeftOut = slices.DeleteFunc(slices.Clone(d.LeftOut), func(f documents.File) bool {
		read := r.Passwords[f.Path] == thePassword || r.Retry && f.State == "failed" && !strings.Contains(f.Reason, "password")
		if read {
			result.Indexed++
		}
		return read
	})
	result.Collection.Failed = len(d.LeftOut)
	return result, d.Failing
}

// Pause notes that a collection waits.
func (d *Documents) Pause(collection string) { d.setPaused(collection, true) }

// Resume notes that it goes on.
func (d *Documents) Resume(collection string) { d.setPaused(collection, false) }

func (d *Documents) setPaused(collection string, on bool) {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	for i := range d.all {
		if d.all[i].ID == collection {
			d.all[i].Paused = on
		}
	}
}

// Health returns what was left out.
func (d *Documents) Health(context.Context, string) ([]documents.File, error) {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	return d.LeftOut, nil
}

// Files are those of a collection, and what was left out.
func (d *Documents) Files(_ context.Context, collection string) (files []documents.File, _ error) {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	if d.Failing != nil {
		return nil, d.Failing
	}
	for _, c := range d.all {
		if c.ID != collection {
			continue
		}
		for _, path := range slices.Sorted(maps.Keys(d.Texts)) {
			covers := func(f documents.Folder) bool { return f.Path == path || strings.HasPrefix(path, f.Path+"/") }
			if t := d.Texts[path]; slices.ContainsFunc(c.Folders, covers) {
				files = append(files, documents.File{Path: path, Format: formatOf(path), State: "indexed", Size: int64(len(t)), Passages: len(paragraphs(t))})
			}
		}
	}
	return append(files, d.LeftOut...), nil
}

// Search finds the paragraphs that hold a word of the question.
func (d *Documents) Search(ctx context.Context, r documents.SearchRequest) (documents.SearchResult, error) {
	d.Mu.Lock()
	wait, opening := d.Seeking, d.Opening
	d.Mu.Unlock()
	if opening && r.Mode == documents.ModeKeyword {
		wait = nil
	} else if opening && wait != nil && r.Loading != nil {
		r.Loading(base.Progress{Stage: base.StageLoading, Done: 1, Total: 2})
	}
	if wait != nil {
		select {
		case <-wait:
		case <-ctx.Done():
		}
	}
	d.Mu.Lock()
	defer d.Mu.Unlock()
	d.Asked = append(d.Asked, r)
	if ctx.Err() != nil || d.Failing != nil {
		return documents.SearchResult{}, errors.Join(ctx.Err(), d.Failing)
	}
	result := documents.SearchResult{Took: 12 * time.Millisecond, Unsettled: d.Far}
	paths := make([]string, 0, len(d.Texts))
	for path := range d.Texts {
		paths = append(paths, path)
	}
	if slices.Sort(paths); len(d.all) == 0 {
		paths = nil
	}
	id, found := int64(0), 0
	for _, path := range paths {
		f := documents.FileResult{File: documents.File{Path: path, Format: formatOf(path)}}
		for i, c := range paragraphs(d.Texts[path]) {
			id++
			if !lets(r.Filter, f.File) {
				continue
			}
			if f.File.Format == "pdf" {
				c.Page = i + 1
			}
			if spans := matches(c.Text, r.Text); len(spans) > 0 {
				if found++; found > cmp.Or(r.Limit, documents.MostFound) {
					result.More = true
					continue
				}
				p := documents.Result{Matches: spans, Score: 1, Why: documents.Why{MeaningRank: i + 1, Meaning: 0.5, WordsRank: 1, Words: 4.2}}
				p.Chunk, p.ID, p.Files = c, id, []documents.File{f.File}
				f.Passages = append(f.Passages, p)
			}
		}
		if len(f.Passages) > 0 {
			result.Files = append(result.Files, f)
		}
	}
	for _, c := range d.all {
		result.Searched.Collections = append(result.Searched.Collections, c.Name)
		result.Searched.Files += c.Files
		result.Searched.Passages += c.Passages
	}
	return result, nil
}

// Settle says what Far does.
func (d *Documents) Settle(_ context.Context, found documents.SearchResult) (documents.SearchResult, error) {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	found.Far, found.Unsettled = d.Far, false
	return found, d.Failing
}

// Pinpoint finds the last sentence of a passage best, where Pinpoints is set.
func (d *Documents) Pinpoint(_ context.Context, _ string, passages []documents.Result) ([]documents.Result, error) {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	out := slices.Clone(passages)
	for i := range out {
		if text := strings.TrimSuffix(out[i].Text, "."); d.Pinpoints {
			out[i].Best, out[i].Pinpointed = documents.Span{Start: strings.LastIndex(text, ". ") + 1, End: len(out[i].Text)}, true
		}
	}
	return out, d.Failing
}

// Rerank puts the last first. It waits for Sorting.
func (d *Documents) Rerank(ctx context.Context, found documents.SearchResult, r documents.RerankRequest, _ func(base.Progress)) (documents.SearchResult, error) {
	d.Mu.Lock()
	d.Sorted = append(d.Sorted, r)
	wait, doubt := d.Sorting, d.Doubt
	d.Mu.Unlock()
	if wait != nil {
		select {
		case <-wait:
		case <-ctx.Done():
		}
	}
	if ctx.Err() != nil {
		return documents.SearchResult{}, ctx.Err()
	}
	out := found
	out.Files, out.Reranked = slices.Clone(found.Files), &documents.Reranked{Untrusted: doubt, Took: 800 * time.Millisecond, Device: "cpu"}
	out.Reranked.Model.Name = r.Model
	for i, f := range out.Files {
		f.Passages = slices.Clone(f.Passages)
		for k := range f.Passages {
			out.Reranked.Read++
			w := &f.Passages[k].Why
			w.Reranked, w.RerankScore, w.RankBefore = true, 0.5, out.Reranked.Read
		}
		out.Files[i] = f
	}
	slices.Reverse(out.Files)
	out.Reranked.Of = out.Reranked.Read
	return out, nil
}

// MoreLike finds the other paragraphs that hold a word of a passage.
func (d *Documents) MoreLike(ctx context.Context, r documents.Result, limit int, f documents.Filter) (documents.SearchResult, error) {
	result, err := d.Search(ctx, documents.SearchRequest{Text: r.Text, Limit: limit, Filter: f})
	for i := range result.Files {
		result.Files[i].Passages = slices.DeleteFunc(result.Files[i].Passages, func(p documents.Result) bool { return p.ID == r.ID })
	}
	result.Files = slices.DeleteFunc(result.Files, func(f documents.FileResult) bool { return len(f.Passages) == 0 })
	return result, err
}

// Examples are the first words of each text.
func (d *Documents) Examples(_ context.Context, collection string) (list []string, _ error) {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	for _, path := range slices.Sorted(maps.Keys(d.Texts)) {
		first, _, _ := strings.Cut(d.Texts[path], "\n")
		list = append(list, first)
	}
	return list[:min(3, len(list))], nil
}

// ShowsPages reports whether there are pictures.
func (d *Documents) ShowsPages() bool { return d.Pages > 0 }

// PagePicture is a sheet of paper with a line for its number. It waits for Drawing.
func (d *Documents) PagePicture(ctx context.Context, path string, page, pixels int) (image.Image, error) {
	d.Mu.Lock()
	d.Drawn = append(d.Drawn, page)
	wait := d.Drawing
	d.Mu.Unlock()
	if wait != nil {
		select {
		case <-wait:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	if page > d.Pages {
		return nil, fmt.Errorf("%s has no page %d", path, page)
	}
	paper := image.NewGray(image.Rect(0, 0, 70, 100))
	for i := range paper.Pix {
		paper.Pix[i] = 0xf8
	}
	for x := 10; x < 60; x++ {
		paper.SetGray(x, 10*page, color.Gray{})
	}
	return paper, nil
}

// formatOf is the format of a file, by its ending.
func formatOf(path string) string {
	if kind := filepath.Ext(path); kind == ".pdf" || kind == ".csv" {
		return kind[1:]
	}
	return "text"
}

// rowsOf are the lines of a block as rows of a table, the first of a document as its header.
func rowsOf(t string, block text.Block) (list []text.Block) {
	at := block.Start
	for line := range strings.SplitAfterSeq(t[block.Start:block.End], "\n") {
		kind := text.TableRow
		if at == 0 {
			kind = text.TableHeader
		}
		list = append(list, text.Block{Kind: kind, Start: at, End: at + len(line), Line: block.Line + len(list)})
		at += len(line)
	}
	return list
}

// lets reports whether a filter lets a file through.
func lets(f documents.Filter, file documents.File) bool {
	return (len(f.Formats) == 0 || slices.Contains(f.Formats, file.Format)) && strings.HasPrefix(file.Path, f.Folder)
}

// paragraphs cuts a text at empty lines.
func paragraphs(t string) (list []text.Chunk) {
	at, line := 0, 1
	for _, p := range strings.SplitAfter(t, "\n\n") {
		if body := strings.TrimRight(p, "\n"); body != "" {
			list = append(list, text.Chunk{Start: at, End: at + len(body), Text: body, Line: line})
		}
		at, line = at+len(p), line+strings.Count(p, "\n")
	}
	return list
}

func matches(t, question string) (spans []documents.Span) {
	lower := strings.ToLower(t)
	for _, w := range strings.Fields(strings.ToLower(question)) {
		if at := strings.Index(lower, w); at >= 0 {
			spans = append(spans, documents.Span{Start: at, End: at + len(w)})
		}
	}
	slices.SortFunc(spans, func(a, b documents.Span) int { return a.Start - b.Start })
	return spans
}

// Open returns the document of a passage.
func (d *Documents) Open(_ context.Context, r documents.Result) (documents.Opened, error) {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	path := r.Files[0].Path
	t, ok := d.Texts[path]
	if !ok || d.Failing != nil {
		return documents.Opened{}, errors.Join(d.Failing, fmt.Errorf("%s is not there any more", path))
	}
	doc := text.Document{Title: filepath.Base(path), Format: formatOf(path), Text: t}
	for i, c := range paragraphs(t) {
		block := text.Block{Start: c.Start, End: c.End, Line: c.Line}
		if doc.Format == "pdf" {
			block.Page, doc.Pages = i+1, i+1
		}
		if doc.Format == "csv" { // lines stand for rows
			doc.Blocks = append(doc.Blocks, rowsOf(t, block)...)
			continue
		}
		doc.Blocks = append(doc.Blocks, block)
	}
	return documents.Opened{Document: doc, Passage: documents.Span{Start: r.Start, End: r.End}}, nil
}

// thePassword opens every locked file.
const thePassword = "open"

// Unlocks knows one password.
func (d *Documents) Unlocks(ctx context.Context, _, password string) (bool, error) {
	return password == thePassword, ctx.Err()
}
