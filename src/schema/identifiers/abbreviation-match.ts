/** How letters abbreviate a word. */
type AbbreviationKind =
  /** Its beginning: "descr". */
  | 'truncated'
  /** All of it but the vowels: "wdth". */
  | 'skeleton'
  /** The beginning of that: "dsch" of discharge. */
  | 'short-skeleton'
  /** Letters from all over it, the last one among them: "dept". */
  | 'contracted'
  /** Other letters of it in their order: "rcvd". */
  | 'picked';

export interface AbbreviationMatch {
  readonly kind: AbbreviationKind;
  /** Letters of the abbreviation over letters of the word. */
  readonly share: number;
  /** Consonants that were left out before the last letter that stayed. */
  readonly lostConsonants: number;
  /** Vowels that stayed behind one that was left out. */
  readonly strayVowels: number;
}

const isVowel = (letter: string): boolean => 'aeiou'.includes(letter);

/** A word without the vowels behind its first letter, double letters made one: "address" → "adrs". */
function skeletonOf(word: string): string {
  let bones = word.charAt(0);
  for (const letter of word.slice(1)) if (!isVowel(letter) && letter !== bones.at(-1)) bones += letter;
  return bones;
}

const single = (letters: string): string => letters.replace(/(.)\1+/g, '$1');

/**
 * How `letters` abbreviate a word; null where they don't: an abbreviation has the word's first letter, and others of it
 * in their order. Both in lower case.
 */
export function matchAbbreviation(letters: string, word: string): AbbreviationMatch | null {
  if (letters.length >= word.length || letters.charAt(0) !== word.charAt(0)) return null;
  const share = letters.length / word.length;
  if (word.startsWith(letters)) return { kind: 'truncated', share, lostConsonants: 0, strayVowels: 0 };
  let at = 0;
  let lostConsonants = 0;
  let lostVowels = 0;
  let strayVowels = 0;
  for (let i = 1; i < letters.length; i++) {
    const letter = letters.charAt(i);
    const found = word.indexOf(letter, at + 1);
    if (found === -1) return null;
    for (let skipped = at + 1; skipped < found; skipped++) {
      if (isVowel(word.charAt(skipped))) lostVowels++;
      // One of two equal letters is no loss: "adres".
      else if (word.charAt(skipped) !== word.charAt(skipped - 1)) lostConsonants++;
    }
    if (isVowel(letter) && lostVowels > 0) strayVowels++;
    at = found;
  }
  return { kind: kindOf(letters, word), share, lostConsonants, strayVowels };
}

function kindOf(letters: string, word: string): AbbreviationKind {
  const [bones, own] = [skeletonOf(word), single(letters)];
  if (own === bones) return 'skeleton';
  if (bones.startsWith(own)) return 'short-skeleton';
  return letters.at(-1) === word.at(-1) ? 'contracted' : 'picked';
}
