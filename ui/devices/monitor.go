package devices

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"github.com/dustin/go-humanize"

	"inglenook/app/devices"
	"inglenook/app/library"
	"inglenook/ui/chart"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
	"inglenook/ui/ways"
)

const (
	monitorEvery  = time.Second
	monitorPoints = 61 // of the last minute
)

// monitor shows what the program and the computer use, over the last minute, and where
// the last works ran. It reads from the start of the window on, so that the minute before is
// there when somebody looks, and draws only then.
type monitor struct {
	panel.Host
	app   App
	every time.Duration
	reads bool // it has begun to read
	seen  bool // somebody looks

	view              *fyne.Container
	memory, free, cpu *chart.LinePlot
	memoryText        *kit.Line
	freeText          *kit.Line
	cpuText, allText  *kit.Line
	works             *fyne.Container
	resized           func() // called when the view needs more or less room

	readings []devices.Usage // the last one last; empty ones where the computer slept
	last     time.Time       // when the last one was taken
}

func newMonitor(d panel.Host, a App) *monitor {
	m := &monitor{
		Host: d, app: a, every: monitorEvery, memory: chart.NewLinePlot(), free: chart.NewLinePlot(), cpu: chart.NewLinePlot(),
		memoryText: kit.NewCaption(" "), freeText: kit.NewCaption(" "), cpuText: kit.NewCaption(" "), allText: kit.NewCaption(" "), works: kit.Column(2), resized: func() {},
	}
	m.cpu.Top = 100
	m.memory.Unit, m.free.Unit, m.cpu.Unit = "MB", "GB", "%"
	part := func(title string, text fyne.CanvasObject, plot *chart.LinePlot) fyne.CanvasObject {
		plot.Least = 110 + 16 // the unit takes a line
		return kit.Column(2, kit.NewSection(title), text, plot)
	}
	plots := container.New(&kit.Cells{},
		part("Memory of this program", m.memoryText, m.memory), part("Free memory", m.freeText, m.free),
		part("CPU", container.NewGridWithColumns(2, kit.Swatched(theme.ColorNamePrimary, m.cpuText), kit.Swatched(kit.ColorMuted, m.allText)), m.cpu))
	m.view = kit.Card(kit.Column(kit.Gap, plots, kit.Column(2, kit.NewSection("Recent activity"), m.works)))
	m.show()
	return m
}

// read reads until the window closes. It is no work that anybody waits for.
func (m *monitor) read() {
	if m.reads {
		return
	}
	m.reads = true
	tick := time.NewTicker(m.every)
	go func() {
		defer tick.Stop()
		for {
			u, now := m.app.Usage(), time.Now()
			m.Do(func() { m.add(u, now) })
			select {
			case <-m.Life.Done():
				return
			case <-tick.C:
			}
		}
	}()
}

// enter draws from now on.
func (m *monitor) enter() {
	m.read()
	m.seen = true
	m.show()
}

// leave ends the drawing.
func (m *monitor) leave() { m.seen = false }

// slept is how many readings may fail to come without a gap: a busy computer is late.
const slept = 10

// add adds a reading. Where the computer slept before it, the past stays at its time.
func (m *monitor) add(u devices.Usage, now time.Time) {
	if n := int(now.Sub(m.last) / m.every); n > slept && len(m.readings) > 0 {
		m.readings = append(m.readings, make([]devices.Usage, min(n-1, monitorPoints))...)
	}
	m.last = now
	m.readings = append(m.readings, u)
	m.readings = m.readings[max(0, len(m.readings)-monitorPoints):]
	if m.seen {
		m.show()
	}
}

// show draws what has been read.
func (m *monitor) show() {
	minute := make([]string, monitorPoints)
	minute[0], minute[monitorPoints-1] = "1 min ago", "now"
	draw := func(plot *chart.LinePlot, lines ...chart.Series) { plot.Set(minute, lines) }

	program := m.line(theme.ColorNamePrimary, func(i int) float64 { return known(m.readings[i].Resident, 1e6) })
	lines, colors := []chart.Series{program}, ways.Colors{}
	for _, d := range m.devices() {
		lines = append(lines, m.line(colors.Color(devices.Target{Device: d}), func(i int) float64 { return takenOn(m.readings[i], d) }))
	}
	draw(m.memory, lines...)
	draw(m.free, m.line(theme.ColorNamePrimary, func(i int) float64 { return known(m.readings[i].Available, 1e9) }))
	draw(m.cpu,
		m.line(theme.ColorNamePrimary, func(i int) float64 { return m.busy(i, devices.Usage.ProgramShare) }),
		m.line(kit.ColorMuted, func(i int) float64 { return m.busy(i, devices.Usage.SystemShare) }))
	m.showFigures()
}

// line is a series that ends now.
func (m *monitor) line(fill fyne.ThemeColorName, value func(i int) float64) chart.Series {
	s := chart.Series{Fill: fill, Values: make([]float64, monitorPoints)}
	for k := range s.Values {
		s.Values[k] = math.NaN()
		if i := k - monitorPoints + len(m.readings); i >= 0 {
			s.Values[k] = value(i)
		}
	}
	return s
}

// busy is a share of the processors between a reading and the one before, in percent.
func (m *monitor) busy(i int, share func(u, before devices.Usage) (float64, bool)) float64 {
	if i == 0 {
		return math.NaN()
	}
	if v, ok := share(m.readings[i], m.readings[i-1]); ok {
		return 100 * v
	}
	return math.NaN()
}

// devices are those with memory of their own, or a part of the computer's.
func (m *monitor) devices() []string {
	var list []string
	for _, u := range m.readings {
		for _, d := range u.Devices {
			if d.Bytes > 0 && !slices.Contains(list, d.Device) {
				list = append(list, d.Device)
			}
		}
	}
	return list
}

func takenOn(u devices.Usage, device string) float64 {
	for _, d := range u.Devices {
		if d.Device == device {
			return float64(d.Bytes) / 1e6
		}
	}
	return math.NaN()
}

// known is a number of bytes in a unit; NaN where it is 0.
func known(bytes, unit int64) float64 {
	if bytes <= 0 {
		return math.NaN()
	}
	return float64(bytes) / float64(unit)
}

// showFigures writes the newest figures.
func (m *monitor) showFigures() {
	if len(m.readings) == 0 {
		return
	}
	i := len(m.readings) - 1
	u := m.readings[i]
	text := "unknown on this system"
	if u.Resident > 0 {
		text = "now " + humanize.Bytes(uint64(u.Resident))
	}
	for _, d := range u.Devices {
		if d.Bytes == 0 {
			continue
		}
		text += " · " + humanize.Bytes(uint64(d.Bytes)) + " of it on " + panel.DeviceName(d.Device)
	}
	m.memoryText.Set(text)
	text = "unknown on this system"
	if u.Available > 0 {
		text = "now " + humanize.Bytes(uint64(u.Available))
	}
	m.freeText.Set(text)
	percentText := func(v float64) string {
		if math.IsNaN(v) {
			return "…"
		}
		return fmt.Sprintf("%.0f %%", v)
	}
	m.cpuText.Set("Inglenook " + percentText(m.busy(i, devices.Usage.ProgramShare)))
	m.allText.Set("in all " + percentText(m.busy(i, devices.Usage.SystemShare)))
	m.sayWorks(u.Works)
}

// sayWorks lists the last works.
func (m *monitor) sayWorks(works []devices.Work) {
	texts := workLines(works)
	if len(texts) == 0 {
		texts = []string{"Nothing yet. Comparisons, rerankings and answers appear here."}
	}
	before := len(m.works.Objects)
	for len(m.works.Objects) < len(texts) {
		m.works.Add(kit.NewLine("", kit.TextSmall, theme.ColorNameForeground))
	}
	m.works.Objects = m.works.Objects[:len(texts)]
	for i, text := range texts {
		m.works.Objects[i].(*kit.Line).Set(text)
	}
	m.works.Refresh()
	if len(texts) != before {
		m.resized()
	}
}

// workLines are works in a line each.
func workLines(works []devices.Work) []string {
	lines := make([]string, len(works))
	for i, w := range works {
		lines[i] = w.When.Format("15:04:05") + "  " + workText(w)
		if w.Times > 1 {
			lines[i] += ", " + kit.Count(w.Times, "time")
		}
	}
	return lines
}

// workText says what a work was, which devices did how much of it, and how fast it went the last
// time.
func workText(w devices.Work) string {
	var shares []string
	for _, s := range w.Shares {
		where := "on " + panel.DeviceName(s.Device)
		if len(w.Shares) > 1 {
			where = kit.Percent(s.Share) + " " + where
		}
		shares = append(shares, where)
	}
	text := jobInWords(w.Job) + " · " + library.TitleOf(w.Model) + " · " + strings.Join(shares, ", ")
	switch {
	case w.Cancelled:
		text += " · cancelled"
	case w.Rate > 0:
		text += " · " + kit.WordsPerSecond(w.Rate)
	case w.Took > 0:
		text += " · " + kit.Duration(w.Took)
	}
	return text
}

// jobInWords is what was made of a work.
func jobInWords(job string) string {
	switch {
	case job == "chat":
		return "Answer"
	case job == "rerank":
		return "Ranking"
	case job == "classify":
		return "Labels found"
	case job == "embed pictures":
		return "Pictures read"
	case strings.HasPrefix(job, "embed"):
		return "Texts read"
	}
	return "Measurement"
}
