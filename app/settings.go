package app

import "time"

// Settings are what the program keeps between two starts.
type Settings struct {
	Theme           string               `json:"theme"`   // "system", "light", "dark"
	Threads         int                  `json:"threads"` // 0: the physical cores
	Model           string               `json:"model"`   // last one chosen; "" the bundled one
	Device          string               `json:"device"`  // "auto" or a device id
	Window          Window               `json:"window"`
	Recent          []string             `json:"recent"`    // folders and files that were added, the newest first
	LastUsed        map[string]time.Time `json:"last_used"` // by model id
	SimilarityTexts []string             `json:"similarity_texts"`
}

// Window is how the window was left.
type Window struct {
	Width  float32 `json:"width"` // 0: as the program likes
	Height float32 `json:"height"`
	Panel  string  `json:"panel"`
	Full   bool    `json:"full"` // full screen
}
