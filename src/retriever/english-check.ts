import type { CorpusTable } from '../stage.js';

/** Whether a lower-case word is in an English dictionary. */
export type IsWord = (word: string) => boolean;

/** Function words that dictionaries such as WordNet leave out. */
const ENGLISH = new Set(
  'the of and or in on at by for from to with per as is are was who what when where which how this that its their vs than if not no all'.split(
    ' ',
  ),
);
/** Function words of other languages that are not also English words. */
const FOREIGN = new Set(
  (
    'der das und von für mit nach bei nicht oder ist auf des vom zum zur les une du et avec dans pour sur par aux est ' +
    'el los las del por para una con y su lo gli della delle di il nel che e och för av på som het een voor naar met ' +
    'do da dos em não uma ve ile i na z w o og til af'
  ).split(' '),
);
/** Those of them that are in English names and titles ("El Paso", "Vasco da Gama") or as single letters in headers. */
const WEAK = new Set(
  'el los las del des du di da do les una y e i na z w o il con met lo est par des does der das'.split(' '),
);

const MIN_ASCII_LETTERS = 0.9;
const MIN_LATIN_LETTERS = 0.6;
/** Tables of abbreviations ("pts", "gp") have few dictionary words, so this alone decides only when it is very low. */
const MIN_KNOWN_WORDS = 0.34;
const MIN_KNOWN_WORDS_WITH_FOREIGN = 0.67;

function share(text: string, part: RegExp, whole: RegExp): number {
  const all = text.match(whole)?.length ?? 0;
  return all === 0 ? 1 : (text.match(part)?.length ?? 0) / all;
}

function wordsOf(texts: readonly string[]): string[] {
  return texts.flatMap((text) => text.toLowerCase().match(/\p{L}+/gu) ?? []);
}

function isKnown(word: string, isWord: IsWord): boolean {
  return ENGLISH.has(word) || isWord(word) || (word.endsWith('s') && isWord(word.slice(0, -1)));
}

function knownShare(columns: readonly string[], isWord: IsWord): number {
  const words = wordsOf(columns).filter((word) => word.length > 3);
  return words.length < 2 ? 1 : words.filter((word) => isKnown(word, isWord)).length / words.length;
}

function hasForeignWords(table: CorpusTable): boolean {
  if (wordsOf(table.columns).some((word) => FOREIGN.has(word) && !WEAK.has(word))) return true;
  const words = wordsOf([table.title, ...table.rows.flat()]);
  const foreign = words.filter((word) => FOREIGN.has(word) && !WEAK.has(word)).length;
  return foreign > 0 && foreign >= words.filter((word) => ENGLISH.has(word)).length;
}

/**
 * Whether a table is in English: by its stated language where there is one, else by a light rule on the share of
 * ASCII letters, on function words and, where `isWord` is given, on the share of header words in the dictionary.
 */
export function isEnglishTable(table: CorpusTable, language: string | null, isWord?: IsWord): boolean {
  if (language !== null && language.trim() !== '') return /^en(?:g|glish)?(?![a-z])/iu.test(language.trim());
  const headers = table.columns.join(' ');
  const cells = [table.title, ...table.rows.flat()].join(' ');
  if (share(headers, /[a-z]/giu, /\p{L}/gu) < MIN_ASCII_LETTERS) return false;
  if (share(cells, /\p{Script=Latin}/gu, /\p{L}/gu) < MIN_LATIN_LETTERS) return false;
  const isForeign = hasForeignWords(table);
  if (isWord === undefined) return !isForeign;
  return knownShare(table.columns, isWord) >= (isForeign ? MIN_KNOWN_WORDS_WITH_FOREIGN : MIN_KNOWN_WORDS);
}
