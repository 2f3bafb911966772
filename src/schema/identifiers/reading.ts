import { stemOf } from './database-words.js';
import type { IdentifierPart } from './identifier-parts.js';
import { type Beliefs, pathBases, pathReading, type ReadingBasis, type Unit } from './reading-path.js';

/** Letters before a number that are a word with a number, not a code: "address2". */
const SHORTEST_NUMBERED = 4;

/** A part of an identifier and what it says. */
export interface PartReading {
  /** In lower case, as the identifier has it. */
  readonly letters: string;
  /** Whether nothing stands between it and the part before. */
  readonly isJoined: boolean;
  readonly words: readonly string[];
  /** Whether the words are others than the letters. */
  readonly isExpanded: boolean;
  /** Whether it is known what the part says; letters that are not read stand as they are. */
  readonly isRead: boolean;
  /** Probability that this is what people read, 0 to 1. */
  readonly confidence: number;
  readonly basis: ReadingBasis;
}

/** What an identifier says in its database. */
export interface IdentifierReading {
  readonly table: number;
  /** null for the table itself. */
  readonly column: number | null;
  readonly parts: readonly PartReading[];
}

const isDigits = (letters: string): boolean => /^\d/.test(letters);

/** Letters and digits that are a code of their own: "icd9", "x1", "rg23a". */
function isOneCode(before: PartReading, part: PartReading): boolean {
  if (!part.isJoined || before.isExpanded || part.isExpanded) return false;
  if (isDigits(part.letters)) return before.letters.length < SHORTEST_NUMBERED || !before.isRead;
  return isDigits(before.letters) && part.letters.length === 1;
}

/** Words of a reading with a space between each two: "address 2", but "icd9 code". */
export function readingText({ parts }: Pick<IdentifierReading, 'parts'>): string {
  return parts.reduce((text, part, i) => {
    const separator = i === 0 || isOneCode(parts[i - 1]!, part) ? '' : ' ';
    return `${text}${separator}${part.words.join(' ')}`;
  }, '');
}

/** Parts as they stand, with a space between each two: "address 2". */
export function plainText(parts: readonly IdentifierPart[]): string {
  return readingText({
    parts: parts.map(({ text, isJoined }) => ({
      ...{ letters: text, isJoined, words: [text] },
      ...{ isExpanded: false, isRead: true, confidence: 1, basis: 'word' as const },
    })),
  });
}

/** Letters of the parts that could not be read. */
export function unreadParts({ parts }: IdentifierReading): readonly string[] {
  return parts.filter(({ isRead }) => !isRead).map(({ letters }) => letters);
}

/** The least confidence of its parts. */
export function readingConfidence({ parts }: IdentifierReading): number {
  return Math.min(1, ...parts.map(({ confidence }) => confidence));
}

/** Maps a posterior to the share of such readings that were right on databases kept apart. */
export interface Calibration {
  readonly slope: number;
  readonly offset: number;
  /** The least confidence of what is read: of parts of one letter, of two, and of more; of words written together. */
  readonly least: readonly number[];
}

const BOUND = 1e-6;

/** Probability that a reading is right, from its posterior. */
export function calibrated(posterior: number, { slope, offset }: Calibration): number {
  const bounded = Math.min(1 - BOUND, Math.max(BOUND, posterior));
  return 1 / (1 + Math.exp(-(slope * Math.log(bounded / (1 - bounded)) + offset)));
}

/** What is known of letters by themselves. */
interface KnownWords {
  isWord(this: void, letters: string): boolean;
  /** Whether they are a word and no abbreviation of another. */
  isClear(this: void, letters: string): boolean;
}

function leastConfidence(letters: string, isExpanded: boolean, { least }: Calibration): number {
  return least[isExpanded ? Math.min(letters.length, 3) - 1 : 3] ?? 1;
}

function partReading(
  { text, kind, isJoined }: IdentifierPart,
  words: readonly string[],
  { posterior, basis }: { readonly posterior: number; readonly basis: ReadingBasis },
  calibration: Calibration,
  { isWord, isClear }: KnownWords,
): PartReading {
  if (kind === 'digits') return { letters: text, isJoined, words: [text], isExpanded: false, isRead: true, confidence: 1, basis: 'word' };
  const confidence = calibrated(posterior, calibration);
  const isExpanded = words.join('') !== text;
  if ((isExpanded || words.length > 1) && confidence < leastConfidence(text, isExpanded, calibration))
    return { letters: text, isJoined, words: [text], isExpanded: false, isRead: isClear(text), confidence, basis: 'letters' };
  const isRead = isExpanded || words.every(isWord);
  return { letters: text, isJoined, words, isExpanded, isRead, confidence, basis: isRead ? basis : 'letters' };
}

/** Singular and plural say the same of a part: "milligram" and "milligrams". */
export const sameWords = (words: string): string => words.split(' ').map(stemOf).join(' ');

/** The reading that is believed most, part by part; parts that are not sure enough keep their letters. */
export function readingOf(
  { table, column, parts }: Unit,
  { paths, masses }: Beliefs,
  calibration: Calibration,
  known: KnownWords,
): IdentifierReading {
  const readings = paths.map((path) => pathReading(path, parts).map((words) => words.join(' ')));
  const [best = []] = readings;
  const bases = pathBases(paths[0]!, parts.length);
  const read = parts.map((part, at) => {
    const key = sameWords(best[at]!);
    const posterior = readings.reduce((sum, other, i) => sum + (sameWords(other[at]!) === key ? masses[i]! : 0), 0);
    return partReading(part, best[at]!.split(' '), { posterior, basis: bases[at]! }, calibration, known);
  });
  return { table, column, parts: read };
}
