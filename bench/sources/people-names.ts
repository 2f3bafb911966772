import { join } from 'node:path';
import { loadAdvetaFile } from '../../src/formats/adveta-release.js';
import type { CandidateDecision } from '../../src/formats/artifacts/candidates.js';
import { columnNameKey } from '../../src/schema/name-identity.js';

/** What people named for the columns of Spider dev (ADVETA); they score the sources and choose nothing. */
export interface PeopleNames {
  readonly rpl: ReadonlyMap<string, ReadonlySet<string>>;
  readonly add: ReadonlyMap<string, ReadonlySet<string>>;
}

const keyOf = (dbId: string, table: string, column: string): string =>
  [dbId, table, column].map((part) => part.toLowerCase()).join('/');

function loadBucket(folder: string, bucket: 'RPL' | 'ADD'): PeopleNames['rpl'] {
  const names = new Map<string, Set<string>>();
  for (const one of loadAdvetaFile(join(folder, `spider-${bucket.toLowerCase()}-candidates.json`), bucket)) {
    const key = keyOf(one.dbId, one.table, one.column);
    names.set(key, (names.get(key) ?? new Set()).add(columnNameKey(one.candidate)));
  }
  return names;
}

/** @throws InputFormatError where the release is not there */
export function loadPeopleNames(folder: string): PeopleNames {
  return { rpl: loadBucket(folder, 'RPL'), add: loadBucket(folder, 'ADD') };
}

/** How accepted names compare with people's for the same columns. */
export interface Agreement {
  /** Accepted names for columns that people named something for, of the same bucket. */
  readonly comparable: number;
  /** Those of them that people gave, too. */
  readonly agreed: number;
  /** Accepted names that people gave for the other bucket. */
  readonly contradicted: number;
  /** Names that people gave for these columns. */
  readonly named: number;
}

/** Of one bucket; `columns` are those that were decided: database, original table, natural column. */
export function compareWithPeople(
  decisions: readonly CandidateDecision[],
  bucket: 'RPL' | 'ADD',
  columns: readonly (readonly [string, string, string])[],
  people: PeopleNames,
): Agreement {
  const [same, other] = bucket === 'RPL' ? [people.rpl, people.add] : [people.add, people.rpl];
  const accepted = decisions.filter((one) => one.bucket === bucket);
  const namesFor = (names: PeopleNames['rpl'], one: CandidateDecision): ReadonlySet<string> | undefined =>
    names.get(keyOf(one.db_id, one.table_original ?? one.table, one.column));
  const isIn = (names: PeopleNames['rpl'], one: CandidateDecision): boolean =>
    namesFor(names, one)?.has(columnNameKey(one.candidate)) === true;
  return {
    comparable: accepted.filter((one) => namesFor(same, one) !== undefined).length,
    agreed: accepted.filter((one) => isIn(same, one)).length,
    contradicted: accepted.filter((one) => isIn(other, one)).length,
    named: columns.reduce((sum, column) => sum + (same.get(keyOf(...column))?.size ?? 0), 0),
  };
}
