import type { JudgedColumn } from './bucket-judge.js';

/** Cosine of two names' word vectors, null where either has none. */
export type NameSimilarity = (a: string, b: string) => number | null;

/** The other columns of a table in the order in which a candidate is compared with them. */
export interface ComparedColumns {
  /** The column most likely to settle the decision first: nothing is scored past that point. */
  readonly others: readonly JudgedColumn[];
  /**
   * Those whose words are as near to the candidate as the target's. Only such a column can be meant instead: a small
   * judge may take "concert identifier" for any other id of the table, and its word alone would reject it.
   */
  readonly rivals: readonly JudgedColumn[];
}

/** Orders the comparisons of one candidate with the other columns of its table by the likeness of names. */
export function compareColumns(
  candidate: string,
  target: string,
  columns: readonly JudgedColumn[],
  similarity: NameSimilarity,
): ComparedColumns {
  const likeness = (name: string): number => similarity(candidate, name) ?? -1;
  const ranked = columns.map((column) => ({ column, likeness: likeness(column.name) }));
  ranked.sort((a, b) => b.likeness - a.likeness);
  const nearest = likeness(target);
  return {
    others: ranked.map(({ column }) => column),
    rivals: ranked.filter((each) => each.likeness >= nearest).map(({ column }) => column),
  };
}
