package panel

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"inglenook/app/devices"
	"inglenook/app/fit"
	"inglenook/regular"
	"inglenook/ui/kit"
)

// Automatic is how the device choice calls "the best one".
const Automatic = "Automatic"

// DeviceName writes the id of a device as people do: "CPU", "Metal", "CUDA".
func DeviceName(id string) string {
	switch id {
	case "cpu", "cuda":
		return strings.ToUpper(id)
	case "metal":
		return "Metal"
	case "metal-emulated":
		return "Metal, emulated"
	}
	return id
}

func IsEmulated(device string) bool { return strings.HasSuffix(device, "-emulated") }

// TargetName is a place as people write it: "CPU, 2 threads, 8-bit weights".
func TargetName(p devices.Target) string {
	name := DeviceName(p.Device)
	if p.Threads > 0 {
		name += ", " + kit.Count(p.Threads, "thread")
	}
	switch p.Weights {
	case "":
	case "q8_0":
		name += ", 8-bit weights"
	case "q4_k":
		name += ", 4-bit weights"
	default:
		name += ", " + p.Weights + " weights"
	}
	return name
}

// ReportEvery is the shortest time between two steps of the progress bar.
const ReportEvery = 50 * time.Millisecond

// Works are the kinds of work in the order in which they are shown.
var Works = []struct{ ID, Title string }{
	{fit.WorkEmbed, "Embedding"},
	{fit.WorkRerank, "Reranking"},
	{fit.WorkPrompt, "Reading a prompt"},
	{fit.WorkFirst, "Time to the first token"},
	{fit.WorkGenerate, "Writing"},
}

// glance is how long the window waits for a disk while it looks at what was dropped.
const glance = 200 * time.Millisecond

// IsFolder reports whether a path is a folder.
func IsFolder(path string) bool {
	ctx, cancel := context.WithTimeout(context.Background(), glance)
	defer cancel()
	info, err := regular.Stat(ctx, path)
	return err == nil && info.IsDir()
}

// IsModelPath reports whether a path is a model: a file of weights, or a folder with
// such files or a config.json.
func IsModelPath(path string) bool {
	if !IsFolder(path) {
		return isWeights(path)
	}
	ctx, cancel := context.WithTimeout(context.Background(), glance)
	defer cancel()
	entries, err := regular.ReadDir(ctx, path)
	return err == nil && slices.ContainsFunc(entries, func(e os.DirEntry) bool { return e.Name() == "config.json" || isWeights(e.Name()) })
}

func isWeights(name string) bool {
	return slices.Contains([]string{".safetensors", ".gguf"}, strings.ToLower(filepath.Ext(name)))
}

// HoldDocuments reports whether one of the paths is a folder without a model. Such
// folders are for Documents, whatever panel is in view.
func HoldDocuments(paths []string) bool {
	return slices.ContainsFunc(paths, func(p string) bool { return IsFolder(p) && !IsModelPath(p) })
}
