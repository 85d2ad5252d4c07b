"""Endless views of the texts, drawn and cut into pieces on the GPU: the batches that teacher and student both read.

A view is one or two spans of the corpus (a sentence, a passage, a few words, a heading with its passage, two halves
joined), often with words dropped or exchanged. Views come in groups from one place, and every second group from a
place like the one before it, so that a batch holds pairs of every degree of similarity, short beside long.

Everything keeps its shape from batch to batch (fixed numbers of texts, words and pieces), so that compiled code is
compiled once; what does not fit is left out and marked as not valid.
"""
import dataclasses

import torch

EMPTY, CLS, SEP = 0, 1, 2       # as in pack.py
GROUP = 4                       # views from one place
LONGEST_WORDS = 250
KINDS = {"sentence": 0.38, "passage": 0.24, "span": 0.16, "titled": 0.10, "joined": 0.07, "bag": 0.05}
SOURCE_POWER = 0.7              # a source with n sentences is drawn as often as n ** SOURCE_POWER says


@dataclasses.dataclass
class Pieces:
    ids: torch.Tensor           # [pieces] token ids, 0 behind the last text
    positions: torch.Tensor     # [pieces] within the text
    starts: torch.Tensor        # [texts + tail + 1] int32; the tail covers the unused pieces
    text: torch.Tensor          # [pieces] which text; the number of texts for the unused ones
    word: torch.Tensor          # [pieces] which word; the number of words for the unused ones


@dataclasses.dataclass
class Batch:
    student: Pieces
    teacher: Pieces
    valid: torch.Tensor         # [texts] bool
    words: torch.Tensor         # [words] bool: the word has pieces on both sides


class Views:
    def __init__(self, corpus, device, longest=(256, 320)):
        """longest: most pieces of a text for student and teacher."""
        self.device, self.longest = device, longest
        for name in ("words", "starts", "document", "heading", "lexicon"):
            setattr(self, name, corpus[name].to(device))
        self.vocabularies = [tuple(t.to(device) for t in corpus[name]) for name in ("student", "teacher")]
        self.counts = [starts.diff() for _, starts in self.vocabularies]    # pieces of each word
        last = torch.ones_like(self.document, dtype=torch.bool)
        last[:-1] = self.document[1:] != self.document[:-1]
        ends = self.starts[1:][last]                                        # [documents with text] word number
        self.document_end = ends[torch.cumsum(last, 0) - last.long()]       # [sentences]
        source = corpus["source"].to(device)
        size = torch.bincount(source).double()
        self.chance = torch.cumsum((size.clamp(min=1) ** (SOURCE_POWER - 1))[source], 0)
        self.chance /= self.chance[-1].clone()
        self.order = self.place = None                                      # set by like()
        self.similar = None                                                 # set by synonyms()

    def __len__(self):
        return len(self.document)

    def rand(self, n):
        return torch.rand(n, device=self.device)

    def like(self, order):
        """order [sentences]: a permutation that puts similar sentences near each other."""
        self.order = order
        self.place = torch.empty_like(order)
        self.place[order] = torch.arange(len(order), device=self.device)

    def synonyms(self, table):
        """table [distinct words, k]: words to exchange a word for."""
        self.similar = table

    def sentences(self, which, capacity):
        """The sentences `which` [texts], unchanged, in `capacity` pieces."""
        begin = self.starts[which]
        zero = torch.zeros_like(begin)
        n = (self.starts[which + 1] - begin).clamp(max=LONGEST_WORDS)
        return self.cut(*self.line_up(begin, n, zero, zero, capacity), capacity)

    def sample(self, texts, capacity):
        """`texts` fresh views in `capacity` pieces."""
        begin, n, begin2, n2, bag = self.choose(texts)
        word, text, ends = self.line_up(begin, n, begin2, n2, capacity)
        return self.cut(self.disturb(word, text, bag), text, ends, capacity)

    def choose(self, texts):
        """Two spans of words for each view, and which views get their words drawn from the lexicon."""
        places = texts // GROUP
        anchor = torch.searchsorted(self.chance, torch.rand((places + 1) // 2, device=self.device, dtype=torch.float64))
        step = torch.randint(-24, 25, anchor.shape, device=self.device)
        mate = self.order[(self.place[anchor] + step).clamp(0, len(self) - 1)]
        anchor = torch.stack([anchor, mate], 1).flatten()[:places].repeat_interleave(GROUP)

        # Most views are of the anchor itself, the others of a sentence near it in the same document.
        step = torch.randint(-3, 4, (texts,), device=self.device) * (self.rand(texts) < 0.4)
        s = (anchor + step).clamp(0, len(self) - 1)
        s = torch.where(self.document[s] == self.document[anchor], s, anchor)
        sb, se, de = self.starts[s], self.starts[s + 1], self.document_end[s]

        length = torch.exp(3.0 + self.rand(texts) * 2.5).long()             # 20 to 244 words, short ones more often
        end = torch.minimum(sb + length, de)
        whole = self.starts[torch.searchsorted(self.starts, end, right=True) - 1]
        passage = torch.where(whole > sb, whole, end) - sb
        few = 1 + (self.rand(texts) ** 2 * 13).long()
        inside = sb + (self.rand(texts) * (se - sb)).long()
        heading = self.heading[s]
        titled = (heading >= 0) & (heading != s)
        middle = sb + ((0.2 + 0.6 * self.rand(texts)) * (se - sb)).long()
        other = torch.roll(sb, 1), torch.roll(middle, 1)                    # the first half of the view before
        own = self.rand(texts) < 0.5

        kind = torch.bucketize(self.rand(texts), torch.tensor(list(KINDS.values()), device=self.device).cumsum(0)[:-1])
        zero = torch.zeros_like(sb)
        head = heading.clamp(min=0)
        head_words = self.starts[head + 1] - self.starts[head]
        alone = self.rand(texts) < 0.35
        spans = [                                                           # in the order of KINDS
            (sb, se - sb, sb, zero),
            (sb, passage, sb, zero),
            (inside, torch.minimum(few, de - inside), sb, zero),
            (torch.where(titled, self.starts[head], sb), torch.where(titled, head_words, zero),
             sb, torch.where(titled & alone, zero, passage)),
            (middle, se - middle, torch.where(own, sb, other[0]), torch.where(own, middle - sb, other[1] - other[0])),
            (inside, torch.minimum(few.clamp(max=6), de - inside), sb, zero)]
        begin, n, begin2, n2 = (torch.stack(c).gather(0, kind[None])[0] for c in zip(*spans))
        n = n.clamp(max=LONGEST_WORDS)
        return begin, n, begin2, torch.minimum(n2, LONGEST_WORDS - n), kind == len(KINDS) - 1

    def line_up(self, begin, n, begin2, n2, capacity):
        """All views' words end to end -> word numbers, text of each [capacity], end of each text [texts]."""
        count = n + n2 + 2
        ends = count.cumsum(0)
        j = torch.arange(capacity, device=self.device)
        text = torch.searchsorted(ends, j, right=True).clamp(max=len(n) - 1)
        r = j - (ends - count)[text] - 1                                    # -1 is [CLS]
        source = torch.where(r < n[text], begin[text] + r, begin2[text] + r - n[text])
        word = self.words[source.clamp(0, len(self.words) - 1)].long()
        word = torch.where(r < 0, CLS, torch.where(r == count[text] - 2, SEP, word))
        return torch.where(j < ends[-1], word, EMPTY), text, ends

    def disturb(self, word, text, bag):
        """Drop words, exchange words for similar ones or for any, at rates that differ from view to view."""
        texts, n = len(bag), len(word)

        def rate(share, most):
            return (self.rand(texts) * most * (self.rand(texts) < share))[text]

        inner = word > SEP
        drop, similar, other = rate(0.2, 0.3), rate(0.25, 0.4), rate(0.12, 0.25)
        pick = torch.randint(0, self.similar.shape[1], (n,), device=self.device)
        anyword = self.lexicon[torch.randint(0, len(self.lexicon), (n,), device=self.device)]
        changed = torch.where(self.rand(n) < similar, self.similar[word, pick], word)
        changed = torch.where((self.rand(n) < other) | bag[text], anyword, changed)
        changed = torch.where(self.rand(n) < drop, EMPTY, changed)
        return torch.where(inner, changed, word)

    def cut(self, word, text, ends, capacity):
        """Words into pieces for both sides, long texts shortened to what both can read."""
        first = torch.nn.functional.pad(ends[:-1], (1, 0)).clamp(max=len(word) - 1)     # [texts] first word
        last = (ends - 1).clamp(max=len(word) - 1)
        for count, longest in zip(self.counts, self.longest):
            n = count[word]
            done = n.cumsum(0)
            done = done - (done - n)[first][text]                           # pieces of the text up to this word
            word = torch.where((done > longest - 1) & (word != SEP), EMPTY, word)
        valid = ends <= len(word)
        for count in self.counts:
            valid &= count[word].cumsum(0)[last] <= capacity
        word = torch.where(valid[text], word, EMPTY)
        valid &= torch.zeros_like(ends).index_add_(0, text, (word > SEP).long()) > 0
        student, teacher = (self.expand(word, text, last, v, c, capacity) for v, c in zip(self.vocabularies, self.counts))
        return Batch(student, teacher, valid, (self.counts[0][word] > 0) & (self.counts[1][word] > 0))

    def expand(self, word, text, last, vocabulary, count, capacity):
        ids, starts = vocabulary
        n = count[word]
        done = n.cumsum(0)
        k = torch.arange(capacity, device=self.device)
        j = torch.searchsorted(done, k, right=True).clamp(max=len(word) - 1)
        used = k < done[-1]
        piece = ids[(starts[word[j]] + k - (done - n)[j]).clamp(0, len(ids) - 1)].long()
        text_ends = done[last]
        tail = (done[-1] + 256 * torch.arange(1, capacity // 256 + 2, device=self.device)).clamp(max=capacity)
        bounds = torch.cat([torch.zeros_like(text_ends[:1]), text_ends, tail])
        t = text[j]
        return Pieces(torch.where(used, piece, 0), torch.where(used, k - bounds[t], 0), bounds.int(),
                      torch.where(used, t, len(last)), torch.where(used, j, len(word)))
