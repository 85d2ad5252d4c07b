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

// What is quoted of a file answers the question: no table of contents where a sentence has the words, of a table the one
// row that a number names, and of a program the lines around the one with the words.
func TestWhatTheGuideQuotes(t *testing.T) {
	apptest.Home(t)
	a, talks := newRealTalks(t)
	book := "Contents\n\n CHAPTER I.     Down the Rabbit-Hole\n CHAPTER VII.   A Mad Tea-Party\n CHAPTER VIII.  The Queen\u2019s Croquet-Ground\n\n\n\nCHAPTER VII.\nA Mad Tea-Party\n\n\nAt the tea party Alice met the Hatter and the March Hare. It was a very long afternoon."
	orders := "order_id,date,city,product\n10000,2024-07-21,Lisbon,grinder\n10001,2024-10-02,Krak\u00f3w,filter\n10002,2024-07-03,Quito,filter\n"
	program := "\"\"\"Keeps a room near a target temperature, so the heater does not flicker.\"\"\"\n\n\nclass Thermostat:\n    def __init__(self, target: float, band: float = 0.5):\n        self.target, self.band, self.heating = target, band, False\n\n    def step(self, reading: float) -> bool:\n        \"\"\"Return whether it should run for this reading (degrees Celsius).\"\"\"\n        if reading < self.target - self.band:\n            self.heating = True\n        return self.heating\n"
	for _, c := range []struct{ name, text, question, says, not string }{
		{"alice.txt", book, "Who did Alice meet at the tea party?", "met the Hatter and the March Hare", "CHAPTER"},
		{"orders.csv", orders, "In which city was order 10001?", "| 10001 | 2024-10-02 | Krak\u00f3w | filter |", "Lisbon"},
		{"thermostat.py", program, "At which temperature does the heater turn on?", "if reading < self.target - self.band:", "nothing of the kind"},
	} {
		id := begin(t, a, chat.Choices{Model: library.StarterChat})
		m, err := askFor(t, talks, chat.AnswerRequest{Conversation: id, After: leafOf(t, talks, id), Parts: append(chat.Content(c.question), chat.File("other.txt", "All of it is in order. Nothing else is said."), chat.File(c.name, c.text))}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(m.Text(), c.says) || strings.Contains(m.Text(), c.not) {
			t.Errorf("%s %q", c.question, m.Text())
		}
		if text, err := talks.Export(id, "markdown"); err != nil || !strings.Contains(string(text), "## "+library.GuideName) || strings.Contains(string(text), library.StarterChat) {
			t.Errorf("the export names the guide otherwise: %v %s", err, text)
		}
	}
}
