package chat

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
	"github.com/dustin/go-humanize"

	"inglenook/app/base"
	"inglenook/app/chat"
	"inglenook/app/devices"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
)

// options is what a person chooses for one conversation: instructions, how tokens
// are chosen, and how the model is held.
type options struct {
	panel.Host
	session *session
	host    optionsHost
	view    *fyne.Container
	scroll  *container.Scroll
	system  *kit.Entry
	preset  *kit.Choice
	save    *kit.TextButton
	forget  *kit.TextButton
	name    *kit.Entry // of a preset that is being saved
	naming  *fyne.Container
	variety *dial // between exact and inventive
	length  *dial // of answers
	reads   *dial // how much the model reads; hidden where nobody knows
	rooms   []chat.Room
	roomsOf string // what rooms belong to

	more     *kit.Button     // opens the numbers
	advanced *fyne.Container // the numbers
	numbers  []*numberField
	stop     *kit.Entry
	tools    *kit.Check
	asks     *fyne.Container // tools, with their name and what they are; hidden where the model knows none
	think    *kit.Choice
	thinks   *fyne.Container // the choice with its name; hidden where there is none
	context  *kit.Entry
	tooFew   *panel.Complaint // of it
	kv       *kit.Choice
	weights  *kit.Choice
	device   *kit.Choice
	devices  []string // ids, in the order of device
	reload   *kit.Button
	unload   *kit.Button
	memory   *kit.Paragraph
	offers   chat.Thinking // what the choice offers
	filling  bool
	soon     *time.Timer
}

// numberField is a setting of sampling: empty means the model's own.
type numberField struct {
	name     string
	entry    *kit.Entry
	wrong    *panel.Complaint
	get      func(s chat.Sampling) float64
	set      func(s *chat.Sampling, v float64)
	low, top float64
	whole    bool
}

// What the choices of the options are called, and their values.
var (
	thinkNames  = []string{"As the model does", "Think first", "Answer at once"}
	effortNames = []string{"As the model does", "Think a little", "Think more", "Think a lot"} // after the first, of chat.Efforts
	kvNames     = typeNames(devices.CacheTypes())
	weightNames = typeNames(devices.WeightTypes())
)

// typeNames returns what people call the types in which a model is held.
func typeNames(types []string) []string {
	names := map[string]string{"auto": "As in the file", "f16": "16-bit (usual)", "f32": "32-bit", "q8_0": "8-bit", "q4_k": "4-bit"}
	list := make([]string, len(types))
	for i, t := range types {
		list[i] = names[t]
	}
	return list
}

// optionsHost is what the options ask of the panel around them.
type optionsHost struct {
	load, close func()
	unload      func()
	open        func() bool // the options are in view
	changed     func()      // what the model would be sent
	failed      func(error)
	offerUndo   func(what string, back func() error)
}

func newOptions(around panel.Host, s *session, h optionsHost) *options {
	d := &options{Host: around, session: s, host: h}
	k := d.Keys
	d.system = kit.NewEntry(k)
	d.system.MultiLine, d.system.Wrapping = true, fyne.TextWrapWord
	d.system.SetMinRowsVisible(4)
	d.system.SetPlaceHolder(systemHint)
	d.system.Lost = d.keepSystem
	d.system.OnChanged = func(text string) {
		if !d.filling {
			s.setSystem(text)
			d.keepSoon()
		}
	}
	d.preset = kit.NewChoice(k, nil, func(string) { d.presetChosen() })
	d.save = kit.NewTextButton(k, "Save as preset…", d.beginNaming)
	d.forget = kit.NewTextButton(k, "Delete preset", d.forgetPreset)
	d.name = kit.NewEntry(k)
	d.name.SetPlaceHolder("Name of the preset")
	d.name.Submit = d.savePreset
	d.name.Escape = func() bool { d.naming.Hide(); d.view.Refresh(); return true }
	d.naming = container.NewBorder(nil, nil, nil, kit.NewButton(k, "Save", nil, d.savePreset), d.name)
	d.naming.Hide()
	sampling := kit.Column(kit.GapSmall)
	for _, f := range samplingFields() {
		f.entry = kit.NewEntry(k)
		f.entry.OnChanged = func(string) { d.samplingChanged() }
		d.numbers = append(d.numbers, f)
		f.wrong = panel.NewComplaint(f.entry, d.Do, func() { d.view.Refresh() })
		sampling.Add(settingRow(f.name, f.entry))
		sampling.Add(f.wrong.Text.Flat)
	}
	d.stop = kit.NewEntry(k)
	d.stop.SetPlaceHolder("none")
	d.stop.OnChanged = func(string) { d.samplingChanged() }
	sampling.Add(settingRow("Stop words", d.stop))
	d.think = kit.NewChoice(k, thinkNames, func(string) { d.choicesChanged(false) })
	d.thinks = kit.Column(kit.Gap, spacer(kit.GapSmall), kit.NewName("Thinking"), d.think)
	d.tools = kit.NewCheck(k, "The model may ask for tools", func(on bool) {
		if !d.filling {
			d.change(func(x *chat.Choices) { x.Tools = on })
		}
	})
	aboutTools := kit.NewParagraph("It can search your documents, and use what you add in Settings. Each call is shown to you before it runs.", kit.ColorMuted).Small()
	d.context = kit.NewEntry(k)
	d.context.OnChanged = func(string) { d.choicesChanged(true) }
	d.tooFew = panel.NewComplaint(d.context, d.Do, func() { d.view.Refresh() })
	d.kv = kit.NewChoice(k, kvNames, func(string) { d.choicesChanged(true) })
	d.weights = kit.NewChoice(k, weightNames, func(string) { d.choicesChanged(true) })
	d.device = kit.NewChoice(k, nil, func(string) { d.choicesChanged(true) })
	d.asks = kit.Column(kit.Gap, spacer(kit.GapSmall), kit.NewName("Tools"), d.tools, aboutTools.Flat)
	d.reload = kit.NewButton(k, reloadName, theme.ViewRefreshIcon(), h.load)
	d.unload = kit.NewButton(k, "Unload the model", theme.ContentClearIcon(), h.unload)
	d.unload.Tip = "Free the memory that it takes"
	d.memory = kit.NewParagraph("", kit.ColorMuted).Small()
	own := kit.NewTextButton(k, "Reset to the model's defaults", d.clearSampling)
	d.buildDials()
	d.more = kit.NewQuietButton(k, "Advanced", theme.MenuDropDownIcon(), d.toggleAdvanced)
	d.more.IconPlacement, d.more.Alignment = widget.ButtonIconTrailingText, widget.ButtonAlignLeading
	d.advanced = kit.Column(kit.Gap,
		kit.NewName("Sampling"), sampling, container.NewHBox(own),
		spacer(kit.GapSmall), kit.NewName("Memory and device"),
		settingRow("Context, tokens", d.context), d.tooFew.Text.Flat, settingRow("Cache", d.kv), settingRow("Weights", d.weights), settingRow("Device", d.device))
	d.advanced.Hide()
	page := kit.Column(kit.Gap,
		kit.NewName("Instructions"), d.system,
		kit.NewName("Preset"), d.preset, kit.Row(0, d.save, d.forget), d.naming,
		spacer(kit.GapSmall), d.variety.view, spacer(kit.GapSmall), d.length.view, spacer(kit.GapSmall), d.reads.view,
		d.thinks,
		d.asks,
		d.memory.Flat, d.reload, d.unload, d.more, d.advanced)
	head := container.NewBorder(nil, nil, kit.NewSection("This chat"), kit.NewQuietButton(k, "Close", nil, h.close))
	d.scroll = kit.NewPage(d.Keys, container.New(layout.NewCustomPaddedLayout(0, 0, 2, 14), page))
	d.view = kit.Card(kit.Bordered(kit.Gap, head, d.scroll, nil))
	d.view.Hide()
	return d
}

// reveal scrolls so that a field is in view, in the middle where there is room.
func (d *options) reveal(field fyne.CanvasObject) {
	driver := fyne.CurrentApp().Driver()
	y := driver.AbsolutePositionForObject(field).Y - driver.AbsolutePositionForObject(d.scroll.Content).Y
	end := max(0, d.scroll.Content.MinSize().Height-d.scroll.Size().Height)
	d.scroll.ScrollToOffset(fyne.NewPos(0, min(max(0, y-d.scroll.Size().Height/2), end)))
}

// spacer is room between groups.
func spacer(height float32) fyne.CanvasObject {
	return kit.Inset(kit.NewSurface(kit.ColorCard, "", 0), height/2, 0)
}

// settingRow is a name with a narrow field beside it.
func settingRow(name string, field fyne.CanvasObject) fyne.CanvasObject {
	return container.NewBorder(nil, nil, nil, container.New(&kit.FixedWidth{Width: 118}, field), container.New(middleRow{}, kit.NewLine(name, kit.TextBody, theme.ColorNameForeground)))
}

// samplingFields are the settings of sampling that are offered.
func samplingFields() []*numberField {
	return []*numberField{
		{name: "Temperature", top: 5, get: func(s chat.Sampling) float64 { return s.Temperature }, set: func(s *chat.Sampling, v float64) { s.Temperature = v }},
		{name: "Top-p", top: 1, get: func(s chat.Sampling) float64 { return s.TopP }, set: func(s *chat.Sampling, v float64) { s.TopP = v }},
		{name: "Top-k", top: 1e6, whole: true, get: func(s chat.Sampling) float64 { return float64(s.TopK) }, set: func(s *chat.Sampling, v float64) { s.TopK = int(v) }},
		{name: "Min-p", top: 1, get: func(s chat.Sampling) float64 { return s.MinP }, set: func(s *chat.Sampling, v float64) { s.MinP = v }},
		{name: "Repeat penalty", top: 10, get: func(s chat.Sampling) float64 { return s.RepeatPenalty }, set: func(s *chat.Sampling, v float64) { s.RepeatPenalty = v }},
		{name: "Frequency penalty", low: -2, top: 2, get: func(s chat.Sampling) float64 { return s.FrequencyPenalty }, set: func(s *chat.Sampling, v float64) { s.FrequencyPenalty = v }},
		{name: "Presence penalty", low: -2, top: 2, get: func(s chat.Sampling) float64 { return s.PresencePenalty }, set: func(s *chat.Sampling, v float64) { s.PresencePenalty = v }},
		{name: "Seed", top: 1 << 53, whole: true, get: func(s chat.Sampling) float64 { return float64(s.Seed) }, set: func(s *chat.Sampling, v float64) { s.Seed = uint64(v) }},
		{name: "Longest answer", top: 1e7, whole: true},
	}
}

// read takes the number of a field; set reports whether there is one.
func (f *numberField) read() (v float64, set, ok bool) {
	text := strings.ReplaceAll(strings.TrimSpace(f.entry.Text), ",", ".")
	if text == "" {
		return 0, false, true
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(v) || v < f.low || v > f.top || f.whole && v != math.Trunc(v) {
		return 0, false, false
	}
	return v, true, true
}

// showSystem puts instructions into their field. Those that are too long for a field,
// as an imported conversation may have them, stay as they are and cannot be edited here.
func (d *options) showSystem(text string) {
	if long := !kit.Editable(text); long != d.system.Disabled() {
		if long {
			d.system.SetText("")
			d.system.SetPlaceHolder("Too long to edit in the window; the model reads them")
			d.system.Disable()
		} else {
			d.system.SetPlaceHolder(systemHint)
			d.system.Enable()
		}
	}
	if !d.system.Disabled() && d.system.Text != text {
		d.system.SetText(text)
	}
}

// systemHint stands in the field while there are no instructions.
const systemHint = "How the model should behave, in your words"

// show shows what is chosen for the conversation in view.
func (d *options) show() {
	d.filling = true
	defer func() { d.filling = false }()
	x := d.session.choices
	d.showSystem(d.session.conversation.System)
	own, at, names := false, -1, []string{}
	for i, preset := range d.session.conversations.Presets() {
		names = append(names, preset.Name)
		if preset.Name == x.Preset {
			own, at = !preset.BuiltIn, i
		}
	}
	d.preset.Offer(names, at)
	kit.Show(d.forget, own)
	d.showSampling()
	d.showDials()
	d.setText(d.context, whole(x.Context))
	d.context.SetPlaceHolder("automatic")
	d.kv.SetSelectedIndex(max(0, slices.Index(devices.CacheTypes(), x.KV)))
	d.weights.SetSelectedIndex(max(0, slices.Index(devices.WeightTypes(), x.Weights)))
	d.tools.SetChecked(x.Tools)
	d.showDevices()
	d.showMemory()
	d.view.Refresh()
}

// setText fills a field that nobody is typing in.
func (d *options) setText(e *kit.Entry, text string) {
	if e.Text != text {
		e.SetText(text)
	}
}

func whole(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// showSampling shows the person's own numbers, and behind empty fields what holds.
func (d *options) showSampling() {
	x, base := d.session.choices, d.session.base()
	for _, f := range d.numbers {
		if f.get == nil {
			f.entry.SetPlaceHolder("no limit")
			d.setText(f.entry, whole(x.MaxTokens))
			continue
		}
		f.entry.SetPlaceHolder(decimal(f.get(base)))
		if f.name == "Seed" {
			f.entry.SetPlaceHolder("random")
		}
		text := ""
		if x.Sampling != nil && f.get(*x.Sampling) != f.get(base) {
			text = decimal(f.get(*x.Sampling))
		}
		if v, set, ok := f.read(); ok && set && text != "" && v == f.get(*x.Sampling) {
			continue // as the person wrote it
		}
		d.setText(f.entry, text)
	}
	if stop := strings.Join(x.Stop, ", "); !slices.Equal(splitStops(d.stop.Text), x.Stop) {
		d.setText(d.stop, stop)
	}
}

func decimal(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }

func splitStops(text string) []string {
	var list []string
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part != "" {
			list = append(list, part)
		}
	}
	return list
}

// showDevices offers the devices of this computer.
func (d *options) showDevices() {
	names := []string{panel.Automatic}
	d.devices = []string{""}
	for _, v := range panel.OfferedDevices(d.App, d.session.choices.Device) {
		if v.Available {
			names, d.devices = append(names, panel.DeviceName(v.ID)), append(d.devices, v.ID)
		}
	}
	d.device.Offer(names, max(0, slices.Index(d.devices, d.session.choices.Device)))
}

// showThinking offers what the model lets a person choose of its thinking.
func (d *options) showThinking() {
	was := d.filling
	d.filling = true
	defer func() { d.filling = was }()
	x := d.session.choices
	d.offers = d.session.modelChoice(x.Model).Model.Thinking
	kit.Show(d.thinks, d.offers != chat.ThinkingFixed)
	switch {
	case d.offers == chat.ThinkingEffort:
		d.think.Offer(effortNames, 1+slices.Index(chat.Efforts, x.Effort))
	case x.Think == nil:
		d.think.Offer(thinkNames, 0)
	case *x.Think:
		d.think.Offer(thinkNames, 1)
	default:
		d.think.Offer(thinkNames, 2)
	}
}

// showMemory says how the model is held now, and whether that is another way.
func (d *options) showMemory() {
	d.showThinking()
	l, ok := d.session.conversations.Loaded()
	x := d.session.choices
	here := d.session.modelChoice(x.Model).Model
	kit.Show(d.asks, here.Tools)
	held := ok && l.Model.ID == x.Model
	kit.Show(d.unload, held && !here.Tiny() && !here.Elsewhere() && d.session.running == nil)
	switch {
	case !held:
		d.memory.Set("These settings apply from the next answer on.")
		d.reload.SetText("Load the model now")
		kit.Show(d.reload, x.Model != "" && !here.Tiny() && !here.Elsewhere())
	default:
		d.memory.Set(loadedLine(l.Info))
		d.reload.SetText(reloadName)
		was := l.Choices
		kit.Show(d.reload, was.Context != x.Context || was.KV != x.KV || was.Weights != x.Weights || was.Device != x.Device)
	}
	if c := d.session.modelChoice(x.Model); c.NeedsBytes > 0 && c.FreeBytes > 0 && !c.Loaded {
		d.memory.Set(d.memory.Segment.Text + " It needs " + humanize.Bytes(uint64(c.NeedsBytes)) + " of the " + humanize.Bytes(uint64(c.FreeBytes)) + " that are free.")
	}
}

// reloadName is what the button says that loads the model in another way.
const reloadName = "Reload the model"

// loadedLine says how the model is held that answers.
func loadedLine(info chat.ChatInfo) string {
	return "The model is ready on " + panel.DeviceName(info.Device) + " and reads " + kit.Words(info.Context) + " at once."
}

// keepSoon keeps the instructions once the person pauses.
func (d *options) keepSoon() {
	if d.soon != nil {
		d.soon.Stop()
	}
	d.soon = time.AfterFunc(panel.SaveDelay, func() { d.Do(d.keepSystem) })
}

// keepSystem keeps the instructions.
func (d *options) keepSystem() {
	changed, err := d.session.keepSystem()
	if err != nil {
		d.host.failed(err)
	}
	if changed {
		d.host.changed()
	}
}

// change changes the choices and keeps them.
func (d *options) change(change func(x *chat.Choices)) {
	if err := d.session.change(change); err != nil {
		d.host.failed(err)
		return
	}
	d.host.changed()
}

// presetChosen takes the instructions and the sampling of a preset.
func (d *options) presetChosen() {
	if d.filling {
		return
	}
	if i, presets := d.preset.SelectedIndex(), d.session.conversations.Presets(); i >= 0 && i < len(presets) {
		d.takePreset(presets[i])
	}
	d.show()
}

// takePreset has a preset's instructions and sampling hold. The person's own
// instructions come back with undo.
func (d *options) takePreset(preset base.Preset) {
	s := d.session
	conversation, before, was, own := s.conversation.ID, s.conversation.System, s.choices, s.ownSystem()
	d.setSystem(preset.System)
	d.change(func(x *chat.Choices) { x.Preset, x.Sampling = preset.Name, nil })
	if !own {
		return
	}
	d.host.offerUndo("The preset replaced your instructions.", func() error {
		if s.conversation.ID == conversation {
			d.setSystem(before)
			d.change(func(x *chat.Choices) { *x = was })
			d.show()
		}
		return nil
	})
}

// setSystem puts other instructions in the place of those that are there.
func (d *options) setSystem(text string) {
	d.session.setSystem(text)
	d.filling = true
	d.showSystem(text)
	d.filling = false
	d.keepSystem()
}

// samplingChanged follows the numbers and the stop texts.
func (d *options) samplingChanged() {
	if d.filling {
		return
	}
	own, changed, longest := d.session.base(), false, d.session.choices.MaxTokens
	wrong := false
	for _, f := range d.numbers {
		v, set, ok := f.read()
		if !ok {
			f.wrong.Say(f.name + " takes a number from " + decimal(f.low) + " to " + decimal(f.top) + ".")
			wrong = true
			continue
		}
		f.wrong.Say("")
		switch {
		case f.get == nil:
			longest = int(v)
		case set:
			f.set(&own, v)
			changed = true
		}
	}
	if wrong {
		return
	}
	d.change(func(x *chat.Choices) {
		x.MaxTokens, x.Stop, x.Sampling = longest, splitStops(d.stop.Text), nil
		if changed {
			x.Sampling = &own
		}
	})
	d.filling = true
	d.showDials()
	d.filling = false
}

func (d *options) clearSampling() {
	d.filling = true
	for _, f := range d.numbers {
		f.entry.SetText("")
		f.wrong.Say("")
	}
	d.stop.SetText("")
	d.filling = false
	d.change(func(x *chat.Choices) { x.Sampling, x.MaxTokens, x.Stop = nil, 0, nil })
	d.show()
}

// choicesChanged follows thinking and how the model is held.
func (d *options) choicesChanged(held bool) {
	if d.filling {
		return
	}
	n := 0
	if text := strings.TrimSpace(d.context.Text); text != "" {
		v, err := strconv.Atoi(text)
		if err != nil || v < 16 || v > 1<<24 {
			d.tooFew.Say("Context must be 16 tokens or more. Leave it empty for the model's default.")
			return
		}
		n = v
	}
	d.tooFew.Say("")
	d.change(func(x *chat.Choices) {
		x.Device = d.devices[max(0, d.device.SelectedIndex())]
		x.Hold = devices.Hold{
			Weights: devices.WeightTypes()[max(0, d.weights.SelectedIndex())], KV: devices.CacheTypes()[max(0, d.kv.SelectedIndex())], Context: n,
		}.Usual()
		switch i := d.think.SelectedIndex(); {
		case d.offers == chat.ThinkingFixed: // nothing was offered
		case i < 1:
			x.Think, x.Effort = nil, ""
		case d.offers == chat.ThinkingEffort:
			x.Effort = chat.Efforts[i-1]
		default:
			on := i == 1
			x.Think = &on
		}
	})
	if held {
		d.showMemory()
		d.view.Refresh()
	}
}

// beginNaming asks for the name of a preset.
func (d *options) beginNaming() {
	d.keepSystem()
	d.naming.Show()
	d.view.Refresh()
	d.Focus(d.name)
}

func (d *options) savePreset() {
	name := strings.TrimSpace(d.name.Text)
	if err := d.session.savePreset(name); err != nil {
		d.Tell(kit.Sentence(err.Error()))
		return
	}
	d.naming.Hide()
	d.name.SetText("")
	d.show()
	d.Tell("Saved the preset " + kit.Brief(name) + ".")
}

func (d *options) forgetPreset() {
	name := d.session.choices.Preset
	if err := d.session.deletePreset(); err != nil {
		d.host.failed(err)
		return
	}
	d.show()
	d.Tell("Deleted the preset " + name + ".")
}
