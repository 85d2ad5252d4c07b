package chat

import (
	"context"
	"fmt"
	"slices"
	"time"

	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"github.com/dustin/go-humanize"

	"inglenook/app/chat"
	"inglenook/app/documents"
	"inglenook/ui/kit"
)

// askTooLong says that what is written is longer than the model can read, and what can be
// done about that.
func (p *Panel) askTooLong() {
	m := p.composer.meter.last
	text := fmt.Sprintf("The model can read about %s of this message at once.", kit.Percent(min(0.99, float64(m.Context)/float64(max(1, m.Draft, m.Prompt)))))
	if times := float64(m.Draft) / float64(max(1, m.Context)); times >= 2 {
		text = fmt.Sprintf("This text is about %s times longer than the model can read.", humanize.Comma(int64(times+0.5)))
	}
	most := p.modelChoice(p.choices.Model).Model.MaxLength
	more, helps := most <= 0 || m.Context < most, most <= 0 || m.Draft < most
	advice, paths := " Send a part of it", p.composer.onDisk()
	if more {
		advice += ", or give the model more room"
	} else {
		advice += ", or choose a model that can read more"
	}
	buttons := []kit.SheetButton{{Name: "Cancel", Main: len(paths) == 0 && !(more && helps), Run: func() { p.Focus(p.composer.entry) }}}
	if len(paths) > 0 {
		text += advice + ". Or let it be searched: then the passages that fit go with each question, whatever the length of the text."
		buttons = append(buttons, kit.SheetButton{Name: "Find the passages for each question", Main: true, Run: func() { p.searchAttached(paths) }})
	} else {
		text += advice + ". Documents takes texts of any length: save this one as a file and add it there."
	}
	if more {
		buttons = append(buttons, kit.SheetButton{Name: "Give it more room…", Main: helps && len(paths) == 0, Run: func() { p.moreRoom(nil) }})
	} else {
		buttons = append(buttons, kit.SheetButton{Name: "Choose another model", Run: p.chooseModel})
	}
	p.sheet.Open("This message is too long", kit.NewParagraph(text, theme.ColorNameForeground).Flat, false, buttons...)
}

// searchAttached has the attached files that are on the disk searched for each question of the chat, and takes them off
// the message, which is no longer too long then. They are documents from then on.
func (p *Panel) searchAttached(paths []string) {
	conversation := p.conversation.ID
	p.Tell("Reading the files, so that passages can be found in them…")
	p.HoldFiles(paths, func(collection string) {
		p.composer.asks.list(func() { p.askFiles(conversation, collection, paths) })
	})
}

// askFiles has a chat search a collection for its questions. Those of its files that are attached
// to the message are taken off it.
func (p *Panel) askFiles(conversation, collection string, paths []string) {
	if p.conversation.ID != conversation || p.running != nil {
		return // the files are among the documents all the same
	}
	before, asked := p.composer.draft(), p.choices.Collection
	rest := before
	rest.files = slices.DeleteFunc(slices.Clone(before.files), func(f chat.Part) bool {
		path, known := p.composer.paths[keyOf(f)]
		return known && slices.Contains(paths, path)
	})
	p.composer.fill(rest)
	p.composer.asks.choose(collection)
	p.deleted("The passages that fit are found in your files for each question of this chat.", func() error {
		p.composer.asks.choose(asked)
		p.composer.fill(before)
		return nil
	})
	p.awaitRead(collection)
}

// readPause is the time between two looks at whether files have been read.
const readPause = time.Second

// awaitRead looks for passages once the files of a collection are read.
func (p *Panel) awaitRead(collection string) {
	p.Work(func(ctx context.Context) {
		for ctx.Err() == nil {
			all, err := p.composer.asks.documents.Collections(ctx)
			i := slices.IndexFunc(all, func(c documents.Collection) bool { return c.ID == collection })
			if err != nil || i < 0 || all[i].Unread == 0 && !all[i].Indexing {
				break
			}
			select {
			case <-ctx.Done():
			case <-time.After(readPause):
			}
		}
		p.Do(func() {
			if p.choices.Collection == collection {
				p.composer.asks.list(p.composer.asks.look)
			}
		})
	})
}

// moreRoom asks how much the model is to read at once: at most what it was made for, each
// with the memory that it takes. Where nobody knows that, it leads to the field. then runs once
// the model is loaded with the room that was chosen; nil: nothing does.
func (p *Panel) moreRoom(then func()) {
	x, conversation := p.choices, p.conversation.ID
	p.Work(func(ctx context.Context) {
		rooms, err := p.conversations.Rooms(ctx, x)
		p.Do(func() {
			switch {
			case p.conversation.ID != conversation || p.choices.Model != x.Model:
			case err != nil:
				p.ShowError(err)
			case len(rooms) == 0:
				p.largerContext()
			default:
				p.askRoom(rooms, then)
			}
		})
	})
}

// askRoom offers the contexts that a model can be given.
func (p *Panel) askRoom(rooms []chat.Room, then func()) {
	now, at := p.composer.meter.last.Context, len(rooms)-1
	for i, r := range rooms {
		if r.Context > now {
			at = i
			break
		}
	}
	most := rooms[len(rooms)-1].Context
	if most <= now {
		p.sheet.Open("There is no more room", kit.NewParagraph("This model was made to read "+kit.Words(most)+" at once, and does already. Choose a model that can read more, or shorten the text.", theme.ColorNameForeground).Flat, false,
			kit.SheetButton{Name: "Close"}, kit.SheetButton{Name: "Choose another model", Main: true, Run: p.chooseModel})
		return
	}
	free := p.modelChoice(p.choices.Model).FreeBytes
	says := kit.NewParagraph("", theme.ColorNameForeground)
	show := func(i int) {
		at = i
		text := "The model reads " + length{}.roomInBoth(rooms[i].Context) + " at once."
		color := theme.ColorNameForeground
		if bytes := rooms[i].Bytes; bytes > 0 {
			text += " It then takes " + humanize.Bytes(uint64(bytes)) + " of memory"
			if free > 0 {
				text += " of the " + humanize.Bytes(uint64(free)) + " that are free"
			}
			text += "."
			if free > 0 && bytes > free {
				color = theme.ColorNameWarning
				text += " That is too much."
			}
		}
		says.Segment.Style.ColorName = color
		says.Set(text)
	}
	show(at)
	slider := kit.NewSlider(p.Keys, len(rooms)-1, at, show)
	p.sheet.Open("More room", kit.Column(kit.Gap, slider, container.New(&kit.FixedHeight{Height: 60}, says.Flat)), false,
		kit.SheetButton{Name: "Cancel"},
		kit.SheetButton{Name: "Give it this room", Main: true, Run: func() { p.giveRoom(rooms[at].Context, then) }})
	p.Focus(slider)
}

// giveRoom has the model read so many tokens at once from now on, and loads it so. What waits for
// that runs unless another chat is in view by then.
func (p *Panel) giveRoom(tokens int, then func()) {
	p.kept(p.session.change(func(x *chat.Choices) { x.Context = tokens }))
	p.options.show()
	conversation := p.conversation.ID
	p.whenLoaded = func() {
		if then != nil && p.conversation.ID == conversation && p.running == nil {
			then()
		}
	}
	p.load()
}
