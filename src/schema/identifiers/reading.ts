import { getOrMake, itemAt, mustGet, zip } from '../../present.js';
import type { IdentifierPart } from './identifier-parts.js';
import { type Beliefs, pathPart, type ReadingBasis, type Unit } from './reading-path.js';
import { stemOf } from './database-words.js';

/** A way to read a part, and how much it is believed. */
interface PartOption {
  /** With a space between each two words. */
  readonly reading: string;
  readonly posterior: number;
  readonly basis: ReadingBasis;
}

/** The letters of a part where it is taken apart, and how much the borders between them are believed. */
interface Pieces {
  readonly letters: readonly string[];
  readonly posterior: number;
}

/** What is believed of a part: its readings by what they say, and where the best path takes it apart. */
export interface PartBelief {
  readonly part: IdentifierPart;
  readonly options: ReadonlyMap<string, PartOption>;
  /** The key of the reading of the best path. */
  readonly best: string;
  readonly pieces: Pieces;
}

/** The reading of a part that is chosen. */
interface ChosenPart extends IdentifierPart, PartOption {
  readonly pieces: Pieces;
}

/** A place keeps a reading of its own where that is so many times as likely as the table's. */
const OTHERWISE = 3;

/** Singular and plural say the same of a part: "milligram" and "milligrams". */
const sameWords = (words: string): string => words.split(' ').map(stemOf).join(' ');

/** What is believed of each part of an identifier. */
function partBeliefs({ parts }: Unit, { paths, masses }: Beliefs): readonly PartBelief[] {
  return parts.map((part, at) => {
    const ways = zip(paths, masses).map(([path, mass]) => ({ ...pathPart(path, part, at), mass }));
    const options = new Map<string, PartOption>();
    for (const { words, basis, mass } of ways) {
      const reading = words.join(' ');
      const key = sameWords(reading);
      const known = options.get(key) ?? { reading, basis, posterior: 0 };
      options.set(key, { ...known, posterior: known.posterior + mass });
    }
    const { words, pieces: letters } = itemAt(ways, 0);
    const borders = letters.join(' ');
    const posterior = ways.reduce((sum, { pieces, mass }) => sum + (pieces.join(' ') === borders ? mass : 0), 0);
    return { part, options, best: sameWords(words.join(' ')), pieces: { letters, posterior } };
  });
}

/** The reading of each run of letters that its identifiers together believe most, `"table\nletters"` to key. */
export function tableReadings(
  beliefs: readonly (readonly [Unit, readonly PartBelief[]])[],
): ReadonlyMap<string, string> {
  const sums = new Map<string, Map<string, number>>();
  for (const [{ table }, parts] of beliefs)
    for (const { part, options } of parts) {
      const place = placeKey(table, part);
      const sum = getOrMake(sums, place, () => new Map<string, number>());
      for (const [key, { posterior }] of options) sum.set(key, (sum.get(key) ?? 0) + posterior);
    }
  return new Map(
    [...sums].map(([place, sum]) => [place, [...sum].reduce((best, one) => (one[1] > best[1] ? one : best))[0]]),
  );
}

const placeKey = (table: number, { text }: IdentifierPart): string => `${table}\n${text}`;

/** The table's reading of a part, or its own where the words around it say otherwise. */
export function chosenPart(table: number, belief: PartBelief, ofTable: ReadonlyMap<string, string>): ChosenPart {
  const { part, options, best, pieces } = belief;
  const own = mustGet(options.get(best), 'the best reading of a part');
  const shared = options.get(mustGet(ofTable.get(placeKey(table, part)), 'the reading of a table'));
  const option = shared !== undefined && shared.posterior * OTHERWISE >= own.posterior ? shared : own;
  return { ...part, ...option, pieces };
}

/** Letters before a number that are a word with a number, not a code: "address2". */
const SHORTEST_NUMBERED = 4;

/** A part of an identifier and what it says. */
interface PartReading {
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
    const before = parts[i - 1];
    const separator = before === undefined || isOneCode(before, part) ? '' : ' ';
    return `${text}${separator}${part.words.join(' ')}`;
  }, '');
}

/** Parts as they stand, with a space between each two: "address 2". */
export function plainText(parts: readonly IdentifierPart[]): string {
  return readingText({
    parts: parts.map(({ text, isJoined }) => ({
      letters: text,
      isJoined,
      words: [text],
      isExpanded: false,
      isRead: true,
      confidence: 1,
      basis: 'word' as const,
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
  /** What it adds that a database abbreviates throughout: one that doesn't keeps short letters as they are. */
  readonly abbreviating: number;
  readonly offset: number;
  /** The least confidence of what is read: of expansions, and of words that are written together. */
  readonly least: { readonly expanded: number; readonly joined: number };
}

const BOUND = 1e-6;

/** Probability that a reading is right, from its posterior and the share of parts that its database abbreviates. */
function calibrated(posterior: number, share: number, { slope, abbreviating, offset }: Calibration): number {
  const bounded = Math.min(1 - BOUND, Math.max(BOUND, posterior));
  return 1 / (1 + Math.exp(-(slope * Math.log(bounded / (1 - bounded)) + abbreviating * share + offset)));
}

/** What is known of letters by themselves. */
interface KnownWords {
  isWord(this: void, letters: string): boolean;
  /** Whether they are a word and no abbreviation of another. */
  isClear(this: void, letters: string): boolean;
}

/** A chosen part, and how sure it is. */
interface BelievedPart extends ChosenPart {
  readonly confidence: number;
  /** Of the borders between its pieces. */
  readonly piecesConfidence: number;
}

/** Shorter pieces are abbreviations as often as words. */
const SHORTEST_WORD = 3;

/** The share of the parts of a database's identifiers that stand for other words, by the best reading of each. */
export function abbreviatedShare(beliefs: readonly (readonly [Unit, Beliefs])[]): number {
  const isExpanded = beliefs.flatMap(([{ parts }, { paths }]) => {
    const best = itemAt(paths, 0);
    return parts.flatMap((part, at) =>
      part.kind === 'digits' ? [] : [pathPart(best, part, at).words.join('') !== part.text],
    );
  });
  return isExpanded.filter(Boolean).length / Math.max(1, isExpanded.length);
}

function partReading(
  { text, isJoined, kind, reading, confidence, basis, pieces, piecesConfidence }: BelievedPart,
  { least: { expanded, joined } }: Calibration,
  { isWord, isClear }: KnownWords,
): PartReading {
  const common = { letters: text, isJoined, confidence };
  if (kind === 'digits') return { ...common, words: [text], isExpanded: false, isRead: true, basis: 'word' };
  const words = reading.split(' ');
  const isExpanded = words.join('') !== text;
  if ((isExpanded || words.length > 1) && confidence < (isExpanded ? expanded : joined)) {
    const { letters } = pieces;
    // What one piece stands for may be unsure where all are words: the borders between them still say most.
    if (letters.length > 1 && piecesConfidence >= expanded && letters.every((one) => isPieceWord(one, isWord)))
      return {
        ...common,
        confidence: piecesConfidence,
        words: letters,
        isExpanded: false,
        isRead: true,
        basis: 'word',
      };
    return { ...common, words: [text], isExpanded: false, isRead: isClear(text), basis: 'letters' };
  }
  const isRead = isExpanded || words.every(isWord);
  return { ...common, words, isExpanded, isRead, basis: isRead ? basis : 'letters' };
}

const isPieceWord = (letters: string, isWord: KnownWords['isWord']): boolean =>
  letters.length >= SHORTEST_WORD && isWord(letters);

/**
 * The readings that are believed most, part by part, one for the same letters of a table unless the words around them say
 * otherwise. Letters that are read alike in a table share the confidence of the
 * surest place; parts that are not sure enough there keep their letters.
 */
export function readingsOf(
  beliefs: readonly (readonly [Unit, Beliefs])[],
  calibration: Calibration,
  known: KnownWords,
): readonly IdentifierReading[] {
  const share = abbreviatedShare(beliefs);
  const sureness = (posterior: number): number => calibrated(posterior, share, calibration);
  const parted = beliefs.map(([unit, belief]) => [unit, partBeliefs(unit, belief)] as const);
  const ofTable = tableReadings(parted);
  const believed = parted.map(([unit, parts]) => {
    const chosen = parts.map((belief): BelievedPart => {
      const part = chosenPart(unit.table, belief, ofTable);
      const confidence = part.kind === 'digits' ? 1 : sureness(part.posterior);
      return { ...part, confidence, piecesConfidence: sureness(part.pieces.posterior) };
    });
    return [unit, chosen] as const;
  });
  const keyOf = (table: number, { text, reading }: BelievedPart): string => `${table}\n${text}\n${sameWords(reading)}`;
  const surest = new Map<string, number>();
  for (const [{ table }, parts] of believed)
    for (const part of parts) {
      const key = keyOf(table, part);
      surest.set(key, Math.max(surest.get(key) ?? 0, part.confidence));
    }
  return believed.map(([{ table, column }, parts]) => ({
    table,
    column,
    parts: parts.map((part) =>
      partReading(
        { ...part, confidence: mustGet(surest.get(keyOf(table, part)), 'the surest place of a reading') },
        calibration,
        known,
      ),
    ),
  }));
}
