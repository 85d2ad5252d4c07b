package settings

import (
	"strings"
	"unicode"
)

// What people may call the settings of a card, beside the words that stand on it.
const (
	wordsAppearance  = "look dark light night day mode theme color colour font fonts letter letters text size zoom everything bigger larger smaller scale animation animations accessibility contrast"
	wordsNewChats    = "default model preset persona temperature creativity creative precise system prompt instructions length tokens limit answer answers chat chats"
	wordsFolders     = "copy open folder folders directory path paths location where files storage disk data settings cache log logs model models hub huggingface download downloads"
	wordsAbout       = "about version license licence update updates"
	wordsConnections = "internet network offline web online proxy firewall server url address mirror store hub hugging face huggingface hf api token access key password login account download downloads speed limit bandwidth"
	wordsPast        = "internet network traffic history log requests privacy connections"
	wordsServer      = "api server port http openai ollama anthropic endpoint url address token tokens key keys password network lan programs apps start autostart"
	wordsTools       = "tool tools mcp plugin plugins extension extensions function functions command environment"
	wordsComputation = "gpu graphics card video nvidia cuda apple metal cpu processor cores core threads thread device devices performance speed slow hardware memory ram unload idle free release keep alive"
	wordsDevelopers  = "developer mode emulated gpu test testing go version"
	wordsPrefixes    = "disk space cache chat chats conversation conversations storage limit size"
	wordsStore       = "documents collections database postgres postgresql pgvector sql team shared storage folder location password"
	wordsHelp        = "help problem bug report diagnostics error crash support log logs"
	wordsKeyboard    = "keyboard shortcut shortcuts hotkey hotkeys key keys keybinding keybindings"
)

// rowWords are what people may call a single setting, by the name that it has.
var rowWords = map[string]string{
	"Theme":                    "look dark light night day mode color colour contrast",
	"Size of text and buttons": "font fonts letter letters zoom everything bigger larger smaller scale accessibility",
	"Size of answers":          "font fonts text zoom bigger larger smaller",
	"Reduce motion":            "animation animations accessibility",
	"Model":                    "default",
	"Style":                    "preset persona temperature creativity creative precise system prompt",
	"Length of answers":        "tokens limit",
	"Models":                   "hub huggingface download downloads",
	"Log":                      "logs",
	"Model store address":      "server url mirror hub hugging face huggingface hf",
	"Proxy":                    "firewall",
	"Hugging Face token":       "hf api access key password login account",
	"Download speed":           "downloads limit bandwidth",
	"Port":                     "api server http endpoint",
	"Address":                  "api server http url endpoint",
	"Processor cores":          "cpu thread threads",
	"Unload models":            "memory ram idle free release keep alive",
	"Room on the disk":         "space cache storage limit size",
	"Database address":         "postgres postgresql pgvector sql team shared",
	"Developer mode":           "emulated gpu test testing",
}

// finds reports whether each word that is searched for is a word of a text, or the beginning of one.
func finds(text, search string) bool {
	words := wordsOf(text)
	for _, wanted := range wordsOf(search) {
		found := false
		for _, word := range words {
			found = found || strings.HasPrefix(word, wanted)
		}
		if !found {
			return false
		}
	}
	return true
}

// wordsOf are the words of a text, in small letters.
func wordsOf(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) })
}
