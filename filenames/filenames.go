// Package filenames reads what the names of model files say: their format, their
// quantization, which files belong together, and which hold no model. Names are what
// is known of a repository before anything is downloaded.
package filenames

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// IsGGUF reports whether a file's name is that of a GGUF file.
func IsGGUF(name string) bool { return strings.EqualFold(path.Ext(name), ".gguf") }

// IsWeights reports whether a file holds weights in a format that is read.
func IsWeights(name string) bool {
	return IsGGUF(name) || strings.EqualFold(path.Ext(name), ".safetensors")
}

// splitEnd is the end of the name of one of the files of a split model.
var splitEnd = regexp.MustCompile(`(?i)-\d{5}-of-\d{5}\.gguf$`)

// Stem returns a file's path without its extension, and for one of the files of a
// split GGUF model what is common to all of them.
func Stem(name string) string {
	if splitEnd.MatchString(name) {
		return splitEnd.ReplaceAllString(name, "")
	}
	return strings.TrimSuffix(name, path.Ext(name))
}

// IsSplit reports whether a file is named as one of the files of a split GGUF model.
func IsSplit(name string) bool { return splitEnd.MatchString(name) }

// Usual is the quantization to take when nothing is known of the computer: it keeps
// nearly all of the quality at half the memory of the best.
const Usual = "Q4_K_M"

var (
	quantTag = regexp.MustCompile(`(?i)(?:^|[-._])(IQ[1-4]_(?:XXS|XS|NL|S|M)|Q[2-8]_K_(?:XL|[SMLP])|Q[2-8]_(?:K|[01])|Q[12]_0|TQ[12]_0|BF16|F16|F32|FP16|FP8|MXFP4|NVFP4)(?:_MOE)?(?:[-.]|_XL|$)`)

	// quants lists the quantizations in order of preference: first those that keep a
	// model's quality without wasting memory, from the best on; then the wider types,
	// which are hardly better and much slower.
	quants = []string{
		"Q8_0", "Q8_K_XL", "Q8_K_P", "Q6_K_XL", "Q6_K_P", "Q6_K", "Q5_K_XL", "Q5_K_P", "Q5_K_M", "Q5_K_S", "Q5_1", "Q5_0",
		"Q4_K_XL", "Q4_K_L", "Q4_K_P", Usual, "IQ4_NL", "Q4_K_S", "IQ4_XS", "Q4_1", "Q4_0", "MXFP4",
		"Q3_K_XL", "Q3_K_P", "Q3_K_L", "Q3_K_M", "IQ3_M", "Q3_K_S", "IQ3_S", "IQ3_XS", "IQ3_XXS", "Q2_K_XL", "Q2_K_P", "Q2_K_L", "Q2_K",
		"IQ2_M", "IQ2_S", "IQ2_XS", "IQ2_XXS", "BF16", "F16", "FP16", "F32",
	}

	// unread lists what cannot be read.
	unread = []string{"IQ1_M", "IQ1_S", "TQ1_0", "TQ2_0", "Q1_0", "Q2_0", "NVFP4", "FP8"}
)

// Quant returns the quantization in the name of a GGUF file, such as "Q4_K_M", or "" if
// it names none. Of several the last counts: x-FP8-Q4_K_M was made from FP8.
func Quant(name string) string {
	rest, quant := path.Base(Stem(name)), ""
	for {
		at := quantTag.FindStringSubmatchIndex(rest)
		if at == nil {
			return strings.ToUpper(quant)
		}
		quant, rest = rest[at[2]:at[3]], rest[at[3]:]
	}
}

// Unread returns the quantization in a file's name if weights of that type cannot be
// read, and else "".
func Unread(name string) string {
	if q := Quant(name); slices.Contains(unread, q) {
		return q
	}
	return ""
}

// Rank returns the position of a quantization in the order of preference, 0 for the
// best; unknown ones come last, those that cannot be read behind them.
func Rank(quant string) int {
	if i := slices.Index(quants, quant); i >= 0 {
		return i
	}
	if i := slices.Index(unread, quant); i >= 0 {
		return len(quants) + 1 + i
	}
	return len(quants)
}

// Part returns what a file holds that is no model by itself, such as "the part of a
// model that reads pictures"; "" for anything else.
func Part(name string) string {
	base := strings.ToLower(path.Base(Stem(name)))
	switch {
	case !IsWeights(name):
		return ""
	case strings.HasPrefix(base, "adapter_model") || strings.HasPrefix(base, "lora-") || strings.HasSuffix(base, "-lora"):
		return adapter
	case !IsGGUF(name):
		return ""
	case strings.Contains(base, "mmproj"):
		return pictures
	case IsAhead(name) || strings.HasPrefix(base, "eagle3-") || strings.HasPrefix(base, "dflash-") || strings.HasPrefix(base, "dspark-"):
		return Drafts
	case (strings.HasPrefix(base, "imatrix") || strings.HasSuffix(base, "imatrix")) && Quant(name) == "" && !strings.Contains(base, "bpw"):
		return statistics
	}
	return ""
}

// aheadStart begins the names of files with the head of a model that guesses the token after the
// next one.
const aheadStart = "mtp-"

// IsAhead reports whether a file is named as one with such a head.
func IsAhead(name string) bool {
	return IsGGUF(name) && strings.HasPrefix(strings.ToLower(path.Base(name)), aheadStart)
}

// IsAheadOf reports whether a file with such a head is named after a model's file, whatever the
// quantizations of the two.
func IsAheadOf(name, model string) bool {
	of := strings.TrimPrefix(strings.ToLower(path.Base(Stem(name))), aheadStart)
	if q := Quant(name); q != "" {
		of = strings.TrimRight(of[:strings.LastIndex(of, strings.ToLower(q))], "-._")
	}
	rest, is := strings.CutPrefix(strings.ToLower(path.Base(Stem(model))), of)
	return IsAhead(name) && is && of != "" && (rest == "" || strings.ContainsAny(rest[:1], "-._"))
}

// Drafts is what Part says of a file with a head that guesses what comes next.
const Drafts = "the part of a model that drafts words ahead"

const (
	pictures   = "the part of a model that reads pictures or sound"
	statistics = "statistics for those who quantize a model"
	adapter    = "an adapter (LoRA), which changes another model"
)

// PartOfType returns what a GGUF file holds that is no model by itself, by its
// general.type and general.architecture; "" for a model.
func PartOfType(kind, architecture string) string {
	switch {
	case kind == "mmproj" || architecture == "clip":
		return pictures
	case kind == "imatrix" || architecture == "imatrix":
		return statistics
	case kind == "adapter":
		return adapter
	case strings.HasSuffix(architecture, "-assistant") || architecture == "eagle3" || architecture == "dflash":
		return Drafts
	}
	return ""
}
