package hub

import (
	"cmp"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"inglenook/filenames"
	"inglenook/hub/fault"
	"inglenook/hub/repo"
)

// Choice is one file of a repository and whether a download takes it.
type Choice struct {
	repo.File
	Wanted bool
	Why    string // a short reason
}

// needless lists what is no model: programs, documentation.
var needless = []string{".xml", ".py", ".ipynb", ".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".mp4", ".pdf", ".zip", ".tar", ".gz", ".gitattributes", ".gitignore"}

// runsCode reports whether a file is in a format that can run code when it is opened.
func runsCode(name string) bool {
	f, _ := filenames.Format(name)
	return f.RunsCode
}

// Choose decides which files of a repository to download. With patterns ("*.gguf", "onnx/*")
// it takes the matching files and the small files that every model needs. Without patterns it
// takes what a program needs that reads safetensors or GGUF; of several GGUF files it takes
// the best compromise. It never takes files that could run code.
func Choose(files []repo.File, patterns []string) ([]Choice, error) {
	for _, p := range patterns {
		if _, err := path.Match(p, "x"); err != nil {
			return nil, fmt.Errorf("%.100q is not a file name pattern; an example is *.gguf", p)
		}
	}
	list := make([]Choice, len(files))
	for i, f := range files {
		list[i] = Choice{File: f}
		list[i].Wanted, list[i].Why = byName(f.Path)
	}
	if len(patterns) > 0 {
		return chosen(list, patterns)
	}
	return list, chooseWeights(list)
}

// chosen narrows a list down to the files that match patterns.
func chosen(list []Choice, patterns []string) ([]Choice, error) {
	hit := false
	for i := range list {
		c := &list[i]
		matches := slices.ContainsFunc(patterns, func(p string) bool { return matchesName(p, c.Path) })
		switch {
		case matches && runsCode(c.Path):
			return nil, fault.New(fault.ErrUnsafe, nil, "%s is in "+filenames.CanRunCode+", so it is not downloaded; "+filenames.GetInstead, c.Path)
		case matches && filenames.Unread(c.Path) != "":
			return nil, unreadFile(c.Path)
		case matches:
			c.Wanted, c.Why, hit = true, "it was asked for", true
		case isWeights(c.Path) || strings.Contains(c.Path, "/"):
			c.Wanted, c.Why = false, "it was not asked for"
		}
	}
	if !hit {
		return nil, fault.New(fault.ErrNotFound, nil, "no file matches %s", strings.Join(patterns, " or "))
	}
	return list, nil
}

// matchesName matches a pattern against a path and against its last element.
func matchesName(pattern, name string) bool {
	whole, _ := path.Match(pattern, name)
	last, _ := path.Match(pattern, path.Base(name))
	return whole || last && !strings.Contains(pattern, "/")
}

func isWeights(name string) bool {
	return filenames.IsWeights(name) || runsCode(name)
}

// byName decides by a file's name alone.
func byName(name string) (wanted bool, why string) {
	ext := strings.ToLower(path.Ext(name))
	base := strings.ToLower(path.Base(name))
	top, _, nested := strings.Cut(name, "/")
	format, foreign := filenames.Format(name)
	switch {
	case foreign && format.RunsCode:
		return false, "its format can run code"
	case foreign:
		return false, "its format, " + format.Name + ", is not read here"
	case slices.Contains(needless, ext) || slices.Contains(needless, base):
		return false, "no model needs it here"
	case nested && slices.Contains([]string{"onnx", "openvino", "coreml", "original", "flax", "tf", "runs", "logs", "eval", "assets", "images", "examples", "checkpoints"}, strings.ToLower(top)):
		return false, "it is for other programs"
	case filenames.Part(name) != "":
		return false, "it is " + filenames.Part(name)
	case filenames.IsWeights(name):
		return true, "weights"
	case strings.HasPrefix(base, "license") || strings.HasPrefix(base, "readme"):
		return !nested, "the model's card and licence"
	case slices.Contains([]string{".json", ".txt", ".model", ".jinja", ".md", ".vocab", ".bpe", ".spm"}, ext):
		return true, "configuration and vocabulary"
	}
	return false, "no model needs it here"
}

// chooseWeights keeps one format of the weights.
func chooseWeights(list []Choice) error {
	var tensors, ggufs []*Choice
	var unsafe bool
	var unread, part string
	for i := range list {
		c := &list[i]
		switch ext := strings.ToLower(path.Ext(c.Path)); {
		case runsCode(c.Path):
			unsafe = true
		case c.Wanted && ext == ".safetensors":
			tensors = append(tensors, c)
		case filenames.Part(c.Path) != "":
			part = cmp.Or(part, c.Path)
		case filenames.Unread(c.Path) != "":
			c.Wanted, c.Why, unread = false, "its weights are of a type that cannot be read here", cmp.Or(unread, c.Path)
		case c.Wanted && ext == ".gguf":
			ggufs = append(ggufs, c)
		}
	}
	switch {
	case len(tensors) > 0:
		for _, c := range ggufs {
			c.Wanted, c.Why = false, "the safetensors files were chosen"
		}
		chooseTensors(tensors)
	case len(ggufs) > 0:
		chooseGGUF(ggufs)
	case unsafe:
		return fault.New(fault.ErrUnsafe, nil, "this repository has its weights only in "+filenames.CanRunCode+", so they are not downloaded; "+filenames.GetInstead)
	case unread != "":
		return unreadFile(unread)
	case part != "":
		return fault.New(fault.ErrNotFound, nil, "this repository holds no whole model, only %s (%s); choose the repository of the model itself", filenames.Part(part), path.Base(part))
	default:
		return fault.New(fault.ErrNotFound, nil, "this repository has no weights in safetensors or GGUF, so there is nothing to download; name files with a pattern to have them all the same")
	}
	return nil
}

// unreadFile is the error for weights of a type that cannot be read.
func unreadFile(name string) error {
	return fault.New(fault.ErrNotFound, nil, "the weights in %s are quantized as %s, which cannot be read here, so they are not downloaded; choose another file, such as one with %s in its name", path.Base(name), filenames.Unread(name), filenames.Usual)
}

// chooseTensors drops variants (model.fp16.safetensors) and single-file copies (consolidated)
// if the main file or its parts exist.
func chooseTensors(tensors []*Choice) {
	mainPart := regexp.MustCompile(`^model(?:-\d{5}-of-\d{5})?\.safetensors$`)
	hasMain := map[string]bool{}
	for _, c := range tensors {
		if mainPart.MatchString(path.Base(c.Path)) {
			hasMain[path.Dir(c.Path)] = true
		}
	}
	for _, c := range tensors {
		if hasMain[path.Dir(c.Path)] && !mainPart.MatchString(path.Base(c.Path)) && !strings.HasPrefix(path.Base(c.Path), "adapter") {
			c.Wanted, c.Why = false, "it is another version of the chosen weights"
		}
	}
}

// chooseGGUF keeps one file, or those of one that is split: of the usual quantization, else
// of the next better one, else of the next in rank.
func chooseGGUF(ggufs []*Choice) {
	usual := filenames.Rank(filenames.Usual)
	rank := func(c *Choice) int {
		i := filenames.Rank(filenames.Quant(c.Path))
		if i <= usual {
			return usual - i
		}
		return i
	}
	best := ggufs[0]
	for _, c := range ggufs {
		if rank(c) < rank(best) {
			best = c
		}
	}
	for _, c := range ggufs {
		if filenames.Stem(c.Path) != filenames.Stem(best.Path) {
			c.Wanted, c.Why = false, "another quantization was chosen: "+path.Base(best.Path)
		}
	}
}
