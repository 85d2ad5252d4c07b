package family

import "strings"

// later lists parts of models that are not supported yet, with the beginnings of the names
// of architectures that have them: those of config.json and those of GGUF files, in small
// letters without signs.
var later = []struct {
	part  string
	names []string
}{
	{"Mamba layers", []string{"nemotronh", "falconh1", "falconmamba", "bamba", "mamba", "jamba", "zamba", "plamo2", "granitehybrid"}},
	{"multi-head latent attention (MLA)", []string{"deepseek2", "deepseekv2", "deepseekv3", "deepseekv4", "glm4moelite", "kimi", "minicpm3"}},
	{"RWKV layers", []string{"rwkv", "arwkv"}},
}

// NotYet says what an architecture has that is not supported yet; "" where that is not
// known.
func NotYet(architecture string) string {
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, strings.ToLower(architecture))
	for _, l := range later {
		for _, begins := range l.names {
			if strings.HasPrefix(name, begins) {
				return l.part
			}
		}
	}
	return ""
}
