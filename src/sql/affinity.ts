/** SQLite's column affinities, https://sqlite.org/datatype3.html §3.1; BLOB is that of a column without a type. */
export type Affinity = 'INTEGER' | 'TEXT' | 'BLOB' | 'REAL' | 'NUMERIC';

const RULES: readonly (readonly [pattern: RegExp, affinity: Affinity])[] = [
  [/INT/i, 'INTEGER'],
  [/CHAR|CLOB|TEXT/i, 'TEXT'],
  [/BLOB|^$/i, 'BLOB'],
  [/REAL|FLOA|DOUB/i, 'REAL'],
];

/** The affinity of a declared type, by SQLite's rules in their order. */
export function affinityOf(declaredType: string): Affinity {
  return RULES.find(([pattern]) => pattern.test(declaredType))?.[1] ?? 'NUMERIC';
}
