package library

import "strings"

// The names of the rooms of the window in which models are used; Classify is a page of Similarity.
const (
	RoomChat        = "Chat"
	RoomSimilarity  = "Similarity"
	RoomDocuments   = "Documents"
	RoomClassify    = "Classify"
	RoomRerank      = "Rerank"
	RoomPerformance = "Performance"
)

// Rooms are the names of those in which the model is used, the one that it is made for first, with the
// commands that do the same.
func (m Model) Rooms() (names []string, commands string) {
	switch {
	case m.Writes():
		return []string{RoomChat}, "chat"
	case m.Kind == KindReranker:
		return []string{RoomRerank}, "rerank"
	case m.Classifies != "":
		return []string{RoomClassify}, "classify"
	case m.Kind == KindEmbedding:
		return []string{RoomSimilarity, RoomDocuments, RoomClassify}, "embed, search, classify"
	case m.Kind == KindPictures:
		return []string{RoomSimilarity}, "embed --image"
	case m.Kind == KindEncoder:
		return []string{RoomSimilarity}, "embed, forward"
	}
	return []string{RoomPerformance}, "bench, forward"
}

// BelongsTo names what a model is for, as the window's rooms and the commands do.
func (m Model) BelongsTo() string {
	names, commands := m.Rooms()
	text := names[len(names)-1]
	if n := len(names) - 1; n > 0 {
		text = strings.Join(names[:n], ", ") + " or " + text
	}
	return text + " (inglenook " + commands + ")"
}
