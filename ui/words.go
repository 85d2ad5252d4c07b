package ui

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"inglenook/app"
)

// automatic is how the device choice calls "the best one".
const automatic = "Automatic"

// deviceName writes the id of a device as people do: "CPU", "Metal", "CUDA".
func deviceName(id string) string {
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

func isEmulated(device string) bool { return strings.HasSuffix(device, "-emulated") }

// placeName is a place as people write it: "CPU, 2 threads, 8-bit weights".
func placeName(p app.Target) string {
	name := deviceName(p.Device)
	if p.Threads > 0 {
		name += ", " + count(p.Threads, "thread")
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

// reportEvery is the shortest time between two steps of the progress bar.
const reportEvery = 50 * time.Millisecond

// works are the kinds of work in the order in which they are shown.
var works = []struct{ id, title string }{
	{app.WorkEmbed, "Embedding"},
	{app.WorkRerank, "Reranking"},
	{app.WorkPrompt, "Reading a prompt"},
	{app.WorkFirst, "Time to the first token"},
	{app.WorkGenerate, "Writing"},
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

func isModelPath(path string) bool {
	return isFolder(path) || slices.Contains([]string{".safetensors", ".gguf"}, strings.ToLower(filepath.Ext(path)))
}
