package panel

import (
	"fmt"
	"time"

	"inglenook/app/base"
	"inglenook/app/devices"
	"inglenook/app/fit"
	"inglenook/ui/kit"
)

// Throttled hands progress to show on the window's goroutine, not more often than can be
// seen. do runs a function there.
func Throttled(do func(func()), show func(base.Progress)) func(base.Progress) {
	var last time.Time
	stage := ""
	return func(p base.Progress) {
		if p.Stage == stage && time.Since(last) < ReportEvery {
			return
		}
		stage, last = p.Stage, time.Now()
		do(func() { show(p) })
	}
}

// TestingGPU says that a device is tested before its first use.
const TestingGPU = "Testing the GPU…"

// WaitingFor says that a server is awaited, which has to open a model.
func WaitingFor(p base.Progress) string {
	if p.Fails != "" {
		return "Waiting for " + kit.Brief(p.Server) + ", which " + p.Fails
	}
	return "Waiting for " + kit.Brief(p.Server) + ", " + kit.Count(int(p.Done), "second")
}

// ShowProgress shows what is being done, how far it is and how long it will take.
func ShowProgress(c kit.RunControls, what string, p base.Progress) {
	c.Stage.Set(what)
	c.Left.Set("")
	if p.Left >= time.Second {
		c.Left.Set(kit.Left(p.Left))
	}
	c.Bar.Set(0)
	if p.Total > 0 {
		c.Bar.Set(float64(p.Done) / float64(p.Total))
	}
	c.Progress.Refresh()
}

// FallbackSentences say which work ran on another device than the chosen one, and why.
func FallbackSentences(fallbacks []devices.Fallback) []string {
	var all []string
	for _, f := range fallbacks {
		all = append(all, kit.Sentence(fmt.Sprintf("%s ran on %s instead of %s: %s", fit.OpInWords(fmt.Sprint(f.Op)), DeviceName(f.RunsOn), DeviceName(f.Device), f.Reason)))
	}
	return all
}
