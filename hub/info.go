package hub

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"inglenook/hub/fault"
	"inglenook/hub/repo"

	huggingface "github.com/gomlx/go-huggingface/hub"
)

// maxJSON limits the size of an API response. The longest listings have some ten thousand
// files.
const maxJSON = 32 << 20

// Info describes a repository at one commit, as the Hub reports it.
type Info struct {
	ID           string
	Commit       string // 40 hexadecimal digits
	Author       string
	Task         string // as the Hub names it: "text-generation", "sentence-similarity"
	Library      string // "transformers", "gguf", "sentence-transformers"
	Tags         []string
	License      string // as the Hub spells it: "apache-2.0"; "": unknown
	Gated        bool   // terms must be accepted first
	Private      bool
	Downloads    int64 // in the last 30 days
	Likes        int64
	Modified     time.Time
	Parameters   int64       // 0: unknown
	Architecture string      // of a GGUF file: "llama"; "": unknown
	Context      int64       // tokens, of a GGUF file; 0: unknown
	Files        []repo.File // by path; empty if the server does not list them here
	Refused      []string    // names of files that are unsafe as paths; see CheckFile
	Cut          bool        // there are more files than a listing may contain
}

// Bytes returns the total size of all files.
func (i Info) Bytes() (sum int64) {
	for _, f := range i.Files {
		sum += f.Size
	}
	return sum
}

// Query is a search for repositories. Empty fields match everything.
type Query struct {
	Text   string
	Task   string // the Hub's name: "text-generation"
	Format string // "gguf" or "safetensors"
	Author string
	Sort   string // "downloads" (the default), "likes", "lastModified", "trendingScore"
	Limit  int    // at most 100; 0: 20
}

// repoJSON is a response of /api/models. It embeds go-huggingface's type for the part that this
// one covers.
type repoJSON struct {
	huggingface.RepoInfo
	ModelID   string        `json:"modelId"`
	Library   string        `json:"library_name"`
	Gated     any           `json:"gated"` // false, "auto" or "manual"
	Private   bool          `json:"private"`
	Downloads int64         `json:"downloads"`
	Likes     int64         `json:"likes"`
	Modified  string        `json:"lastModified"`
	Siblings  []siblingJSON `json:"siblings"` // with blobs=true also sizes and hashes
	CardData  struct {
		License any `json:"license"`
	} `json:"cardData"`
	GGUF struct {
		Total        int64  `json:"total"`
		Architecture string `json:"architecture"`
		Context      int64  `json:"context_length"`
	} `json:"gguf"`
}

type siblingJSON struct {
	huggingface.FileInfo
	Size *int64   `json:"size"`
	Blob string   `json:"blobId"`
	LFS  *lfsJSON `json:"lfs"`
}

type lfsJSON struct {
	OID    string `json:"oid"`    // in a tree listing
	SHA256 string `json:"sha256"` // in a description
	Size   int64  `json:"size"`
}

type treeJSON struct {
	Type string   `json:"type"` // "file" or "directory"
	Path string   `json:"path"`
	Size int64    `json:"size"`
	OID  string   `json:"oid"`
	LFS  *lfsJSON `json:"lfs"`
}

// Info describes a repository at a revision ("" is "main"), with its files.
func (c *Client) Info(ctx context.Context, id, revision string) (Info, error) {
	if revision == "" {
		revision = "main"
	}
	if err := errors.Join(repo.CheckID(id), repo.CheckRevision(revision)); err != nil {
		return Info{}, err
	}
	at := c.apiURL("models", id, "revision", revision)
	at.RawQuery = "blobs=true"
	var answer repoJSON
	if err := c.getJSONAbout(ctx, at, &answer, subject{id: id, revision: revision}); err != nil {
		return Info{}, err
	}
	info, sized := answer.info()
	if info.ID == "" {
		info.ID = id
	}
	if !repo.ValidID(info.ID) || len(info.Commit) != 40 || repo.CheckCommit(info.Commit) != nil {
		return Info{}, fault.New(fault.ErrProtocol, nil, "%s does not describe %s as a model store does (it gives no commit); check the model store address", c.endpoint.Host, id)
	}
	info.ID = id // the requested name determines the folder, whatever name the server returns
	if !sized {
		listed, err := c.tree(ctx, id, info.Commit)
		if err != nil {
			return Info{}, err
		}
		info.Files, info.Refused, info.Cut = listed.Files, listed.Refused, listed.Cut
	}
	return info, nil
}

// info translates a response; sized is false if it lists files without what a download needs.
func (j repoJSON) info() (info Info, sized bool) {
	info = Info{
		ID: j.ID, Commit: j.CommitHash, Author: fault.Plain(j.Author), Task: fault.Plain(j.PipelineTag), Library: fault.Plain(j.Library),
		Private: j.Private, Downloads: j.Downloads, Likes: j.Likes,
		Parameters: int64(j.SafeTensors.Total), Architecture: fault.Plain(j.GGUF.Architecture), Context: j.GGUF.Context,
	}
	for _, tag := range j.Tags {
		info.Tags = append(info.Tags, fault.Plain(tag))
	}
	if info.ID == "" {
		info.ID = j.ModelID
	}
	if info.Parameters == 0 {
		info.Parameters = j.GGUF.Total
	}
	info.Gated = j.Gated != nil && j.Gated != false && j.Gated != ""
	info.Modified, _ = time.Parse(time.RFC3339, j.Modified)
	license, _ := j.CardData.License.(string)
	info.License = fault.Plain(license)
	for _, tag := range info.Tags {
		if rest, ok := strings.CutPrefix(tag, "license:"); ok && info.License == "" {
			info.License = rest
		}
	}
	sized = true
	for _, s := range j.Siblings {
		f := repo.File{Path: s.Name, Git: s.Blob}
		if s.Size != nil {
			f.Size = *s.Size
		}
		if s.LFS != nil {
			f.SHA256 = s.LFS.SHA256
			f.Size = max(f.Size, s.LFS.Size)
		}
		sized = sized && s.Size != nil && f.Digest() != ""
		info.add(f)
	}
	info.sort()
	return info, sized
}

// add appends a file to the listing, or its name to the refused ones.
func (i *Info) add(f repo.File) {
	switch {
	case len(i.Files)+len(i.Refused) >= repo.MaxFiles:
		i.Cut = true
	case repo.CheckFile(f.Path) != nil || f.Size < 0 || f.Digest() != "" && repo.CheckDigest(f.Digest()) != nil:
		i.Refused = append(i.Refused, fault.Plain(f.Path))
	default:
		i.Files = append(i.Files, f)
	}
}

func (i *Info) sort() {
	slices.SortFunc(i.Files, func(a, b repo.File) int { return strings.Compare(a.Path, b.Path) })
}

// tree lists the files of a commit page by page.
func (c *Client) tree(ctx context.Context, id, commit string) (info Info, err error) {
	at := c.apiURL("models", id, "tree", commit)
	at.RawQuery = "recursive=true"
	for range 200 {
		var page []treeJSON
		next, err := c.getPage(ctx, at, &page, subject{id: id, revision: commit})
		if err != nil {
			return Info{}, err
		}
		for _, entry := range page {
			if entry.Type != "file" {
				continue
			}
			f := repo.File{Path: entry.Path, Size: entry.Size, Git: entry.OID}
			if entry.LFS != nil {
				f.SHA256 = entry.LFS.OID
			}
			info.add(f)
		}
		if next == nil {
			info.sort()
			return info, nil
		}
		at = next
	}
	return Info{}, fault.New(fault.ErrProtocol, nil, "the listing of %s does not end, so it was abandoned", id)
}

// searchFields lists the fields that a search requests for each repository. The number of parameters is
// not among the default fields.
var searchFields = []string{"author", "downloads", "gated", "gguf", "lastModified", "library_name", "likes", "pipeline_tag", "private", "safetensors", "sha", "siblings", "tags"}

// Search finds repositories. It lists their files by name only.
func (c *Client) Search(ctx context.Context, q Query) ([]Info, error) {
	if q.Limit <= 0 {
		q.Limit = 20
	}
	if q.Sort == "" {
		q.Sort = "downloads"
	}
	v := url.Values{"limit": {strconv.Itoa(min(q.Limit, 100))}, "expand": searchFields, "sort": {q.Sort}, "direction": {"-1"}}
	for name, value := range map[string]string{"search": strings.TrimSpace(q.Text), "pipeline_tag": q.Task, "filter": q.Format, "author": q.Author} {
		if value != "" {
			v.Set(name, value)
		}
	}
	at := c.apiURL("models")
	at.RawQuery = v.Encode()
	var answer []repoJSON
	err := c.getJSON(ctx, at, &answer)
	if errors.Is(err, fault.ErrProtocol) { // an older server, which returns all fields or few
		v.Del("expand")
		v.Set("full", "true")
		at.RawQuery = v.Encode()
		err = c.getJSON(ctx, at, &answer)
	}
	if err != nil {
		return nil, err
	}
	list := []Info{}
	for _, one := range answer {
		if info, _ := one.info(); repo.ValidID(info.ID) {
			list = append(list, info)
		}
	}
	return list, nil
}

// Head returns what the Hub reports about one file before it redirects to the bytes. It is for
// servers whose listings have no hashes.
func (c *Client) Head(ctx context.Context, id, revision, file string) (f repo.File, commit string, err error) {
	if err := errors.Join(repo.CheckID(id), repo.CheckRevision(revision), repo.CheckFile(file)); err != nil {
		return repo.File{}, "", err
	}
	about := subject{id, revision, file}
	err = c.patiently(ctx, func(ctx context.Context) error {
		x, err := c.send(ctx, http.MethodHead, c.fileURL(id, revision, file), nil, true)
		if err != nil {
			return err
		}
		defer discard(x.Response)
		if x.StatusCode >= 400 {
			return c.statusError(x, about)
		}
		f, commit, err = describe(x.Response, file)
		return err
	})
	return f, commit, err
}

// describe reads the headers of a response about a file.
func describe(r *http.Response, file string) (repo.File, string, error) {
	f, commit := repo.File{Path: file, Size: -1}, r.Header.Get(headerCommit)
	if size, err := strconv.ParseInt(r.Header.Get(headerLinkedSize), 10, 63); err == nil {
		f.Size = size
	} else if r.StatusCode == http.StatusOK && r.ContentLength >= 0 {
		f.Size = r.ContentLength
	}
	tag := plainETag(r.Header.Get(headerLinkedETag))
	if tag == "" && r.StatusCode == http.StatusOK {
		tag = plainETag(r.Header.Get("ETag"))
	}
	switch {
	case f.Size < 0 || repo.CheckCommit(commit) != nil:
		return repo.File{}, "", fault.New(fault.ErrProtocol, nil, "the server does not tell size and commit of %s; check the model store address", file)
	case repo.CheckDigest(tag) != nil:
		return repo.File{}, "", fault.New(fault.ErrProtocol, nil, "the server gives no checksum for %s, so that it could not be verified; use another model store address", file)
	case len(tag) == 64:
		f.SHA256 = tag
	default:
		f.Git = tag
	}
	return f, commit, nil
}

// plainETag removes the mark of weak tags and the quotes (RFC 9110, section 8.8.3).
func plainETag(tag string) string {
	return strings.Trim(strings.TrimPrefix(strings.TrimSpace(tag), "W/"), `"`)
}
