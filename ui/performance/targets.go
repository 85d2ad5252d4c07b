package performance

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"inglenook/app/devices"
	"inglenook/app/library"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
	"inglenook/ui/ways"
)

// targetList lets a person tick where a model should run.
type targetList struct {
	host    panel.Host
	colors  *ways.Colors
	changed func()
	view    *fyne.Container
	boxes   []*kit.Check
	places  []devices.Target // of boxes
	ticked  map[devices.Target]bool
}

func newTargetList(h panel.Host, colors *ways.Colors, changed func()) *targetList {
	return &targetList{host: h, colors: colors, changed: changed, view: kit.Column(0), ticked: map[devices.Target]bool{}}
}

// fill offers all places of these devices: the CPU with some numbers of threads,
// and with smaller weights; then the other devices. The tick of a place has the colour of its
// kind. A line says where there is no GPU.
func (l *targetList) fill(targets []devices.Device, m library.Model) {
	l.boxes, l.places, l.view.Objects = nil, nil, nil
	for _, o := range offersFor(targets, m) {
		l.offer(o.Target, o.hint)
	}
	if why := noSmaller(m); why != "" {
		l.view.Add(kit.Inset(kit.NewParagraph(why, kit.ColorMuted).Small().Flat, kit.GapSmall, 7))
	}
	if !panel.HasGPU(targets) {
		l.view.Add(kit.Inset(panel.NoGPU(l.host), kit.GapSmall, 7))
	}
	l.view.Refresh()
}

// offer is a place that can be ticked, and what is said below it; "": nothing.
type offer struct {
	devices.Target
	hint string
}

// offersFor are the places of these devices in which a model can run.
func offersFor(targets []devices.Device, m library.Model) (list []offer) {
	for _, d := range targets {
		switch {
		case !d.Available:
		case d.ID == "cpu":
			for i, n := range threadCounts(d.Threads) {
				hint := ""
				if i == 0 {
					hint = d.Name
				}
				list = append(list, offer{devices.Target{Device: "cpu", Threads: n}, hint})
			}
			for i, weights := range smaller(m) {
				hint := ""
				if i == 0 {
					hint = "Smaller, and often faster"
				}
				list = append(list, offer{devices.Target{Device: "cpu", Threads: d.Threads, Hold: devices.Hold{Weights: weights}}, hint})
			}
		case panel.IsEmulated(d.ID):
			list = append(list, offer{devices.Target{Device: d.ID}, "For testing, not for speed: it takes minutes"})
		default:
			list = append(list, offer{devices.Target{Device: d.ID}, d.Name})
		}
	}
	return list
}

// waysOf are the places in which a model among all is measured: those of its own that are ticked, or
// else a graphics card or all threads of the processor, with the weights as they are. Those for testing
// alone are left out: they take minutes for each model.
func (l *targetList) waysOf(targets []devices.Device, m library.Model) (list []devices.Target) {
	var plain []devices.Target
	for _, o := range offersFor(targets, m) {
		switch {
		case panel.IsEmulated(o.Device):
		case l.isTicked(o.Target):
			list = append(list, o.Target)
		case o.Weights == "":
			plain = append(plain, o.Target)
		}
	}
	if len(list) == 0 && len(plain) > 0 {
		return plain[len(plain)-1:]
	}
	return list
}

// isTicked reports whether a place is ticked; until somebody chooses, it is unless it takes long.
func (l *targetList) isTicked(p devices.Target) bool {
	if ticked, known := l.ticked[p]; known {
		return ticked
	}
	return !panel.IsEmulated(p.Device) && p.Weights != "q4_k"
}

// smaller are the ways to hold a model's weights in fewer bits than its files do.
func smaller(m library.Model) []string {
	switch {
	case !slices.Contains([]string{"", "f32", "f16", "bf16"}, strings.ToLower(m.DType)):
		return nil
	case m.Writes():
		return devices.WeightTypes()[1:]
	}
	return []string{"q8_0"}
}

// noSmaller says why a model has no way with smaller weights; "": it has one.
func noSmaller(m library.Model) string {
	switch {
	case m.Elsewhere() || len(smaller(m)) > 0:
		return ""
	case strings.EqualFold(m.DType, "q8_0"):
		return "There is no other way with 8-bit weights: those in this model's file are 8-bit already."
	}
	return "There is no way with 8-bit weights: this model's file has smaller ones already (" + m.DType + ")."
}

// offer adds a place that can be ticked. What can be chosen is ticked at first unless it takes long.
func (l *targetList) offer(p devices.Target, hint string) {
	box := kit.NewCheck(l.host.Keys, panel.TargetName(p), nil)
	l.ticked[p] = l.isTicked(p)
	kind := p
	kind.Threads = 0 // a paler tick would look switched off
	box.Checked, box.Fill = l.ticked[p], l.colors.Color(kind)
	box.OnChanged = func(on bool) {
		l.ticked[p] = on
		l.changed()
	}
	l.boxes, l.places = append(l.boxes, box), append(l.places, p)
	if hint == "" {
		l.view.Add(box)
		return
	}
	below := kit.NewTold(l.host.Keys, kit.NewCaption(hint))
	l.view.Add(kit.Column(-4, box, container.NewBorder(nil, nil, container.New(&kit.FixedWidth{Width: 34}, kit.NewCaption("")), nil, below)))
}

// chosen are the ticked places, in order; the one that judges the others first.
func (l *targetList) chosen() []devices.Target {
	var list []devices.Target
	for i, b := range l.boxes {
		if b.Checked {
			list = append(list, l.places[i])
		}
	}
	return list
}

// threadCounts are the numbers of threads to compare: powers of two, and all.
func threadCounts(all int) []int {
	counts := []int{max(1, all)}
	for n := 1; n < all; n *= 2 {
		counts = append(counts, n)
	}
	slices.Sort(counts)
	return counts
}
