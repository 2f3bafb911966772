"""Column names as keys. What needs English morphology (singulars, base forms, abbreviations) comes as tables by word."""

import re
import unicodedata


class Names:
    def __init__(self, words):
        self.singulars = words["singular"]
        self.noun_forms = words["nounForms"]
        self.base_forms = words["baseForms"]
        self.spelled_out = words["spelledOut"]

    def singular(self, word):
        return self.singulars.get(word, word)

    def key(self, name):
        """Names that differ by case, spaces, punctuation or plural count once."""
        natural = spaced(name)
        words = split_at(natural.replace("'", "").replace("’", ""), is_letter_or_digit)
        key = " ".join(self.singular(word) if re.fullmatch("[a-z]{4,}", word) else word for word in words)
        return key or natural

    def spelling_key(self, name):
        return "".join(self.singular(word.replace("'", "")) for word in words_of(name))

    def name_key(self, name):
        """As `spelling_key`, and equal for both orders of an "of" phrase."""
        return self.spelling_key(" ".join(without_of(words_of(name))))

    def exists_in(self, table, target, name):
        """Whether the table has the name already: nothing can be renamed or added so."""
        if self.spelling_key(name) == self.spelling_key(target["name"]):
            return True
        key = self.name_key(name)
        others = [column for column in table["columns"] if column is not target] + [table]
        return any(key in (self.name_key(other["name"]), self.name_key(other["originalName"])) for other in others)

    def statement(self, entity, name, kind):
        """ADVETA §4.4: "{TPE} {CN} ({CT})."."""
        spelled = " ".join(self.spelled_out.get(word.lower(), word) for word in name.split(" "))
        return f"{entity} {spelled} ({kind})." if entity else f"{spelled} ({kind})."


def spaced(name):
    return re.sub(r"[\s_]+", " ", unicodedata.normalize("NFC", name).lower()).strip()


def is_letter_or_digit(char):
    return unicodedata.category(char)[0] in "LN"


def split_at(text, belongs):
    """Runs of characters that belong to a word."""
    return "".join(char if belongs(char) else " " for char in text).split()


def words_of(name):
    """Lower-case words, split at inner capitals too."""
    parted = []
    for before, char in zip(" " + name, name):
        is_hump = unicodedata.category(char) == "Lu" and (unicodedata.category(before) == "Ll" or before in "0123456789")
        parted.append(" " + char if is_hump else char)
    return split_at("".join(parted).lower(), lambda char: is_letter_or_digit(char) or char == "'")


def without_of(words):
    """"date of birth" → "birth date"."""
    bare = [word for word in words if word not in ("the", "a", "an")]
    at = bare.index("of") if "of" in bare else -1
    return bare if at <= 0 or at == len(bare) - 1 else without_of(bare[at + 1 :]) + bare[:at]
