package encoders

import "inglenook/models/family"

// Families lists the families of encoders.
var Families = []family.Entry{
	family.New("bert", readBERT, "BertModel", "BertForMaskedLM", "BertForPreTraining", "BertForSequenceClassification", "BertForTokenClassification"),
	family.New("distilbert", readDistilBERT, "DistilBertModel", "DistilBertForMaskedLM", "DistilBertForSequenceClassification", "DistilBertForTokenClassification"),
	family.New("roberta", readRoBERTa, "RobertaModel", "RobertaForMaskedLM", "RobertaForSequenceClassification", "RobertaForTokenClassification"),
	family.New("jina_embeddings_v3", readJina3, "JinaEmbeddingsV3Model", "JinaEmbeddingsV3ForMaskedLM", "JinaEmbeddingsV3ForSequenceClassification", "JinaEmbeddingsV3ForTokenClassification"),
	family.New("xlm-roberta", readRoBERTa, "XLMRobertaModel", "XLMRobertaForMaskedLM", "XLMRobertaForSequenceClassification", "XLMRobertaForTokenClassification"),
	family.New("camembert", readRoBERTa, "CamembertModel", "CamembertForMaskedLM", "CamembertForSequenceClassification", "CamembertForTokenClassification"),
	family.New("mpnet", readMPNet, "MPNetModel", "MPNetForMaskedLM", "MPNetForSequenceClassification", "MPNetForTokenClassification"),
	family.New("embedding_gemma", readEmbeddingGemma, "Gemma3TextModel"),
	family.New("eurobert", readEuroBERT, "EuroBertModel", "EuroBertForMaskedLM", "EuroBertForSequenceClassification", "EuroBertForTokenClassification"),
	family.New("electra", readELECTRA, "ElectraModel", "ElectraForMaskedLM", "ElectraForPreTraining", "ElectraForSequenceClassification", "ElectraForTokenClassification"),
	family.New("albert", readALBERT, "AlbertModel", "AlbertForMaskedLM", "AlbertForPreTraining", "AlbertForSequenceClassification", "AlbertForTokenClassification"),
	family.New("deberta", readDeBERTa, "DebertaModel", "DebertaForMaskedLM", "DebertaForSequenceClassification", "DebertaForTokenClassification"),
	family.New("deberta-v2", readDeBERTa2, "DebertaV2Model", "DebertaV2ForMaskedLM", "DebertaV2ForSequenceClassification", "DebertaV2ForTokenClassification"),
	family.New("nomic_bert", readNomic, "NomicBertModel", "NomicBertForMaskedLM", "NomicBertForTokenClassification"),
	family.New("jina_bert", readJina, "JinaBertModel", "JinaBertForMaskedLM"),
	family.New("new", readGTE, "NewModel", "NewForMaskedLM", "NewForSequenceClassification", "NewForTokenClassification"),
	family.New("gte", readGTE, "GteModel", "GteForMaskedLM", "GteForSequenceClassification", "GteForTokenClassification"),
	family.New("modernbert", readModernBERT, "ModernBertModel", "ModernBertForMaskedLM", "ModernBertForSequenceClassification", "ModernBertForTokenClassification"),
	family.New("t5_encoder", readT5Encoder, "T5EncoderModel", "MT5EncoderModel"),
	family.New("clip", readCLIP, "CLIPModel"),
	family.New("clip_text_model", readCLIPText, "CLIPTextModelWithProjection", "CLIPTextModel"),
	family.New("clip_vision_model", readCLIPVision, "CLIPVisionModelWithProjection", "CLIPVisionModel"),
	family.New("siglip", readSigLIP, "SiglipModel"),
	family.New("siglip_text_model", readSigLIPText, "SiglipTextModel"),
	family.New("siglip_vision_model", readSigLIPVision, "SiglipVisionModel"),
}
