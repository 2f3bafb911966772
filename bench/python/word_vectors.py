"""The product's compact word vectors (.pqv), and vectors of whole names (ADVETA §4.2)."""

import json
import re
import struct
import unicodedata

import numpy as np

LONGEST_NGRAM = 6
FUNCTION_WORDS = set("a an the of in on at by to for from with and or as per is was are be its their his her".split())


class WordVectors:
    def __init__(self, path, names):
        data = open(path, "rb").read()
        assert data[:5] == b"PQVEC", path
        length = struct.unpack("<I", data[12:16])[0]
        header = json.loads(data[16 : 16 + length])
        count, dimension = header["count"], header["dimension"]
        at = 16 + length
        self.scales = np.frombuffer(data, "<f4", count, at).astype(np.float64)
        offsets = np.frombuffer(data, "<u4", count + 1, at + 4 * count)
        at += 8 * count + 4
        self.vectors = np.frombuffer(data, np.int8, count * dimension, at).reshape(count, dimension)
        at += count * dimension
        terms = data[at:]
        self.indices = {terms[offsets[i] : offsets[i + 1]].decode(): i for i in range(count)}
        self.longest = min(LONGEST_NGRAM, header["longestTerm"])
        self.names = names
        self.known = {}

    def of_name(self, name):
        """Unit vector of a name, float32; None when no part of it is known."""
        if name not in self.known:
            self.known[name] = self._mean(self._terms(name_tokens(name[:300])))
        return self.known[name]

    def similarity(self, a, b):
        """Cosine, summed in order so that ties are the same ties everywhere."""
        first, second = self.of_name(a), self.of_name(b)
        if first is None or second is None:
            return None
        products = first.astype(np.float64) * second.astype(np.float64)
        return max(-1.0, min(1.0, float(np.cumsum(products)[-1])))

    def _mean(self, terms):
        total = np.zeros(self.vectors.shape[1])
        for index in terms:
            total += self.scales[index] * self.vectors[index].astype(np.float64)
        norm = float(np.sqrt(np.cumsum(total * total)[-1]))
        return None if norm < 1e-9 else (total / norm).astype(np.float32)

    def _index(self, term):
        found = self.indices.get(term)
        if found is None and re.search(r"\d\d", term):
            found = self.indices.get(re.sub(r"\d", "#", term))
        return found

    def _terms(self, tokens):
        """Greedy longest match from the left; function words count only where nothing else is known."""
        content, functional = [], []
        start = 0
        while start < len(tokens):
            match, length = self._longest(tokens, start)
            if match is not None:
                content.append(match)
            else:
                length = 1
                found = self._word(tokens[start])
                (functional if tokens[start] in FUNCTION_WORDS else content).extend(found)
            start += length
        return content or functional

    def _longest(self, tokens, start):
        for length in range(min(self.longest, len(tokens) - start), 1, -1):
            words = tokens[start : start + length]
            for last in [words[-1]] + self.names.noun_forms.get(words[-1], []):
                found = self._index("_".join(words[:-1] + [last]))
                if found is not None:
                    return found, length
        return None, 1

    def _word(self, word):
        exact = self._index(word)
        if exact is not None:
            return [exact]
        if "-" not in word:
            forms = (self._index(form) for form in self.names.base_forms.get(word, []) if len(form) > 1)
            return [found for found in forms if found is not None][:1]
        joined = self._index(word.replace("-", "_"))
        if joined is not None:
            return [joined]
        return [index for part in word.split("-") if part for index in self._word(part)]


def name_tokens(name):
    """Words of a natural, lower-case name; apostrophes around them go."""
    text = unicodedata.normalize("NFC", name)
    raw = "".join(c if unicodedata.category(c)[0] in "LNM" or c in "'’-" else " " for c in text).split()
    tokens = (re.sub(r"['’]s$", "", token.strip("'’")).lower() for token in raw)
    return [token for token in tokens if token]
