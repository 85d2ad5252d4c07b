package chat_test

import (
	"strings"
	"testing"

	"inglenook/app/apptest"
	"inglenook/app/chat"
	"inglenook/app/library"
)

// The guide looks into the attached files anew for each question: for those that follow, after an edit of one, and
// when the program was started again. Where nothing fits it says so, and small talk is no question on a file.
func TestTheGuideLooksIntoFilesForEachQuestion(t *testing.T) {
	apptest.Home(t)
	a, talks := newRealTalks(t)
	id := begin(t, a, chat.Choices{Model: library.StarterChat})
	lease := "The lease begins on 1 May. " + strings.Repeat("Nothing else is agreed here. ", 30) + "\n\nThe rent is 940 euros a month.\n\nThe tenant may keep one cat. No dogs are allowed in the flat.\n\nThe landlord is Imani Okafor of Leeds."
	orders := "Order,Article,Price\n1,Lamp,30\n2,Teapot,45\n"
	files := []chat.Part{chat.File("lease.txt", lease), chat.File("orders.csv", orders)}
	for i, turn := range []struct{ question, says, reason string }{
		{"When does the lease begin?", "> The lease begins on 1 May.", chat.FinishQuoted},
		{"How much is the rent a month?", "The rent is 940 euros a month.", chat.FinishQuoted},
		{"What was the price of the teapot?", "| 2 | Teapot | 45 |", chat.FinishQuoted},
		{"Who is the landlord?", "Imani Okafor of Leeds", chat.FinishQuoted},
		{"Are dogs allowed?", "No dogs are allowed in the flat.", chat.FinishQuoted},
		{"Summarize it", "I am too small to read attached files.", chat.FinishUnread},
		{"Where are my chats stored?", "Your chats are kept on this computer", chat.FinishGuide},
		{"What is the capital of France?", "I am too small to read attached files.", chat.FinishUnread},
		{"Wann beginnt das?", "nur Englisch", chat.FinishGuide},
	} {
		parts := chat.Content(turn.question)
		if i == 0 {
			parts = append(parts, files...)
		}
		m, err := askFor(t, talks, chat.AnswerRequest{Conversation: id, After: leafOf(t, talks, id), Parts: parts}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if m.Reply.Reason != turn.reason || !strings.Contains(m.Text(), turn.says) {
			t.Errorf("%s: %s %q", turn.question, m.Reply.Reason, m.Text())
		}
		if strings.Contains(turn.says, "rent") && strings.Contains(m.Text(), "orders.csv") {
			t.Errorf("%s: it quotes the other file too: %q", turn.question, m.Text())
		}
	}
	if m := ask(t, talks, id, "Thanks!"); chat.ByProgram(m.Reply.Reason) || strings.Contains(m.Text(), "attached") {
		t.Errorf("to thanks it says %s %q", m.Reply.Reason, m.Text())
	}
}
