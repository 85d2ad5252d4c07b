package chat_test

import (
	"strings"
	"testing"

	"inglenook/app/chat"
	"inglenook/app/library"
)

// What a newcomer asks about the program in words of his own is answered truly: whoever changes what is said here
// changes app/guide/guide.txt.
func TestTheGuideTellsNewcomersTheTruth(t *testing.T) {
	a, talks := newRealTalks(t)
	for question, says := range map[string]string{
		"where are my chats?":                             "in the folder “chats” of the app's data",
		"Where on disk do you keep our conversations?":    "in the folder “chats” of the app's data",
		"is it private?":                                  "stay on this computer, unless you choose a model of a server",
		"how do I get a better model?":                    "Open Models and choose Discover",
		"can you read a PDF?":                             "I find the words of your question in it and quote them",
		"how do I compare two models?":                    "two answers appear side by side",
		"how do I see two answers side by side?":          "button with two columns beside Send",
		"can I restore a deleted chat?":                   "press Restore",
		"I deleted a chat, how do I get it back?":         "press Restore",
		"what does it cost?":                              "It costs nothing",
		"do I need an account?":                           "there is no account",
		"does it work offline?":                           "need no internet",
		"who are you?":                                    "the tiny model that comes with Inglenook",
		"can it use my graphics card?":                    "NVIDIA cards through CUDA",
		"Why is my NVIDIA card not used?":                 "compiler library NVRTC",
		"is there a dark mode?":                           "choose Light, Dark or System",
		"the letters are too small, can I make them big?": "Ctrl and + or −",
		"can I ask questions about my own documents?":     "Press Ask documents below the message field",
		"does it run on windows?":                         "Linux and macOS",
		"can you look at a photo?":                        "Chat reads and writes text only",
		"can it search the web?":                          "the app does not search it",
		"does it learn from my chats?":                    "Models learn nothing from your chats",
		"what rooms are there?":                           "Rerank",
		"how do I attach a file?":                         "Press Attach files below the message field",
		"which file types can it read?":                   "PDF, Word, PowerPoint, Excel",
		"how do I rename a chat":                          "choose Rename",
		"export my chat":                                  "Export as Markdown",
		"Is this like ChatGPT?":                           "Inglenook runs models on yours",
		"how do I uninstall?":                             "Delete the folder of the program",
		"kannst du deutsch?":                              "Ich verstehe leider nur Englisch",
	} {
		m := ask(t, talks, begin(t, a, chat.Choices{Model: library.StarterChat}), question)
		if !strings.Contains(m.Text(), says) {
			t.Errorf("%s [%s]: %s", question, m.Reply.Reason, m.Text())
		}
	}
}

// The same answer is not given a second time to the same question: it is said that the guide has one, and of what it
// writes itself, that it is the same.
func TestTheGuideDoesNotRepeatItself(t *testing.T) {
	a, talks := newRealTalks(t)
	id := begin(t, a, chat.Choices{Model: library.StarterChat})
	m := ask(t, talks, id, "where are my chats?")
	before := len(conversation(t, talks, id).Messages)
	again, err := talks.Answer(t.Context(), chat.AnswerRequest{Conversation: id, After: m.Parent}, nil)
	if err == nil || !strings.Contains(err.Error(), "would say the same again") || again.ID != m.ID {
		t.Errorf("%v, %+v", err, again)
	}
	if after := len(conversation(t, talks, id).Messages); after != before {
		t.Errorf("there were %d messages, and are %d", before, after)
	}
	id = begin(t, a, chat.Choices{Model: library.StarterChat, Sampling: &chat.Sampling{}})
	m = ask(t, talks, id, "Who painted the Mona Lisa?")
	again, err = talks.Answer(t.Context(), chat.AnswerRequest{Conversation: id, After: m.Parent}, nil)
	if err != nil || again.Text() != m.Text() || !strings.Contains(strings.Join(again.Reply.Notices, " "), "same words as an earlier one") {
		t.Errorf("%v: %q, %v", err, again.Text(), again.Reply.Notices)
	}
}

// A story that is asked for again is another one.
func TestTheGuideTellsAnotherStory(t *testing.T) {
	a, talks := newRealTalks(t)
	id := begin(t, a, chat.Choices{Model: library.StarterChat})
	m := ask(t, talks, id, "tell me a story about a fox")
	for range 3 { // by chance it may be the same
		again, err := talks.Answer(t.Context(), chat.AnswerRequest{Conversation: id, After: m.Parent}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if again.Text() != m.Text() {
			return
		}
	}
	t.Errorf("it tells again: %s", m.Text())
}

// What another model wrote, and what the program says in its place, does not confuse the guide.
func TestTheGuideIsNotConfusedByOthers(t *testing.T) {
	a, talks := newRealTalks(t)
	alone := begin(t, a, chat.Choices{Model: library.StarterChat, Sampling: &chat.Sampling{}})
	want := ask(t, talks, alone, "Who painted the Mona Lisa?").Text()
	id := begin(t, a, chat.Choices{Model: library.StarterChat, Sampling: &chat.Sampling{}})
	ask(t, talks, id, "where are my chats?")
	ask(t, talks, id, "how do I rename a chat")
	if got := ask(t, talks, id, "Who painted the Mona Lisa?").Text(); got != want {
		t.Errorf("alone it says %q, and after others %q", want, got)
	}
}

func conversation(t *testing.T, talks *chat.Service, id string) chat.Conversation {
	t.Helper()
	c, err := talks.Conversation(id)
	if err != nil {
		t.Fatal(err)
	}
	return c
}
