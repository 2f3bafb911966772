import { pick } from '../../seeded-rng.js';
import type { Rng } from '../../stage.js';
import type { NamedSource, TextSource } from './name-words.js';

/** How the letters of a column's texts are written. */
export type LetterCase = 'lower' | 'upper' | 'mixed';

/** Share of texts that must be in one case: a name in capitals among others does not make a style. */
const AGREEMENT = 0.95;

/** The case of some texts; null where none has letters. */
export function letterCaseOf(texts: readonly string[]): LetterCase | null {
  const lettered = texts.filter((text) => /\p{L}/u.test(text));
  if (lettered.length === 0) return null;
  const share = (is: (text: string) => boolean): number => lettered.filter(is).length / lettered.length;
  if (share((text) => text === text.toLowerCase()) >= AGREEMENT) return 'lower';
  return share((text) => text === text.toUpperCase()) >= AGREEMENT ? 'upper' : 'mixed';
}

/** Checks whether texts look like codes: "AB-123", "KL0815". */
export function areCodes(texts: readonly string[]): boolean {
  return texts.length > 0 && texts.every((text) => /^[\p{L}\d/_.#-]+$/u.test(text) && /\d/u.test(text));
}

/** A text with the shape of a code: a digit for each digit, a letter in its case for each letter of two or fewer. */
function likeCode(code: string, rng: Rng): string {
  const letters = code.replace(/[^A-Za-z]/gu, '').length;
  return code.replace(/\d|[A-Za-z]/gu, (character) => {
    if (/\d/u.test(character)) return String(rng.int(10));
    if (letters > 2) return character;
    return String.fromCharCode((character < 'a' ? 65 : 97) + rng.int(26));
  });
}

function arePairs(texts: readonly string[]): boolean {
  return texts.length > 1 && texts.every((text) => /^\p{Lu}[\p{L}'’-]+ \p{Lu}[\p{L}'’-]+$/u.test(text));
}

/**
 * Texts after some samples: codes of the same shape; the first and second words of pairs such as people's names mixed
 * again where `people` says that they are such; else the samples again and again, as a column of categories repeats
 * them.
 */
export function textsLike(samples: readonly string[], people: boolean): TextSource {
  if (areCodes(samples)) return (rng) => likeCode(pick(samples, rng), rng);
  if (!people || !arePairs(samples)) return (rng) => pick(samples, rng);
  const words = samples.map((text): [first: string, second: string] => {
    const [first = '', second = ''] = text.split(' ');
    return [first, second];
  });
  return (rng) => {
    const [[first], [, second]] = [pick(words, rng), pick(words, rng)];
    return `${first} ${second}`;
  };
}

const withCase = (text: string, letters: LetterCase): string => {
  if (letters === 'mixed') return text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
  return letters === 'lower' ? text.toLowerCase() : text.toUpperCase();
};

/** A source in the case of the neighbours; where they are mixed, texts that are all lower case begin with a capital. */
export function inCase({ draw, fixedCase }: NamedSource, letters: LetterCase | null): TextSource {
  return fixedCase || letters === null ? draw : (rng) => withCase(draw(rng), letters);
}
