package texts

import "inglenook/assets"

// Icon is the program's icon, a PNG picture.
func Icon() []byte { return assets.Icon() }

// SampleTexts are sentences for a first look: four subjects, said in
// different words, and one sentence that fits none of them.
func SampleTexts() []string {
	return []string{
		"The cat is asleep on the warm windowsill.",
		"A kitten dozes in the sunlight by the window.",
		"Our dog barks whenever somebody rings the bell.",
		"The train to the coast leaves at half past seven.",
		"What time does the morning service to the seaside depart?",
		"Boil the potatoes in salted water until they are soft.",
		"Cook the pasta for ten minutes, then drain it.",
		"The central bank raised interest rates by a quarter point.",
		"Borrowing money has become more expensive this month.",
		"A comet crossed the sky shortly before dawn.",
	}
}
