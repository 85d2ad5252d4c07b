package encoders

import "inglenook/models/family"

// Families lists the families of encoders.
var Families = []family.Entry{
	family.New("bert", readBERT, "BertModel", "BertForMaskedLM", "BertForPreTraining", "BertForSequenceClassification"),
	family.New("distilbert", readDistilBERT, "DistilBertModel", "DistilBertForMaskedLM", "DistilBertForSequenceClassification"),
	family.New("roberta", readRoBERTa, "RobertaModel", "RobertaForMaskedLM", "RobertaForSequenceClassification"),
	family.New("xlm-roberta", readRoBERTa, "XLMRobertaModel", "XLMRobertaForMaskedLM", "XLMRobertaForSequenceClassification"),
	family.New("camembert", readRoBERTa, "CamembertModel", "CamembertForMaskedLM", "CamembertForSequenceClassification"),
	family.New("mpnet", readMPNet, "MPNetModel", "MPNetForMaskedLM", "MPNetForSequenceClassification"),
	family.New("embedding_gemma", readEmbeddingGemma, "Gemma3TextModel"),
	family.New("eurobert", readEuroBERT, "EuroBertModel", "EuroBertForMaskedLM", "EuroBertForSequenceClassification"),
	family.New("electra", readELECTRA, "ElectraModel", "ElectraForMaskedLM", "ElectraForPreTraining", "ElectraForSequenceClassification"),
	family.New("albert", readALBERT, "AlbertModel", "AlbertForMaskedLM", "AlbertForPreTraining", "AlbertForSequenceClassification"),
	family.New("deberta", readDeBERTa, "DebertaModel", "DebertaForMaskedLM", "DebertaForSequenceClassification"),
	family.New("deberta-v2", readDeBERTa2, "DebertaV2Model", "DebertaV2ForMaskedLM", "DebertaV2ForSequenceClassification"),
	family.New("nomic_bert", readNomic, "NomicBertModel", "NomicBertForMaskedLM"),
	family.New("jina_bert", readJina, "JinaBertModel", "JinaBertForMaskedLM"),
	family.New("new", readGTE, "NewModel", "NewForMaskedLM", "NewForSequenceClassification"),
	family.New("gte", readGTE, "GteModel", "GteForMaskedLM", "GteForSequenceClassification"),
	family.New("modernbert", readModernBERT, "ModernBertModel", "ModernBertForMaskedLM", "ModernBertForSequenceClassification"),
	family.New("t5_encoder", readT5Encoder, "T5EncoderModel", "MT5EncoderModel"),
	family.New("clip", readCLIP, "CLIPModel"),
	family.New("clip_text_model", readCLIPText, "CLIPTextModelWithProjection", "CLIPTextModel"),
}
