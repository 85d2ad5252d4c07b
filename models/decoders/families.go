package decoders

import "inglenook/models/family"

// Families lists the families of decoders.
var Families = []family.Entry{
	family.New("llama", readLlama, "LlamaForCausalLM"),
	family.New("mistral", readMistral, "MistralForCausalLM"),
	family.New("ministral3", readMinistral3, "Ministral3ForCausalLM", "Mistral3ForConditionalGeneration"),
	family.New("granite", readGranite, "GraniteForCausalLM"),
	family.New("granitemoehybrid", readGraniteHybrid, "GraniteMoeHybridForCausalLM"),
	family.New("qwen2", readQwen2, "Qwen2ForCausalLM"),
	family.New("qwen3", readQwen3, "Qwen3ForCausalLM", "Qwen3ForSequenceClassification"),
	family.New("qwen3_moe", readQwen3MoE, "Qwen3MoeForCausalLM"),
	family.New("qwen3_5_text", readQwen35, "Qwen3_5ForCausalLM", "Qwen3_5ForConditionalGeneration"),
	family.New("qwen3_5_moe_text", readQwen35MoE, "Qwen3_5MoeForCausalLM", "Qwen3_5MoeForConditionalGeneration"),
	family.New("lfm2", readLFM2, "Lfm2ForCausalLM"),
	family.New("lfm2_moe", readLFM2MoE, "Lfm2MoeForCausalLM"),
	family.New("olmo2", readOlmo2, "Olmo2ForCausalLM"),
	family.New("olmo3", readOlmo3, "Olmo3ForCausalLM"),
	family.New("glm4", readGLM4, "Glm4ForCausalLM"),
	family.New("ernie4_5", readErnie, "Ernie4_5ForCausalLM", "Ernie4_5_ForCausalLM"),
	family.New("exaone4", readExaone4, "Exaone4ForCausalLM"),
	family.New("hunyuan_v1_dense", readHunyuan, "HunYuanDenseV1ForCausalLM"),
	family.New("cohere", readCohere, "CohereForCausalLM"),
	family.New("cohere2", readCohere2, "Cohere2ForCausalLM"),
	family.New("smollm3", readSmolLM3, "SmolLM3ForCausalLM"),
	family.New("phi", readPhi, "PhiForCausalLM"),
	family.New("phi3", readPhi3, "Phi3ForCausalLM"),
	family.New("stablelm", readStableLM, "StableLmForCausalLM"),
	family.New("falcon", readFalcon, "FalconForCausalLM"),
	family.New("gemma", readGemma, "GemmaForCausalLM"),
	family.New("gemma2", readGemma2, "Gemma2ForCausalLM"),
	family.New("gemma3_text", readGemma3, "Gemma3ForCausalLM", "Gemma3ForConditionalGeneration"),
	family.New("gemma4_text", readGemma4, "Gemma4ForCausalLM", "Gemma4ForConditionalGeneration", "Gemma4UnifiedForConditionalGeneration"),
	family.New("gpt2", readGPT2, "GPT2LMHeadModel"),
	family.New("gpt_neox", readGPTNeoX, "GPTNeoXForCausalLM"),
	family.New("gpt_oss", readGPTOSS, "GptOssForCausalLM"),
	family.New("t5", readT5, "T5ForConditionalGeneration", "T5WithLMHeadModel"),
	family.New("mt5", readMT5, "MT5ForConditionalGeneration"),
}

// GGUF lists them by the general.architecture of GGUF files.
var GGUF = map[string]GGUFEntry{
	"llama":         {[]string{"LlamaForCausalLM", "MistralForCausalLM"}, (*family.Metadata).WholeHeads, false},
	"mistral3":      {[]string{"Ministral3ForCausalLM", "Mistral3ForConditionalGeneration"}, ministral3GGUF, false},
	"granite":       {[]string{"GraniteForCausalLM", "GraniteMoeHybridForCausalLM"}, graniteGGUF, false},
	"qwen2":         {[]string{"Qwen2ForCausalLM"}, nil, false},
	"qwen3":         {[]string{"Qwen3ForCausalLM"}, nil, false},
	"qwen3moe":      {[]string{"Qwen3MoeForCausalLM"}, qwen3MoEGGUF, true},
	"qwen35":        {[]string{"Qwen3_5ForCausalLM", "Qwen3_5ForConditionalGeneration"}, qwen35GGUF, false},
	"qwen35moe":     {[]string{"Qwen3_5MoeForCausalLM", "Qwen3_5MoeForConditionalGeneration"}, qwen35MoEGGUF, true},
	"lfm2":          {[]string{"Lfm2ForCausalLM"}, lfm2GGUF, false},
	"lfm2moe":       {[]string{"Lfm2MoeForCausalLM"}, lfm2GGUF, true},
	"olmo2":         {[]string{"Olmo2ForCausalLM", "Olmo3ForCausalLM"}, slidingGGUF, false},
	"glm4":          {[]string{"Glm4ForCausalLM"}, glm4GGUF, false},
	"ernie4_5":      {[]string{"Ernie4_5ForCausalLM", "Ernie4_5_ForCausalLM"}, nil, false},
	"exaone4":       {[]string{"Exaone4ForCausalLM"}, slidingGGUF, false},
	"hunyuan-dense": {[]string{"HunYuanDenseV1ForCausalLM"}, nil, false},
	"command-r":     {[]string{"CohereForCausalLM"}, cohereGGUF, false},
	"cohere2":       {[]string{"Cohere2ForCausalLM"}, cohere2GGUF, false},
	"smollm3":       {[]string{"SmolLM3ForCausalLM"}, (*family.Metadata).WholeHeads, false},
	"phi2":          {[]string{"PhiForCausalLM"}, nil, false},
	"phi3":          {[]string{"Phi3ForCausalLM"}, phi3GGUF, false},
	"stablelm":      {[]string{"StableLmForCausalLM"}, (*family.Metadata).ParallelResidual, false},
	"falcon":        {[]string{"FalconForCausalLM"}, falconGGUF, false},
	"gemma":         {[]string{"GemmaForCausalLM"}, nil, false},
	"gemma2":        {[]string{"Gemma2ForCausalLM"}, gemma2GGUF, false},
	"gemma3":        {[]string{"Gemma3ForCausalLM", "Gemma3ForConditionalGeneration"}, gemma3GGUF, false},
	"gemma4":        {[]string{"Gemma4ForCausalLM", "Gemma4ForConditionalGeneration", "Gemma4UnifiedForConditionalGeneration"}, gemma4GGUF, true},
	"gpt2":          {[]string{"GPT2LMHeadModel"}, nil, false},
	"gpt-oss":       {[]string{"GptOssForCausalLM"}, gptOSSGGUF, true},
	"gptneox":       {[]string{"GPTNeoXForCausalLM"}, (*family.Metadata).ParallelResidual, false},
}

// GGUFEntry maps a general.architecture to families of config.json, with a
// reader for the keys that not all architectures have.
type GGUFEntry struct {
	Architectures []string // the first is the one that files are read as
	More          func(*family.Metadata)
	Mixture       bool // the family has experts
}
