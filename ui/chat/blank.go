package chat

import (
	"context"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"inglenook/app/chat"
	"inglenook/app/downloads"
	"inglenook/app/fit"
	"inglenook/app/library"
	"inglenook/ui/firstmodel"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
)

// Beginnings for a first message: to a model that converses, and to one that
// continues texts.
var (
	chatExamples  = []string{"Explain what an inglenook is, in two sentences.", "Write a short poem about a fire in winter.", "What are three good questions to ask before buying an old house?"}
	plainExamples = []string{"Once upon a time there was a little fox who", "The house at the end of the lane had been empty until", "Dear diary, today I found"}
)

// task is something that a text-to-text model can do with a text, and how its message begins.
type task struct{ name, begins string }

var tasks = []task{
	{"Summarize a text", "summarize: "},
	{"Translate into German", "translate English to German: "},
	{"Answer a question from a text", "question: \ncontext: "},
}

// blank invites to begin where a conversation has no messages.
type blank struct {
	keys     *kit.Keyboard
	session  *session
	host     blankHost
	view     *fyne.Container
	hint     *kit.Hint
	examples *fyne.Container
	also     *kit.Line       // what the program does beside chats, where there is room
	get      *fyne.Container // where there is only the guide: opens the card
	getIt    *kit.Button
	best     *kit.Line        // below it: the model that is recommended, or how far its download is
	offered  []fit.Suggestion // what suits this computer, once that is known
	coming   string           // how far the download of one of them is; "": none is under way
	card     *firstmodel.Card
	page     *container.Scroll // with the card, which may be higher than the window
	wanted   bool              // a person asked for the card
	over     bool              // it stands in the place of the messages of a chat
	advice   string            // which model is recommended for this computer, in words; "": not known
	here     library.Model     // that one, or a larger one, where it is here already; without an ID it is not
	asked    bool              // for that
	enough   bool              // a person closed the advice
	filled   kindOfBlank
}

// kindOfBlank tells to what kind of model the examples belong.
type kindOfBlank int

const (
	unfilled kindOfBlank = iota
	converses
	continues
	transforms // one text into another
	guides     // the tiny model that comes with the program
)

// blankHost is what it leads to.
type blankHost struct {
	write   func(text string) // begins a message
	ask     func(text string) // sends one
	goTo    func(panel string)
	samples func()        // leads to the sample documents
	learn   func()        // finds out which model is recommended
	back    func()        // the card was left
	cover   func(on bool) // the card stands in the place of the messages
	get     func()        // leads to the recommended model
}

func newBlank(d panel.Host, a firstmodel.App, s *session, h blankHost, first firstmodel.Host) *blank {
	b := &blank{keys: d.Keys, session: s, host: h, hint: kit.NewHint(kit.Flame()), examples: kit.Column(kit.Gap), also: kit.NewCaption(alsoDoes)}
	b.also.Align = fyne.TextAlignCenter
	b.getIt = kit.NewButton(d.Keys, getLarger, theme.DownloadIcon(), h.get)
	b.getIt.Importance = widget.HighImportance
	b.best = kit.NewCaption("")
	b.best.Align = fyne.TextAlignCenter
	b.get = kit.Column(kit.GapSmall, container.NewCenter(b.getIt), b.best)
	first.NotNow, first.Resized = func() { b.want(false); h.back() }, func() { b.view.Refresh() }
	b.card = firstmodel.New(d, a, first)
	b.page = d.Keys.Follow(container.NewVScroll(b.card.View))
	b.view = container.New(&blankLayout{b}, b.hint.View, b.get, b.page, b.examples, b.also)
	return b
}

// want shows the card that gets a model, or goes back to the guide.
func (b *blank) want(on bool) {
	b.wanted = on
	b.refresh()
}

// refresh says how to begin.
func (b *blank) refresh() {
	s := b.session
	none := s.models != nil && len(s.models) == 0
	kind := s.kindOfBlank()
	if s.writesHere() || kind != guides || !b.wanted { // a person went on with the chat
		b.over = false
	}
	kit.Show(b.view, (len(s.tree.path) == 0 || b.over) && !s.writesHere())
	b.host.cover(b.over)
	b.advise()
	card := none || kind == guides && b.wanted
	switch {
	case s.models == nil:
		b.hint.Say("", "")
	case kind == guides:
		about := "I come with Inglenook and know the app, and little else."
		if b.advice == "" { // it stands below the button
			about += " For real questions, get a larger model."
		}
		b.hint.Say("Hello! I am the Inglenook guide.", about)
	case kind == continues:
		b.hint.Say("This model continues texts", "It was not made for chats. Write the beginning of a text, and it continues.")
	case kind == transforms:
		b.hint.Say("This model turns one text into another", "Say first what to do, then give the text. Each message is answered by itself: earlier ones are not read.")
	case s.choices.Collection != "":
		b.hint.Say("What would you like to ask your documents?", "Answers come from them and say where they stand. Nothing leaves this computer.")
	default:
		b.hint.Say("What would you like to talk about?", "Nothing you write leaves this computer.")
	}
	b.card.Show(card, !none)
	kit.Show(b.page, card)
	kit.Show(b.hint.View, !card)
	kit.Show(b.get, kind == guides && !card)
	kit.Show(b.also, kind == guides && !card)
	kit.Show(b.examples, s.models != nil && !card && s.choices.Collection == "") // documents do not answer them
	if kind == guides {
		b.showGet()
		b.learn()
	}
	if kind != b.filled {
		b.fill(kind)
	}
	b.view.Refresh()
}

// alsoDoes is what the program does beside chats.
const alsoDoes = "Inglenook also searches your documents, finds similar texts and sorts them into labels."

// getLarger is what the button of the guide says.
const getLarger = "Get a larger model"

// follow shows how far the downloads are, on the card and below the button that leads to it.
func (b *blank) follow(list []downloads.Download) {
	b.card.Follow(list)
	b.coming = ""
	for _, d := range list {
		if d.State != downloads.DownloadDone && slices.ContainsFunc(b.offered, func(s fit.Suggestion) bool { return strings.EqualFold(s.Download.Repo, d.ID) }) {
			b.coming = panel.DownloadBrief(d)
		}
	}
	b.showGet()
}

// showGet says what there is to get, or that it comes.
func (b *blank) showGet() {
	says, name, icon := b.advice, b.getName(), theme.DownloadIcon()
	switch {
	case b.here.ID != "":
		icon = theme.ConfirmIcon()
	case b.coming != "":
		says, name = b.coming, "Show the download"
	}
	b.best.Set(says)
	if b.getIt.Text != kit.Brief(name) {
		b.getIt.SetText(name)
		b.getIt.SetIcon(icon)
		b.get.Refresh()
	}
}

// kindOfBlank returns the kind of the chosen model.
func (s *session) kindOfBlank() kindOfBlank {
	switch c := s.modelChoice(s.choices.Model); {
	case c.Model.ID == library.StarterChat:
		return guides
	case c.Model.Kind == library.KindTask:
		return transforms
	case c.Plain:
		return continues
	}
	return converses
}

func (b *blank) fill(kind kindOfBlank) {
	b.filled = kind
	b.examples.Objects = nil
	switch kind {
	case guides:
		b.offer("What can I do with this app?", b.host.ask)
		b.offer("Search three sample documents", func(string) { b.host.samples() })
		b.offer("Compare sentences by their meaning", func(string) { b.host.goTo(panel.Similarity) })
		b.offer("See how fast this computer is", func(string) { b.host.goTo(panel.Performance) })
	case continues:
		for _, text := range plainExamples {
			b.offer(text, b.host.write)
		}
	case transforms:
		for _, t := range tasks {
			b.offer(t.name, func(string) { b.host.write(t.begins) })
		}
	default:
		for _, text := range chatExamples {
			b.offer(text, b.host.write)
		}
	}
}

// offer adds something to try.
func (b *blank) offer(text string, try func(text string)) {
	l := kit.NewLine(text, kit.TextBody, theme.ColorNameForeground)
	l.Whole = true
	b.examples.Add(container.NewCenter(kit.NewChip(b.keys, kit.Inset(l, 3, 4), func() { try(text) })))
}

// blankLayout stacks a hint and what is below it in the middle.
type blankLayout struct{ blank *blank }

func (blankLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(200, 150) }

func (l blankLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	const tallHint, lowHint, briefHint float32 = 168, 72, 52 // with its picture, without, and with one line
	hint, gap, also := tallHint, kit.GapWide, len(o)-1
	height := func(i int) float32 {
		switch {
		case i == 0:
			return hint
		case o[i] == l.blank.page:
			return min(size.Height, l.blank.card.View.MinSize().Height)
		}
		return o[i].MinSize().Height
	}
	all := func() float32 {
		total := -gap
		for i, c := range o[:also] {
			if c.Visible() {
				total += gap + height(i)
			}
		}
		return total
	}
	total := all()
	if total > size.Height {
		if hint, gap = lowHint, kit.Gap; l.blank.filled == guides && l.blank.advice != "" {
			hint = briefHint
		}
		total = all()
	}
	if with := total + gap + height(also); o[also].Visible() && with <= size.Height {
		total = with
	} else { // what matters least gives way
		o[also].Move(fyne.NewPos(-10000, 0)) // out of view
		o[also].Resize(fyne.Size{})
		o = o[:also]
	}
	y := max(0, (size.Height-total)/2)
	for i, c := range o {
		if c.Visible() {
			c.Move(fyne.NewPos(0, y))
			c.Resize(fyne.NewSize(size.Width, height(i)))
			y += height(i) + gap
		}
	}
}

// advise says which model is recommended for this computer, or that it is here already.
func (b *blank) advise() {
	b.advice, b.here = "", library.Model{}
	if len(b.offered) > 0 {
		b.advice = "Recommended: " + firstmodel.InShort(b.offered[0])
	}
	for _, s := range b.offered {
		if s.Download.Bytes < b.offered[0].Download.Bytes {
			continue // a smaller one than what is recommended
		}
		if m, ok := b.session.hereAs(s); ok {
			b.take(m)
			return
		}
	}
	if m, ok := b.session.larger(); ok { // a person has it, whatever is recommended
		b.take(m)
	}
}

// take has the guide lead to a model of this computer.
func (b *blank) take(m library.Model) {
	b.here, b.advice = m, m.Title()+" is on this computer already."
}

// larger finds a model of this computer that can answer in the guide's place.
func (s *session) larger() (library.Model, bool) {
	return s.answering(func(m library.Model) bool { return !m.Tiny() })
}

// answering finds the first of this computer's models that can answer and are as is said.
func (s *session) answering(is func(library.Model) bool) (library.Model, bool) {
	return s.fitting(func(c chat.ModelChoice) bool { return converse(c) && is(c.Model) })
}

// fitting finds the first of this computer's models that fit into it and are as is said.
func (s *session) fitting(is func(chat.ModelChoice) bool) (library.Model, bool) {
	i := slices.IndexFunc(s.models, func(c chat.ModelChoice) bool {
		_, fits := s.modelFits(c.Model)
		return fits && !c.Model.Elsewhere() && is(c)
	})
	if i < 0 {
		return library.Model{}, false
	}
	return s.models[i].Model, true
}

// getName is what a button says that leads to a larger model.
func (b *blank) getName() string {
	if b.here.ID != "" {
		return "Use " + b.here.Title()
	}
	return getLarger
}

// hereAs finds the model of a suggestion among those that can answer.
func (s *session) hereAs(wanted fit.Suggestion) (library.Model, bool) {
	repos := []string{wanted.Download.Repo}
	for _, d := range wanted.Model.Downloads {
		repos = append(repos, d.Repo)
	}
	of := func(m library.Model) bool {
		return slices.ContainsFunc(repos, func(repo string) bool { return isOfRepo(m.ID, repo) })
	}
	if m, ok := s.answering(of); ok {
		return m, true
	}
	// One that was downloaded is not offered for download again, also where it does not say how it converses.
	return s.fitting(func(c chat.ModelChoice) bool { return of(c.Model) })
}

// isOfRepo reports whether an id is that of a repository, or of one of several forms in it.
func isOfRepo(id, repo string) bool {
	id, repo = strings.ToLower(id), strings.ToLower(repo)
	return repo != "" && (id == repo || strings.HasPrefix(id, repo+"/"))
}

// advice says below the first answer of the tiny guide that names models, and knows no computer,
// which one is recommended for this one; "": that is not known yet, or was said above.
func (p *Panel) advice(m chat.Message) string {
	if !leadsToModels(m) || m.State == chat.MessageWriting || p.saidAbove(m.ID) || p.blank.enough || p.TipClosed(tipLarger) {
		return ""
	}
	p.blank.learn()
	return p.blank.advice
}

// tipLarger is the name of that among the tips that a person closed for good.
const tipLarger = "a larger model"

// saidAbove reports whether an earlier answer in view leads to models already.
func (p *Panel) saidAbove(id int64) bool {
	for _, other := range p.tree.path {
		if other == id {
			return false
		}
		if m := p.tree.message(other); m != nil && leadsToModels(*m) {
			return true
		}
	}
	return false
}

// learn finds out once which model is recommended.
func (b *blank) learn() {
	if !b.asked {
		b.asked = true
		b.host.learn()
	}
}

// learnAdvice finds out which model is recommended, and shows that on the first page and where the
// guide names others.
func (p *Panel) learnAdvice() {
	p.Work(func(ctx context.Context) {
		list, err := p.app.Suggest(ctx)
		p.Do(func() {
			if err != nil || len(list) == 0 { // the guide stands alone
				return
			}
			p.blank.offered = list
			p.blank.follow(p.app.Downloads())
			p.blank.refresh()
			p.adviseAgain()
		})
	})
}

// adviseAgain draws the answers anew below which a model is recommended, or which are offered to the
// model that answers now.
func (p *Panel) adviseAgain() {
	again := false
	for id, b := range p.bubbles {
		if now := p.adviceBelow(b.message); now != b.advised {
			p.forgetRows(id)
			again = true
		}
	}
	if again {
		p.flow.Reload()
	}
}

// advised is what stands below an answer that leads to a larger model.
type advised struct {
	says, button string
	guide        bool // what the documents do not answer, the guide is not asked
}

// adviceBelow is what is to be said below an answer now.
func (p *Panel) adviceBelow(m chat.Message) advised {
	a := advised{says: p.advice(m), button: p.blank.getName()}
	switch {
	case notFound(m) && p.kindOfBlank() == guides:
		p.blank.learn()
		a.guide = true
	case a.says == "":
		return advised{}
	}
	return a
}

// useHere has a model of this computer answer.
func (p *Panel) useHere(m library.Model) {
	p.blank.want(false)
	p.picker.Offer(p.picker.Models, m.ID)
	p.modelChosen(m)
}

// getModel has the recommended model answer where it is here. Else it shows the card that gets a
// model in the place of the chat's messages, or where models are found.
func (p *Panel) getModel() {
	if m := p.blank.here; m.ID != "" {
		p.useHere(m)
		return
	}
	p.blank.over = p.kindOfBlank() == guides && len(p.tree.path) > 0
	if !p.blank.over {
		p.newChat()
	}
	if p.blank.want(true); !p.blank.card.View.Visible() {
		p.FindModel()
	}
}
