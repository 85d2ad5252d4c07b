package panel

import (
	"strings"
	"time"

	"inglenook/app/devices"
	"inglenook/app/fit"
	"inglenook/app/library"
	"inglenook/ui/kit"
)

// Automatic is how the device choice calls "the best one".
const Automatic = "Automatic"

// DeviceName writes the id of a device as people do: "CPU", "Metal", "CUDA". A number of threads,
// as in "cpu:2", is left out.
func DeviceName(id string) string {
	id, _, _ = strings.Cut(id, ":")
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

// SourceInWords says where a model comes from.
func SourceInWords(source string) string {
	switch source {
	case library.SourceBundled:
		return "comes with Inglenook"
	case library.SourceHubCache:
		return "downloaded"
	case library.SourceFolder:
		return "your folder"
	case library.SourceFile:
		return "your file"
	}
	return source
}

func IsEmulated(device string) bool { return strings.HasSuffix(device, "-emulated") }

// IsGPU reports whether a device is a GPU of this computer that computes for speed, not for testing.
func IsGPU(device string) bool { return device == "cuda" || device == "metal" }

// TargetName is a place as people write it: "CPU, 2 threads, 8-bit weights".
func TargetName(p devices.Target) string {
	name := DeviceName(p.Device)
	if p.Threads > 0 {
		name += ", " + kit.Count(p.Threads, "thread")
	}
	if p.Weights != "" {
		name += ", " + WeightsInWords(p.Weights)
	}
	return name
}

// WayName is the name of a place in which a model can run, as short as it can be: "CPU, 2 threads, 8-bit".
func WayName(p devices.Target) string { return strings.TrimSuffix(TargetName(p), " weights") }

// WeightsInWords is a way to hold the weights of a model: "8-bit weights".
func WeightsInWords(weights string) string {
	switch weights {
	case "":
		return "as in the file"
	case "q8_0":
		return "8-bit weights"
	case "q4_k":
		return "4-bit weights"
	}
	return weights + " weights"
}

// ReportEvery is the shortest time between two steps of the progress bar.
const ReportEvery = 50 * time.Millisecond

// Works are the kinds of work in the order in which they are shown.
var Works = []struct{ ID, Title string }{
	{fit.WorkEmbed, "Reading texts"},
	{fit.WorkRerank, "Ranking texts"},
	{fit.WorkPrompt, "Reading a prompt"},
	{fit.WorkFirst, "Time to the first word"},
	{fit.WorkGenerate, "Writing"},
}
