package ui

import (
	"context"

	"fyne.io/fyne/v2"

	docs "inglenook/app/documents"
	"inglenook/app/library"
	"inglenook/ui/chat"
	"inglenook/ui/classify"
	"inglenook/ui/devices"
	"inglenook/ui/documents"
	"inglenook/ui/kit"
	"inglenook/ui/models"
	"inglenook/ui/panel"
	"inglenook/ui/performance"
	"inglenook/ui/rerank"
	"inglenook/ui/settings"
	"inglenook/ui/similarity"
)

// App is what the window asks of the application: what its panels ask, and a little
// more. *app.App satisfies it.
type App interface {
	panel.App
	chat.App
	models.App
	similarity.App
	classify.App
	rerank.App
	performance.App
	devices.App
	settings.App

	Notices() []string // what went wrong at the start, in sentences
}

// Stores are what panels ask of what a person keeps.
type Stores struct {
	Chats     chat.Conversations
	Documents Documents
	Server    settings.Server
}

// Documents are what Documents shows and Chat asks.
type Documents interface {
	documents.Library
	chat.Documents
}

// buildPanels builds what the rail leads to, in its order.
func (s *shell) buildPanels(kept Stores) {
	s.clipboard = panel.NewClipboard(s.host(s.work), func() fyne.CanvasObject { return s.view }, func(err error) { s.panel(s.current).ShowError(err) })
	h := s.host(s.work)
	computes := s.host(s.workOfPanels)
	s.chat = chat.New(computes, s.app, kept.Chats, kept.Documents)
	s.documents = documents.New(h, kept.Documents, s.app, kept.Chats.AskedBy, s.openPage)
	s.similarity = similarity.New(computes, s.app, classify.New(h, s.app))
	s.rerank = rerank.New(h, s.app)
	s.performance = performance.New(computes, s.app, devices.New(h, s.app))
	s.models = models.New(h, s.app, []models.Use{
		{In: s.chat.Info(), Fits: chat.Fits, Open: func(m library.Model) { s.useIn(panel.Chat, m) }},
		{In: classify.Info(), Fits: classify.FitsItsOwn, Open: func(m library.Model) { s.enter(panel.Similarity); s.similarity.Classify(m.ID) }},
		{In: s.similarity.Info(), Fits: similarity.Fits, Open: func(m library.Model) { s.enter(panel.Similarity); s.similarity.Open(m.ID) }},
		{In: s.documents.Info(), Fits: documents.Fits, Open: func(m library.Model) { s.useIn(panel.Documents, m) }},
		{In: s.rerank.Info(), Fits: rerank.Fits, Open: func(m library.Model) { s.useIn(panel.Rerank, m) }},
		{In: s.performance.Info(), Fits: performance.Fits, Open: func(m library.Model) { s.enter(panel.Performance); s.performance.Open(m.ID) }},
	}, s.openPath)
	s.models.Followed, s.models.Arrived, s.models.SetToken = s.followDownloads, s.arrived, s.setToken
	s.settings = settings.New(h, s.app, kept.Server, kept.Chats.Presets, settings.Look{SetTheme: s.setTheme, SetReading: s.setReading, SetScale: s.setScale, SetStill: s.setStill}, s.openPath, s.devicesChanged)
	s.panels = []panel.Panel{s.chat, s.documents, s.models, s.similarity, s.rerank, s.performance, s.settings}
}

// useIn leads to a room, with this model chosen there.
func (s *shell) useIn(room string, m library.Model) {
	s.enter(room)
	s.usedNow(m)
	switch {
	case room == panel.Chat:
		s.chat.Use(m)
	case room == panel.Documents:
		s.documents.Use(m)
	case room == panel.Rerank:
		s.rerank.Use(m)
	case room == panel.Similarity && classify.HasItsOwn(m):
		s.similarity.Classify(m.ID)
	case room == panel.Similarity:
		s.similarity.Open(m.ID)
	case room == panel.Performance:
		s.performance.Open(m.ID)
	}
}

// showServer leads to what other programs use.
func (s *shell) showServer() {
	s.enter(panel.Settings)
	s.settings.ShowServer()
}

// showConnections leads to how other computers are reached.
func (s *shell) showConnections() {
	s.enter(panel.Settings)
	s.settings.ShowConnections()
}

// setToken leads to the field for the token of the model store.
func (s *shell) setToken() {
	s.enter(panel.Settings)
	s.settings.ShowToken()
}

// findModel leads to the models that can be downloaded.
func (s *shell) findModel() {
	s.enter(panel.Models)
	s.models.Discover()
}

// findReranker leads to the rerankers that can be downloaded.
func (s *shell) findReranker() {
	s.enter(panel.Models)
	s.models.DiscoverRerankers()
}

// findByWords leads to the models with these words that can be downloaded.
func (s *shell) findByWords(words string) {
	s.enter(panel.Models)
	s.models.DiscoverByWords(words)
}

// rankTexts leads to Rerank with these texts.
func (s *shell) rankTexts(query string, some []panel.Sent) {
	s.enter(panel.Rerank)
	s.rerank.RankSent(query, some)
}

// sampleDocuments leads to the documents that come with the program.
func (s *shell) sampleDocuments() {
	s.enter(panel.Documents)
	s.documents.TrySamples()
}

// searchFiles leads to Documents, with these files among them and a question to them.
func (s *shell) searchFiles(paths []string, question string) {
	s.enter(panel.Documents)
	s.documents.SearchFiles(paths, question)
}

// holdFiles has files among the documents, while the room stays that is in view.
func (s *shell) holdFiles(paths []string, then func(collection string)) {
	s.documents.HoldFiles(paths, then)
}

// showPassage leads to a passage in its document.
func (s *shell) showPassage(r docs.Result) {
	from := s.current
	s.enter(panel.Documents)
	s.documents.ShowPassage(r, from)
}

// searchDocuments leads to a search in a collection.
func (s *shell) searchDocuments(collection, question string) {
	s.enter(panel.Documents)
	s.documents.SearchFor(collection, question)
}

// askAbout leads to a new chat with a text to be asked about, and a question.
func (s *shell) askAbout(name, text, question string) {
	s.enter(panel.Chat)
	s.chat.AskAbout(name, text, question)
}

// modelsChanged tells every panel that a model came or went.
func (s *shell) modelsChanged() {
	if s.ran != "" && !s.knows(s.ran) {
		s.devicesChanged()
	}
	for _, p := range s.panels {
		p.ModelsChanged()
	}
}

// host is the window as its panels see it.
func (s *shell) host(work func(func(context.Context))) panel.Host {
	copyText := func(text, file string) bool { return s.clipboard.Copy(text, file) }
	return panel.Host{
		App: s.app, Keys: s.keys, Do: s.do, Keep: s.saver.Keep, Settle: s.saver.Flush, Tell: s.status.showMessage, Offer: s.offer, Ran: s.ranOn,
		Files: func() kit.FileDialogs { return s.files }, Choose: s.choose, Copy: copyText, Focus: s.focus, Browse: s.openURL, GoTo: s.enter, UseIn: s.useIn,
		RankTexts: s.rankTexts, FindModel: s.findModel, FindReranker: s.findReranker, FindByWords: s.findByWords, SampleDocuments: s.sampleDocuments, SearchFiles: s.searchFiles, HoldFiles: s.holdFiles, ShowPassage: s.showPassage, SearchDocuments: s.searchDocuments, AskAbout: s.askAbout, AnnounceModels: s.modelsChanged, WatchDownloads: func() { s.models.Watch() }, Life: s.life, Work: work,
	}
}
