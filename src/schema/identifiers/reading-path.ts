import type { ColumnType } from '../schema.js';
import { type Feature, type FeatureValue, FeatureVector } from './features.js';
import type { IdentifierPart } from './identifier-parts.js';
import type { Hypothesis } from './part-hypotheses.js';
import { addTo } from '../../vectors.js';

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

/** A piece of an identifier with its reading. */
export interface Edge {
  readonly hypothesis: Hypothesis;
  /** The part, by position. */
  readonly part: number;
  readonly letters: string;
  /** What its table and database say of it. */
  readonly context: readonly FeatureValue[];
  readonly score: number;
}

/** The cheapest ways to read the letters up to a place. */
export interface Path {
  readonly score: number;
  readonly edge: Edge | null;
  readonly before: Path | null;
  readonly word: string;
  readonly transition: readonly FeatureValue[];
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
  for (let at: Path | null = path; at !== null; at = at.before) if (at.edge !== null) edges.unshift(at.edge);
  return edges;
}

/** Features of a whole path, for whoever fits weights. */
export function pathFeatures(path: Path): FeatureVector {
  const sum = new FeatureVector();
  for (let at: Path | null = path; at !== null; at = at.before) {
    for (const [feature, value] of [...at.transition, ...(at.edge?.context ?? [])]) sum.add(feature, value);
    if (at.edge !== null) addTo(sum.values, at.edge.hypothesis.features.values);
  }
  return sum;
}

/** The words of a path, part by part. */
export function pathReading(path: Path, parts: readonly IdentifierPart[]): readonly (readonly string[])[] {
  const edges = edgesOf(path);
  return parts.map(({ kind, text }, at) => [
    ...(kind === 'digits' ? [text] : []),
    ...edges.flatMap(({ part, hypothesis }) => (part === at ? hypothesis.words : [])),
  ]);
}

const BASES: readonly (readonly [Feature, ReadingBasis])[] = [
  ['inKeyTable', 'table'],
  ['inTableName', 'table'],
  ['inTable', 'table'],
  ['inDatabase', 'database'],
  ['inText', 'texts'],
  ['listed', 'list'],
];

function basisOf({ hypothesis, context }: Edge): ReadingBasis {
  if (hypothesis.isKept) return 'letters';
  if (!hypothesis.isExpanded) return 'word';
  const found = BASES.find(
    ([feature]) => context.some(([one, value]) => one === feature && value > 0) || hypothesis.features.get(feature) > 0,
  );
  return found?.[1] ?? 'vocabulary';
}

/** What speaks for each part of a path, of a part of several pieces for the first that is no word. */
export function pathBases(path: Path, parts: number): readonly ReadingBasis[] {
  const bases: ReadingBasis[] = Array.from({ length: parts }, () => 'word');
  for (const edge of edgesOf(path)) if (bases[edge.part] === 'word') bases[edge.part] = basisOf(edge);
  return bases;
}
