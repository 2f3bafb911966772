import { columnNameKey, spacedName, wordsOf } from '../../schema/name-identity.js';
import type { Column, ColumnType, Table } from '../../schema/schema.js';
import type { CandidateSourceKind } from '../../stage.js';

/** What lists of columns in tables tell of a name for a column: cosines are of tables, -1 where nothing is listed. */
export interface NameWitness {
  /** The most similar tables that have a column of that name, list it as a replacement, and as an addition. */
  readonly nearestName: number;
  readonly nearestReplacement: number;
  readonly nearestAddition: number;
  /** Logarithms of counts: places of the name, and those in similar tables. */
  readonly count: number;
  readonly nearCount: number;
  /** The most similar tables where it replaces the column, is added next to it, stands in another column, or is added to one. */
  readonly replaces: number;
  readonly added: number;
  readonly beside: number;
  readonly addedBeside: number;
  readonly replacesCount: number;
  readonly addedCount: number;
  /** Places of the column itself, and the most similar table that has it. */
  readonly ownCount: number;
  readonly nearestOwn: number;
}

const WITNESS: readonly (keyof NameWitness)[] = [
  'nearestName',
  'nearestReplacement',
  'nearestAddition',
  'count',
  'nearCount',
  'replaces',
  'added',
  'beside',
  'addedBeside',
  'replacesCount',
  'addedCount',
  'ownCount',
  'nearestOwn',
];

/** Words that say what kind of column a name is, each a feature of the name and of the column. */
const KIND_WORDS = [
  ...['name', 'number', 'code', 'id', 'identifier', 'type', 'date', 'time', 'year'],
  ...['value', 'level', 'count', 'total', 'status', 'key', 'title', 'flag', 'is'],
] as const;
const TYPES: readonly ColumnType[] = ['text', 'number', 'time', 'boolean'];
const SOURCES: readonly CandidateSourceKind[] = ['bank', 'dictionary', 'retrieval', 'attributes'];

const WORD_FEATURES = [
  ...['words', 'columnWords', 'shared', 'new', 'lost', 'sameHead', 'sameFirst', 'sameWords', 'ofTable', 'ofColumns'],
  ...['strange', 'rarity', 'columnRarity', 'hasOf', 'length', 'columnLength', 'headElsewhere'],
] as const;

/** The features in the order that the trees know them by. */
export const NAME_FEATURES: readonly string[] = [
  'columns',
  'similarity',
  'similarityElsewhere',
  'nearestTable',
  ...WITNESS,
  ...WORD_FEATURES,
  ...KIND_WORDS.flatMap((word) => [`name:${word}`, `column:${word}`]),
  ...TYPES.map((type) => `type:${type}`),
  ...SOURCES.map((source) => `source:${source}`),
];

/** What the features of names for one column are made from. */
export interface ColumnContext {
  readonly table: Table;
  readonly column: Column;
  /** Cosine of the most similar table of the bank. */
  readonly nearestTable: number;
  readonly witness: (candidate: string) => NameWitness;
  /** Cosine of two names' word vectors, null where either has none. */
  readonly similarity: (a: string, b: string) => number | null;
  /** Place of a word among those of the language, the most frequent first; null for an unknown one. */
  readonly rank: (word: string) => number | null;
}

/** Stands for the similarity of names without word vectors. */
const NO_SIMILARITY = -0.3;
/** Stands for the rank of an unknown word. */
const UNKNOWN_RANK = 60_000;

const flag = (value: boolean): number => (value ? 1 : 0);

/** Makes the features of names for one column, `[NAME_FEATURES.length]` each. */
export function nameFeatures(context: ColumnContext): (candidate: string, source: CandidateSourceKind) => Float64Array {
  const { table, column, witness, similarity } = context;
  const name = spacedName(column.name);
  const others = table.columns
    .map((one) => spacedName(one.name))
    .filter((one) => columnNameKey(one) !== columnNameKey(name));
  const rarity = (words: readonly string[]): number =>
    words.length === 0 ? 0 : Math.log1p(Math.max(...words.map((word) => context.rank(word) ?? UNKNOWN_RANK)));
  const own = wordsOf(name);
  const known = new Set(own);
  const ofTable = new Set(wordsOf(columnNameKey(table.name)));
  const ofColumns = new Set(others.flatMap((other) => wordsOf(other)));
  const heads = new Set(others.map((other) => wordsOf(other).at(-1)));
  return (candidate, source) => {
    const spaced = spacedName(candidate);
    const words = wordsOf(spaced);
    const had = new Set(words);
    const added = words.filter((word) => !known.has(word));
    const told = witness(spaced);
    const elsewhere = others.map((other) => similarity(other, spaced) ?? NO_SIMILARITY);
    return Float64Array.from([
      table.columns.length,
      similarity(name, spaced) ?? NO_SIMILARITY,
      elsewhere.reduce((most, one) => Math.max(most, one), NO_SIMILARITY),
      context.nearestTable,
      ...WITNESS.map((key) => told[key]),
      words.length,
      own.length,
      words.length - added.length,
      added.length,
      own.filter((word) => !had.has(word)).length,
      flag(own.at(-1) === words.at(-1)),
      flag(own[0] === words[0]),
      flag(had.size === known.size && added.length === 0),
      added.filter((word) => ofTable.has(word)).length,
      added.filter((word) => ofColumns.has(word)).length,
      added.filter((word) => !ofTable.has(word) && !ofColumns.has(word)).length,
      rarity(added),
      rarity(own),
      flag(had.has('of')),
      spaced.length,
      name.length,
      flag(heads.has(words.at(-1))),
      ...KIND_WORDS.flatMap((word) => [flag(had.has(word)), flag(known.has(word))]),
      ...TYPES.map((type) => flag(column.type === type)),
      ...SOURCES.map((one) => flag(source === one)),
    ]);
  };
}
