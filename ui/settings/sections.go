package settings

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"inglenook/ui/kit"
	"inglenook/ui/panel"
)

// The sections of Settings, in the order of their tabs.
const (
	sectionGeneral = iota
	sectionConnections
	sectionPrograms
	sectionAdvanced
	sectionHelp
)

var sectionNames = []string{"General", "Connections", "Other programs", "Advanced", "Help"}

// searchWidth is that of the field in which a person types what they look for.
const searchWidth float32 = 300

// section is a card: where it stands, what it is called, by which words it is found beside its
// own, and what is on it.
type section struct {
	tab     int
	name    string
	words   string
	content fyne.CanvasObject
	foot    fyne.CanvasObject // stays in view below the cards while this one is; nil: nothing does
	enter   func()            // brings the card up to date as it comes into view; nil: nothing has to be
}

// sections shows the cards of one tab, or those of all tabs which words find.
type sections struct {
	head  fyne.CanvasObject
	view  *fyne.Container // all of them
	page  *container.Scroll
	tabs  *kit.Segments
	words *kit.Entry
	cards *fyne.Container
	rows  *kit.ColumnsLayout // places the cards
	none  *kit.Paragraph
	foot  *fyne.Container // of the cards that have one

	marks marks

	tab   int // in view where nothing is searched for
	list  []section
	views []fyne.CanvasObject
}

func newSections(d panel.Host, list ...section) *sections {
	s := &sections{list: list, rows: &kit.ColumnsLayout{}, foot: kit.Column(kit.Gap), none: kit.NewParagraph("No setting has these words. Try one word alone, such as proxy, theme or folder.", kit.ColorMuted)}
	s.cards = container.New(s.rows)
	for _, one := range list {
		s.views = append(s.views, kit.Card(kit.Column(12, kit.NewSection(one.name), one.content)))
		if one.foot != nil {
			s.foot.Add(one.foot)
		}
	}
	s.tabs = kit.NewSegments(d.Keys, sectionNames, func(i int) { s.tab = i; s.words.SetText(""); s.show() })
	s.words = kit.NewSearch(d.Keys, "Find a setting")
	s.words.OnChanged = func(string) { s.show() }
	s.head = kit.Column(kit.Gap, kit.Row(kit.GapWide, kit.NewTitleWhole("Settings"), container.NewCenter(container.New(unmarked{s.tabs, s.tabs.Natural()}, s.tabs))),
		container.NewHBox(container.New(&kit.FixedWidth{Width: searchWidth}, s.words)))
	s.page = kit.NewPage(d.Keys, kit.Column(kit.Gap, s.none.Flat, s.cards))
	s.view = container.New(footed{}, s.page, s.foot)
	for _, view := range s.views {
		view.Hide()
	}
	s.show()
	return s
}

// show shows the cards that belong there.
func (s *sections) show() {
	s.cards.Objects = nil
	var found []fyne.CanvasObject // the cards in view
	searched := strings.TrimSpace(s.words.Text) != ""
	lit := s.tab
	if searched {
		lit = -1 // what is found is of any tab
	}
	if s.tabs.Index != lit {
		s.tabs.Select(lit)
	}
	s.rows.Single = s.tab == sectionHelp && !searched // keys have columns of their own
	for i, one := range s.list {
		takes := s.takes(one)
		if takes && !s.views[i].Visible() && one.enter != nil {
			one.enter()
		}
		kit.Show(s.views[i], takes)
		if one.foot != nil {
			kit.Show(one.foot, takes)
		}
		if takes {
			found = append(found, s.views[i])
		}
		switch {
		case !takes:
		case searched:
			s.cards.Objects = append(s.cards.Objects, kit.Column(kit.GapSmall, kit.NewCaption(sectionNames[one.tab]), s.views[i]))
		default:
			s.cards.Objects = append(s.cards.Objects, s.views[i])
		}
	}
	s.marks.set(found, s.words.Text)
	kit.Show(s.none.Flat, len(s.cards.Objects) == 0)
	s.cards.Refresh()
	s.page.ScrollToTop()
	s.page.Refresh()
	s.view.Refresh() // another foot leaves the page another height
}

// footed puts a foot below a page: at the lower edge where the page is longer than what is in
// view, or else right below what is on it.
type footed struct{}

func (footed) MinSize(o []fyne.CanvasObject) fyne.Size {
	page, foot := o[0].MinSize(), o[1].MinSize()
	return fyne.NewSize(max(page.Width, foot.Width), page.Height+foot.Height)
}

func (footed) Layout(o []fyne.CanvasObject, size fyne.Size) {
	page, foot := o[0].(*container.Scroll), o[1]
	foot.Resize(fyne.NewSize(size.Width, foot.MinSize().Height)) // a wrapped text needs its width first
	height, taken := foot.MinSize().Height, float32(0)
	if height > 0 {
		taken = height + kit.Gap
	}
	page.Resize(fyne.NewSize(size.Width, max(0, size.Height-taken)))
	if content := page.Content.MinSize().Height; height > 0 && content < page.Size().Height {
		page.Resize(fyne.NewSize(size.Width, content))
	}
	foot.Move(fyne.NewPos(0, page.Size().Height+kit.Gap))
	foot.Resize(fyne.NewSize(size.Width, height))
}

// takes reports whether a card is to be shown.
func (s *sections) takes(one section) bool {
	if strings.TrimSpace(s.words.Text) != "" {
		return finds(one.name+" "+one.words+" "+textOf(one.content), s.words.Text)
	}
	return one.tab == s.tab
}

// mark puts a dot on a tab where something is not applied.
func (s *sections) mark(tab int, unapplied bool) {
	name := sectionNames[tab]
	if unapplied {
		name += " •"
	}
	s.tabs.Rename(tab, name)
}

// unmarked gives the tabs the width of their names without dots, which have room between the
// names: what is typed must not widen the window.
type unmarked struct {
	tabs  *kit.Segments
	width float32
}

func (u unmarked) MinSize([]fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(u.width, u.tabs.MinSize().Height)
}

func (unmarked) Layout(o []fyne.CanvasObject, size fyne.Size) { o[0].Resize(size) }

// clear shows the tab again; false: nothing was searched for.
func (s *sections) clear() bool {
	if s.words.Text == "" {
		return false
	}
	s.words.SetText("")
	return true
}

// textOf is all text that an object shows.
func textOf(o fyne.CanvasObject) string {
	switch o := o.(type) {
	case *fyne.Container:
		var parts []string
		for _, child := range o.Objects {
			parts = append(parts, textOf(child))
		}
		return strings.Join(parts, " ")
	case *container.Scroll:
		return textOf(o.Content)
	case *kit.Told:
		return textOf(o.Content())
	case *kit.Line:
		return o.Text
	case *widget.RichText:
		return o.String()
	case *kit.Button:
		return o.Text
	case *kit.Check:
		return o.Text
	case *kit.Segments:
		return strings.Join(o.Options, " ")
	}
	return ""
}
