package devices

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"inglenook/app/devices"
	"inglenook/ui/uitest"
)

// The monitor has read the last minute before somebody looks, and draws only while they do.
func TestMonitorReadsBefore(t *testing.T) {
	d := uitest.NewApp()
	b := uitest.NewStage(t, d)
	p := New(b.Host, d)
	b.Window.SetContent(p.Content())
	p.monitor.every = time.Millisecond
	p.Watch()
	b.Loop.Until(t, "readings", func() bool { return len(p.monitor.readings) > 2 })
	p.monitor.readings, p.monitor.every = nil, time.Hour // those that still come are no gap
	for range monitorPoints {
		p.monitor.add(d.Usage(), time.Now())
	}
	if known := func(v float64) bool { return !math.IsNaN(v) }; slices.ContainsFunc(p.monitor.cpu.Lines[1].Values, known) {
		t.Error("it draws what nobody sees")
	}
	p.Enter()
	if got := p.monitor.cpu.Lines[1].Values; got[monitorPoints-1] < 39.9 || got[monitorPoints-1] > 40.1 {
		t.Errorf("all programs take %v %%", got[monitorPoints-1])
	}
	if got := p.monitor.memory.Lines; len(got) != 2 || math.Round(got[0].Values[monitorPoints-1]) != 105 || math.Round(got[1].Values[0]) != 31 {
		t.Errorf("memory: %+v", got)
	}
	text := uitest.AllText(p.monitor.view)
	for _, want := range []string{"now 105 MB · 32 MB of it on Metal", "now 5.4 GB", "in all 40 %", "Answer · org/writer · 98 % on Metal, 2 % on CPU"} {
		if !strings.Contains(text, want) {
			t.Errorf("the monitor lacks %q: %q", want, text)
		}
	}
	p.Leave()
	b.Loop.Until(t, "readings while nobody looks", func() bool {
		d.Mu.Lock()
		defer d.Mu.Unlock()
		return d.Measured.Usages > monitorPoints+5
	})
}

// Where the computer slept, the lines have a gap, and the past stays at its time.
func TestMonitorLeavesGaps(t *testing.T) {
	d := uitest.NewApp()
	b := uitest.NewStage(t, d)
	m := New(b.Host, d).monitor
	at := time.Date(2026, 11, 26, 9, 0, 0, 0, time.UTC)
	for i := range 3 {
		m.add(d.Usage(), at.Add(time.Duration(i)*time.Second))
	}
	m.add(d.Usage(), at.Add(14*time.Second))
	got := m.line("primary", func(i int) float64 { return known(m.readings[i].Resident, 1e6) }).Values
	for back, want := range []bool{true, false, false, false, false, false, false, false, false, false, false, false, true, true, true, false} {
		if has := got[len(got)-1-back] > 0; has != want {
			t.Errorf("%d seconds ago there is a value: %v, want %v", back, has, want)
		}
	}
	m.add(d.Usage(), at.Add(time.Hour))
	if len(m.readings) != monitorPoints || m.readings[0].Resident != 0 {
		t.Errorf("after a long time %d readings are left, the first of %d bytes", len(m.readings), m.readings[0].Resident)
	}
}

// Equal works that follow each other share a line.
func TestRecentActivity(t *testing.T) {
	at := time.Date(2026, 11, 24, 9, 30, 0, 0, time.UTC)
	work := func(job string, times int) devices.Work {
		return devices.Work{When: at, Times: times, Job: job, Model: "m", Shares: []devices.DeviceShare{{Device: "cpu", Share: 1}}}
	}
	wrote, measured := work("chat", 1), work("measure", 1)
	wrote.Took, wrote.Rate, measured.Took = 3*time.Second, 80, 4*time.Second
	got := workLines([]devices.Work{work("embed", 2), wrote, measured})
	want := []string{"09:30:00  Texts read · m · on CPU, 2 times", "09:30:00  Answer · m · on CPU · 60 words a second", "09:30:00  Measurement · m · on CPU · 4.0 s"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// The card grows with the lines of the recent activity.
func TestRecentActivityHasRoom(t *testing.T) {
	d := uitest.NewApp()
	b := uitest.NewStage(t, d)
	p := New(b.Host, d)
	b.Window.SetContent(p.Content())
	b.Window.Resize(fyne.NewSize(900, 1200))
	var works []devices.Work
	for i := range 8 {
		works = append(works, devices.Work{Job: "chat", Model: fmt.Sprint("model ", i)})
		p.monitor.sayWorks(works)
		if got, want := p.monitor.view.Size().Height, p.monitor.view.MinSize().Height; got < want {
			t.Errorf("with %d lines the card is %v high and needs %v", i+1, got, want)
		}
	}
	high := p.monitor.view.Size().Height
	p.monitor.sayWorks(works[:1])
	if p.monitor.view.Size().Height >= high {
		t.Error("the card keeps the room of lines that are gone")
	}
}
