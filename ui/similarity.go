package ui

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"inglenook/app"
)

// autoStart is the largest number of texts that are compared without being
// asked when the window opens.
const autoStart = 64

// keepLimit is the size in bytes up to which the texts are kept in the
// settings, which are read before the window opens.
const keepLimit = 2 << 20

// similarity is the panel that compares texts.
type similarity struct {
	desk
	runControls
	app      similarityApp
	texts    *texts
	list     *textList
	picker   *modelPicker
	device   *choice
	prompt   *promptChoice
	prompted string // the model whose prompts are on offer

	view    *fyne.Container
	compare *button
	told    *notice // from the start of the program
	notice  *notice
	stale   *notice
	blank   *fyne.Container // in place of results
	hint    *hint
	results *results
	facts   *paragraph
	remarks *paragraph
	exports []*button

	models    []app.Model
	deviceIDs []string // of the options of device
	running   *comparison
	result    *app.SimilarityResult
	resultIDs []int // of the texts of result
	asked     request
	waits     bool // for its room to come into view before it begins
}

func newSimilarity(d desk, a similarityApp) *similarity {
	settings := d.common.Settings()
	lines := settings.SimilarityTexts
	if lines == nil {
		lines = app.SampleTexts()
	}
	p := &similarity{desk: d, app: a, texts: newTexts(lines)}
	p.list = newTextList(d.keys, p.texts)
	p.list.changed, p.list.chosen, p.list.open, p.list.tell = p.textsChanged, p.selectText, p.openTexts, d.tell
	p.picker = newModelPicker(d.keys)
	p.picker.fits = forSimilarity
	p.picker.chosen, p.picker.openFolder, p.picker.openFile, p.picker.forget = p.modelChosen, p.openModelFolder, p.openModelFile, p.forgetModel
	p.picker.id = settings.Model
	p.prompt = newPromptChoice(d.keys, p.refresh)
	p.results = newResults(d.keys)
	p.results.chosen = p.selectResult
	p.told, p.notice, p.stale = newNotice(d.keys), newNotice(d.keys), newNotice(d.keys)
	p.buildDevices(settings.Device)
	p.buildRun()
	p.buildView()
	p.refresh()
	return p
}

func (p *similarity) buildDevices(chosen string) {
	options := []string{automatic}
	p.deviceIDs = []string{"auto"}
	index := 0
	for _, d := range p.common.Devices() {
		if !d.Available {
			continue // Settings lists these with the reason
		}
		if d.ID == chosen {
			index = len(options)
		}
		options = append(options, deviceName(d.ID)+" · "+d.Name)
		p.deviceIDs = append(p.deviceIDs, d.ID)
	}
	p.device = newChoice(p.keys, options, nil)
	p.device.SetSelectedIndex(index)
	p.device.OnChanged = func(string) {
		id := p.deviceID()
		p.keep(func(s *app.Settings) { s.Device = id })
		p.refresh()
	}
}

func (p *similarity) deviceID() string {
	if i := p.device.SelectedIndex(); i >= 0 {
		return p.deviceIDs[i]
	}
	return "auto"
}

func (p *similarity) buildRun() {
	p.compare = newButton(p.keys, "Compare", theme.MediaPlayIcon(), p.start)
	p.compare.Importance = widget.HighImportance
	p.runControls = newRunControls(p.keys, func() { p.stop() })
}

func (p *similarity) buildView() {
	copyCSV := quiet(p.keys, "Copy CSV", theme.ContentCopyIcon(), p.copyCSV)
	saveCSV := quiet(p.keys, "Save CSV…", theme.DocumentSaveIcon(), p.saveCSV)
	savePNG := quiet(p.keys, "Save picture…", theme.MediaPhotoIcon(), p.savePNG)
	p.exports = []*button{copyCSV, saveCSV, savePNG}
	subtitle := newLine("How close texts are in meaning", textBody, colorMuted)
	title := newTitle("Similarity")
	title.whole = true
	header := container.NewBorder(nil, nil, title, row(0, copyCSV, saveCSV, savePNG), inset(subtitle, 6, gapWide))

	how := container.NewGridWithColumns(2, column(2, newName("Device"), p.device), column(2, newName("Prompt"), p.prompt.choice))
	options := column(gapSmall, newName("Model"), p.picker, how, p.prompt.own)
	left := card(bordered(gap, options, p.list.view, container.NewStack(p.compare, p.progress)))

	p.hint = newHint(similarityIcon(colorMuted))
	p.blank = container.NewStack(newSurface(colorCard, colorLine, 12), p.hint.view)
	p.facts = newParagraph("", colorMuted).small()
	p.remarks = newParagraph("", theme.ColorNameWarning).small()
	p.facts.flat.Hide()
	p.remarks.flat.Hide()
	right := bordered(gap, bordered(gap, p.told.view, p.notice.view, p.stale.view),
		container.NewStack(p.results.view, p.blank), inset(column(gapSmall, p.facts.flat, p.remarks.flat), 2, 4))
	p.view = inset(bordered(10, header, container.New(&panesLayout{}, left, right), nil), 12, gapWide)
}

// addTexts adds the texts of a file.
func (p *similarity) addTexts(path string) {
	p.work(func(ctx context.Context) {
		t, err := p.app.ReadTexts(path)
		p.do(func() {
			if ctx.Err() != nil {
				return
			}
			if err != nil {
				p.showError(err)
				return
			}
			p.notice.hide()
			p.list.add(t.Lines)
			p.tell(strings.TrimSpace(fmt.Sprintf("Added %s from %s. %s", countTexts(len(t.Lines)), filepath.Base(path), t.Note)))
		})
	})
}

// textsChanged follows every change of the list.
func (p *similarity) textsChanged() {
	lines := p.texts.lines()
	size := 0
	for _, l := range lines {
		size += len(l)
	}
	if size > keepLimit {
		p.tell("These texts are too long to be kept for the next start.")
		lines = []string{}
	}
	p.keep(func(s *app.Settings) { s.SimilarityTexts = lines })
	p.refresh()
}

// selectText marks the text with that id everywhere.
func (p *similarity) selectText(id int) {
	i := slices.Index(p.resultIDs, id)
	p.results.choose(i)
	if i < 0 && id != 0 {
		p.results.near.clear("Not compared yet", "Compare again to see what is closest to this text.")
	}
}

// selectResult marks text i of the result everywhere.
func (p *similarity) selectResult(i int) {
	p.results.choose(i)
	if id := p.resultIDs[i]; p.texts.index(id) >= 0 {
		p.list.show(id)
	}
}

// showError shows what went wrong in the panel; nil hides it.
func (p *similarity) showError(err error) {
	if err == nil {
		p.notice.hide()
	} else {
		p.common.Log().Warn("similarity", slog.Any("error", err))
		p.notice.fail(sentence(err.Error()))
	}
	p.view.Refresh()
}

// warn shows what went wrong at the start of the program.
func (p *similarity) warn(message string) { p.told.fail(message) }

// failure returns the error that is shown; "": there is none.
func (p *similarity) failure() string { return p.notice.message() }

// refresh shows what can be done now.
func (p *similarity) refresh() {
	n := len(p.texts.items)
	m, chosen := p.picker.model()
	why, usable := "", false
	if chosen {
		why, usable = forSimilarity(m)
	}
	p.compare.setEnabled(n >= 2 && usable && p.running == nil)
	switch {
	case p.models == nil:
		p.hint.say("", "")
	case len(p.models) == 0:
		p.hint.say("No model", "Open a model folder, or drop one on this window.")
	case !chosen:
		p.hint.say("No model chosen", "Choose a model on the left.")
	case !usable:
		p.hint.say("This model gives no vectors", why)
	case n < 2:
		p.hint.say("Nothing to compare", "Add at least two texts, then press Compare.")
	case p.running != nil:
		p.hint.say("Comparing", "The result appears here.")
	default:
		p.hint.say("Nothing compared yet", "Press Compare to see how close these texts are.")
	}
	for _, b := range p.exports {
		b.setEnabled(p.result != nil)
	}
	if changed := p.asked.changed(p.request()); p.result != nil && p.running == nil && changed != "" {
		p.stale.say(changed+" since this comparison.", "Compare again", p.start)
		p.stale.act.setEnabled(n >= 2 && usable)
	} else {
		p.stale.hide()
	}
	p.view.Refresh()
}

// request is everything that a result depends on.
type request struct {
	model, device, prompt string
	ids                   []int
}

func (p *similarity) request() request {
	return request{p.picker.id, p.deviceID(), p.prompt.text(), p.texts.ids()}
}

// changed says how r differs from a later request; empty: not at all.
func (r request) changed(now request) string {
	switch {
	case !slices.Equal(r.ids, now.ids):
		return "The texts have changed"
	case r.model != now.model:
		return "The model has changed"
	case r.prompt != now.prompt:
		return "The prompt has changed"
	case r.device != now.device:
		return "The device has changed"
	}
	return ""
}
