import { columnNameKey } from '../schema/name-identity.js';
import type { JudgedColumn } from './bucket-judge.js';

/** Cosine of two names' word vectors, null where either has none. */
export type NameSimilarity = (a: string, b: string) => number | null;

/** The other columns of a table in the order in which a candidate is compared with them. */
export interface ComparedColumns {
  /**
   * Those with words like the candidate's, which an addition may repeat; all where its words are not known. The column
   * most likely to settle the decision first: nothing is scored past that point.
   */
  readonly others: readonly JudgedColumn[];
  /**
   * Those whose words are as near to the candidate as the target's. Only such a column can be meant instead: a small
   * judge may take "concert identifier" for any other id of the table, and its word alone would reject it.
   */
  readonly rivals: readonly JudgedColumn[];
}

/**
 * Least cosine of an addition's words with those of a column that it may repeat. A small judge takes a name now and
 * then for what an opaque column says ("head coach" for "hr"), which leaves wide tables without additions.
 */
const LEAST_LIKENESS = 0.5;

/** A table with more columns is wide: there nearly every name has some column of like words. */
export const WIDE_TABLE = 40;
/**
 * Columns of a wide table that a candidate is compared with, the nearest: those of like words grow with the table, and so do
 * the judge's mistakes about them. In 300 ordinary columns it refused three of ten additions only because of a farther
 * column ("camera position" for "moving from"); of 23,134 decisions on BIRD's wide tables 38 change.
 */
const NEAREST_IN_WIDE = 16;

/** Which columns a candidate is compared with, for run manifests. */
export const COMPARED_COLUMNS = `like words ${LEAST_LIKENESS}, nearer than the target, same number, nearest ${NEAREST_IN_WIDE} of more than ${WIDE_TABLE}`;

const KEY = / (?:id|identifier|code)$/;
/** The most words of an entity's name; longer names are rarely entities: "card kingdom foil id". */
const MOST_ENTITY_WORDS = 2;

/**
 * The columns of a table that refer to another entity, read as that entity: who knows the "stadium id" knows the venue.
 * A table's own key refers to the row, which any addition may describe.
 */
export function keysAsEntities(columns: readonly JudgedColumn[], tableName: string): readonly JudgedColumn[] {
  const own = columnNameKey(tableName);
  return columns.flatMap(({ name }): readonly JudgedColumn[] => {
    const entity = name.replace(KEY, '');
    const isEntity = entity !== name && entity.split(' ').length <= MOST_ENTITY_WORDS && columnNameKey(entity) !== own;
    return !isEntity ? [] : [{ name, readAs: entity, type: 'text' }];
  });
}

const numbersOf = (name: string): string => (name.match(/\d+/g) ?? []).join(' ');

/** Checks whether both names have numbers, and others: "home athlete 1" can't be meant for "home player 2". */
export function areNumberedApart(a: string, b: string): boolean {
  const [ofA, ofB] = [numbersOf(a), numbersOf(b)];
  return ofA !== '' && ofB !== '' && ofA !== ofB;
}

/** Orders the comparisons of one candidate with the other columns of its table by the likeness of names. */
export function compareColumns(
  candidate: string,
  target: string,
  columns: readonly JudgedColumn[],
  similarity: NameSimilarity,
): ComparedColumns {
  const likeness = (name: string): number => similarity(candidate, name) ?? -1;
  const ranked = columns.map((column) => ({ column, likeness: likeness(column.readAs ?? column.name) }));
  ranked.sort((a, b) => b.likeness - a.likeness);
  const nearest = likeness(target);
  const least = similarity(candidate, candidate) === null ? -1 : LEAST_LIKENESS;
  const isWide = columns.filter(({ readAs }) => readAs === undefined).length >= WIDE_TABLE;
  const most = isWide ? NEAREST_IN_WIDE : columns.length;
  const nearestOf = (compared: typeof ranked): readonly JudgedColumn[] =>
    compared.slice(0, most).map(({ column }) => column);
  return {
    others: nearestOf(ranked.filter(({ likeness }) => likeness >= least)),
    rivals: nearestOf(
      ranked.filter(({ column: { name, readAs }, likeness }) => {
        return readAs === undefined && likeness >= nearest && !areNumberedApart(candidate, name);
      }),
    ),
  };
}
