/** A word of a question. */
export interface QuestionWord {
  /** In lower case. */
  readonly text: string;
  /** Without the endings of plurals and verbs. */
  readonly stem: string;
}

const WORD = /[\p{L}\p{N}]+(?:[.\-'’][\p{L}\p{N}]+)*/gu;
const NUMBERS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
/** Letters that two words of one family share at least: "weigh", "weight"; "France", "French". */
const SHARED = 4;

/** A word without the endings of plurals and verbs, roughly: what is compared, not shown. */
export function stemOf(word: string): string {
  if (word.length < 4) return word;
  const plain = word.replace(/['’]s?$/u, '');
  if (/ies$/u.test(plain)) return `${plain.slice(0, -3)}y`;
  if (/(?:ss|us|is)$/u.test(plain)) return plain;
  const singular = plain.replace(/(?<=x|ch|sh|ss)es$|s$/u, '');
  const base = singular.length > 5 ? singular.replace(/(?:ing|ed)$/u, '') : singular;
  return base.replace(/([bdgmnprt])\1$/u, '$1').replace(/(?<=...)e$/u, ''); // "ages" as "age", which is too short to lose more
}

/** The words of a text in order. */
export function questionWords(text: string): readonly QuestionWord[] {
  return [...text.toLowerCase().matchAll(WORD)].map(([word]) => ({ text: word, stem: stemOf(word) }));
}

/** The number that a word says: "3", "three"; null for others. */
export function numberOfWord(word: string): number | null {
  const spelled = NUMBERS.indexOf(word);
  if (spelled >= 0) return spelled;
  return /^\d+(?:\.\d+)?$/u.test(word) ? Number(word) : null;
}

/** How alike two stems are: 1 for the same, less for words of one family, else 0. */
export function likeness(a: string, b: string): number {
  if (a === b) return 1;
  let shared = 0;
  while (shared < Math.min(a.length, b.length) && a[shared] === b[shared]) shared++;
  return shared >= SHARED && shared >= Math.max(a.length, b.length) * 0.6 ? 0.7 : 0;
}
