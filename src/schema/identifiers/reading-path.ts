import type { ColumnType } from '../schema.js';
import type { Feature, FeatureValue } from './features.js';
import type { IdentifierPart } from './identifier-parts.js';
import type { Hypothesis } from './part-hypotheses.js';

/** What speaks for the reading of a part, the strongest there is. */
export type ReadingBasis =
  /** It is a word, or a number. */
  | 'word'
  /** Its table's name, or another column of the table, has the word in full. */
  | 'table'
  /** Another identifier of the database has it. */
  | 'database'
  /** A question or description has it. */
  | 'texts'
  /** The list of abbreviations. */
  | 'list'
  /** The letters abbreviate a word that names of columns have. */
  | 'vocabulary'
  /** Nothing: the letters stand as they are. */
  | 'letters';

/** What the other identifiers of a database say of a reading. */
export interface OthersSay {
  /** Share of the reading among those of the same letters in the table; null where they stand in no other identifier. */
  readonly agree: number | null;
  /** The same, in the database. */
  readonly agreeDatabase: number | null;
  /** Nats by which the database abbreviates so more than others. */
  readonly habit: number;
  /** How often other letters of the table are read as the word, as the logarithm of that and one. */
  readonly elsewhere: number;
  /** Cosine of the word's topic with that of what the table's identifiers say, and of those next to it. */
  readonly topicRead: number;
  readonly topicNear: number;
}

/** A piece of an identifier with its reading. */
export interface Edge {
  readonly hypothesis: Hypothesis;
  /** The part, by position. */
  readonly part: number;
  readonly letters: string;
  /** What its table and database say of it. */
  readonly context: readonly FeatureValue[];
  /** Whether the name of the table whose rows a key tells apart has the words. */
  readonly isOfKeyTable: boolean;
  /** What the other identifiers of the database say of it; null before they were read. */
  readonly others: OthersSay | null;
  readonly score: number;
}

/** The cheapest ways to read the letters up to a place. */
export interface Path {
  readonly score: number;
  /** null at the beginning, at the end, and for digits. */
  readonly edge: Edge | null;
  readonly before: Path | null;
  /** The id of the last word; none behind digits and letters that stay. */
  readonly word: number;
  /** Whether the edge goes on within a part. */
  readonly isInner: boolean;
}

export interface Unit {
  readonly table: number;
  /** null for the table itself. */
  readonly column: number | null;
  readonly identifier: string;
  readonly parts: readonly IdentifierPart[];
  readonly type: ColumnType | null;
}

export interface Beliefs {
  readonly paths: readonly Path[];
  /** Posterior of each path. */
  readonly masses: readonly number[];
}

export function edgesOf(path: Path): readonly Edge[] {
  const edges: Edge[] = [];
  for (let at: Path | null = path; at !== null; at = at.before) if (at.edge !== null) edges.push(at.edge);
  return edges.reverse();
}

const BASES: readonly (readonly [Feature, ReadingBasis])[] = [
  ['inTableName', 'table'],
  ['inTable', 'table'],
  ['inDatabase', 'database'],
  ['inText', 'texts'],
  ['listed', 'list'],
];

function basisOf({ hypothesis, context, isOfKeyTable }: Edge): ReadingBasis {
  if (hypothesis.isKept) return 'letters';
  if (!hypothesis.isExpanded) return 'word';
  if (isOfKeyTable) return 'table';
  const found = BASES.find(
    ([feature]) => context.some(([one, value]) => one === feature && value > 0) || hypothesis.features.get(feature) > 0,
  );
  return found?.[1] ?? 'vocabulary';
}

/** A path's way to read one part. */
interface PathPart {
  readonly words: readonly string[];
  /** The letters that it reads together. */
  readonly pieces: readonly string[];
  /** What speaks for it, of several pieces for the first that is no word. */
  readonly basis: ReadingBasis;
}

/** How a path reads the part at a position. */
export function pathPart(path: Path, { kind, text }: IdentifierPart, at: number): PathPart {
  if (kind === 'digits') return { words: [text], pieces: [text], basis: 'word' };
  const edges = edgesOf(path).filter(({ part }) => part === at);
  return {
    words: edges.flatMap(({ hypothesis }) => hypothesis.words),
    pieces: edges.map(({ letters }) => letters),
    basis: edges.map(basisOf).find((basis) => basis !== 'word') ?? 'word',
  };
}

const WIDTH = 12;
/** Several paths that end in one word differ only in what came before. */
const PER_WORD = 8;
/** A path that is so much worse than the best, in nats, doesn't catch up. */
const MARGIN = 11;

/** The best ways to read the letters up to a place; what is worse than all of them costs nothing. */
export class Beam {
  readonly #paths: Path[] = [];
  #least = -Infinity;
  #best = -Infinity;

  /** Whether a path of a score is not much worse than the best. */
  isNear(score: number): boolean {
    return score > this.#best - MARGIN;
  }

  /** Offers a path with one more edge; `word`: the last one then. */
  offer(score: number, word: number, before: Path, edge: Edge, isInner: boolean): void {
    if (score <= this.#least || !this.isNear(score)) return;
    const path = { score, word, before, edge, isInner };
    const ofWord = this.#paths.filter((one) => one.word === word);
    if (ofWord.length < PER_WORD && this.#paths.length < WIDTH) this.#paths.push(path);
    else {
      const rivals = ofWord.length < PER_WORD ? this.#paths : ofWord;
      const worst = rivals.reduce((least, one) => (one.score < least.score ? one : least));
      if (score <= worst.score) return;
      this.#paths[this.#paths.indexOf(worst)] = path;
    }
    this.#best = Math.max(this.#best, score);
    if (this.#paths.length >= WIDTH) this.#least = Math.min(...this.#paths.map((one) => one.score));
  }

  /** Kept paths, the best first. */
  paths(): readonly Path[] {
    return this.#paths.filter(({ score }) => this.isNear(score)).sort((a, b) => b.score - a.score);
  }
}
