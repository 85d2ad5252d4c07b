package hub

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"inglenook/hub/fault"
	"inglenook/hub/repo"
)

// Choice is one file of a repository and whether a download takes it.
type Choice struct {
	repo.File
	Wanted bool
	Why    string // a short reason
}

var (
	// runsCode lists formats that can run code when they are opened.
	runsCode = []string{".bin", ".pt", ".pth", ".ckpt", ".pkl", ".pickle", ".joblib", ".npy", ".dill"}
	// needless lists other programs' formats of the same weights, and documentation.
	needless = []string{".onnx", ".onnx_data", ".msgpack", ".h5", ".tflite", ".mlmodel", ".ot", ".xml", ".pb", ".py", ".ipynb", ".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".mp4", ".pdf", ".zip", ".tar", ".gz", ".gitattributes", ".gitignore"}
	// quants lists the quantizations of GGUF files in order of preference: first those that
	// keep a model's quality without wasting memory, from the best on; then the wider types,
	// which are hardly better and much slower.
	quants = []string{
		"Q8_0", "Q6_K", "Q5_K_M", "Q5_K_S", "Q5_1", "Q5_0", usualQuant, "IQ4_NL", "Q4_K_S", "IQ4_XS", "Q4_1", "Q4_0", "MXFP4",
		"Q3_K_L", "Q3_K_M", "Q3_K_S", "Q2_K", "BF16", "F16", "FP16", "F32",
	}

	ggufPart = regexp.MustCompile(`-\d{5}-of-\d{5}\.gguf$`)
	quantTag = regexp.MustCompile(`(?i)(?:^|[-._])((?:IQ[1-4]_(?:XXS|XS|NL|S|M)|Q[2-8]_(?:K_[SML]|K_XL|K|[01])|BF16|F16|F32|FP16|MXFP4))(?:[-.]|$)`)
)

// usualQuant is the default when nobody has asked what fits: it keeps nearly all of the
// quality at half the memory of the best.
const usualQuant = "Q4_K_M"

// QuantRank returns the position of a quantization in the order of preference, 0 for the best;
// unknown ones come last.
func QuantRank(quant string) int {
	if i := slices.Index(quants, quant); i >= 0 {
		return i
	}
	return len(quants)
}

// Quant returns the quantization in the name of a GGUF file, such as "Q4_K_M", or "" if it
// names none.
func Quant(name string) string {
	found := quantTag.FindStringSubmatch(strings.TrimSuffix(path.Base(name), path.Ext(name)))
	if found == nil {
		return ""
	}
	return strings.ToUpper(found[1])
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
		case matches && slices.Contains(runsCode, strings.ToLower(path.Ext(c.Path))):
			return nil, fault.New(fault.ErrUnsafe, nil, "%s is in a format that can run code when it is opened, so it is not downloaded; choose safetensors or GGUF files", c.Path)
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
	ext := strings.ToLower(path.Ext(name))
	return ext == ".safetensors" || ext == ".gguf" || slices.Contains(runsCode, ext)
}

// byName decides by a file's name alone.
func byName(name string) (wanted bool, why string) {
	ext := strings.ToLower(path.Ext(name))
	base := strings.ToLower(path.Base(name))
	top, _, nested := strings.Cut(name, "/")
	switch {
	case slices.Contains(runsCode, ext):
		return false, "its format can run code"
	case slices.Contains(needless, ext) || slices.Contains(needless, base):
		return false, "no model needs it here"
	case nested && slices.Contains([]string{"onnx", "openvino", "coreml", "original", "flax", "tf", "runs", "logs", "eval", "assets", "images", "examples", "checkpoints"}, strings.ToLower(top)):
		return false, "it is for other programs"
	case ext == ".gguf" || ext == ".safetensors":
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
	unsafe := false
	for i := range list {
		c := &list[i]
		switch ext := strings.ToLower(path.Ext(c.Path)); {
		case slices.Contains(runsCode, ext):
			unsafe = true
		case c.Wanted && ext == ".safetensors":
			tensors = append(tensors, c)
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
		return fault.New(fault.ErrUnsafe, nil, "this repository has its weights only in a format that can run code when it is opened, so they are not downloaded; choose one with safetensors or GGUF files")
	default:
		return fault.New(fault.ErrNotFound, nil, "this repository has no weights in safetensors or GGUF, so there is nothing to download; name files with a pattern to have them all the same")
	}
	return nil
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

// chooseGGUF keeps one file, or the parts of one: of the usual quantization, else of the next
// better one, else of the next in rank.
func chooseGGUF(ggufs []*Choice) {
	usual := QuantRank(usualQuant)
	rank := func(c *Choice) int {
		if strings.Contains(strings.ToLower(path.Base(c.Path)), "mmproj") {
			return 1000
		}
		i := QuantRank(Quant(ggufStem(c.Path) + ".gguf"))
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
		if ggufStem(c.Path) != ggufStem(best.Path) {
			c.Wanted, c.Why = false, "another quantization was chosen: "+path.Base(best.Path)
		}
	}
}

// ggufStem returns the common part of the names of a split GGUF file.
func ggufStem(name string) string {
	return strings.TrimSuffix(ggufPart.ReplaceAllString(name, ""), ".gguf")
}
