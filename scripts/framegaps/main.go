// Command framegaps opens the window with a scripted model that writes 4,000 tokens, 100 a second. Every
// two seconds it prints how long the window's goroutine was busy at most, which a person sees as a
// pause. scripts/framegaps.sh runs it under a virtual display.
package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/app"

	inglenook "inglenook/app"
	_ "inglenook/app/locale"
	"inglenook/ui"
	"inglenook/ui/scripted"
)

const (
	tokens = 4000
	perSec = 100
	long   = 100 * time.Millisecond // a gap that people notice
)

func main() {
	a, err := inglenook.New(inglenook.Options{Stderr: os.Stderr})
	if err != nil {
		fmt.Fprintln(os.Stderr, "framegaps:", err)
		os.Exit(1)
	}
	defer func() { _ = a.Close(context.Background()) }()
	app.SetMetadata(fyne.AppMetadata{ID: "inglenook.framegaps", Name: "Inglenook", Migrations: map[string]bool{"fyneDo": true}})
	conversations := scripted.New()
	conversations.Model.Rate = perSec
	conversations.Model.Reply = func(string) string {
		text := strings.Repeat(answer, tokens*4/len(answer)+1)
		return text[:tokens*4]
	}
	g := &gaps{}
	go g.beat()
	go g.report()
	_ = ui.Run(app.NewWithID("inglenook.framegaps"), a, ui.Stores{Chats: conversations, Documents: scripted.NewDocuments(), Server: scripted.NewServer(os.TempDir())}, ui.Options{})
}

// answer is what the model writes: each kind of block in turn.
const answer = "## A fire in the hearth\n\nA fire needs *air*, fuel and **heat**; take one away and it goes out. Dry wood\n" +
	"burns with a small flame and little smoke, wet wood the other way round.\n\n1. Lay two logs side by side.\n" +
	"2. Put kindling between them:\n   - bark\n   - thin sticks\n3. Light it from below.\n\n| wood | heat | smoke |\n" +
	"|---|---:|---|\n| oak | 4.2 | little |\n| pine | 4.4 | much |\n\n```go\nfunc burn(logs []Log) (heat float64) {\n" +
	"\tfor _, l := range logs {\n\t\theat += l.Mass * l.Value // in kWh\n\t}\n\treturn heat\n}\n```\n\n" +
	"> Whoever sits by the fire does not count the hours.\n\n" +
	"It loses $P = \\varepsilon \\sigma A T^4$ by radiation, with \\(\\sigma \\approx 5.67 \\cdot 10^{-8}\\), so\n\n" +
	"\\[\nQ = \\int_{t_0}^{t_1} \\sum_{i=1}^{n} \\frac{m_i h_i}{\\tau_i}\\, e^{-t/\\tau_i}\\, dt\n\\]\n\n"

// gaps are the times between two moments at which the window's goroutine was free.
type gaps struct {
	mu   sync.Mutex
	last time.Time
	list []time.Duration
}

// beat asks the window's goroutine for its attention, again and again.
func (g *gaps) beat() {
	for {
		time.Sleep(4 * time.Millisecond)
		fyne.DoAndWait(func() {
			now := time.Now()
			g.mu.Lock()
			defer g.mu.Unlock()
			if !g.last.IsZero() {
				g.list = append(g.list, now.Sub(g.last))
			}
			g.last = now
		})
	}
}

func (g *gaps) report() {
	for range time.Tick(2 * time.Second) {
		g.mu.Lock()
		worst, over := time.Duration(0), 0
		for _, d := range g.list {
			worst = max(worst, d)
			if d > long {
				over++
			}
		}
		fmt.Printf("%d gaps, the longest %v, %d over %v\n", len(g.list), worst.Round(time.Millisecond), over, long)
		g.list = g.list[:0]
		g.mu.Unlock()
	}
}
