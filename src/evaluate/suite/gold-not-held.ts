import type { Database } from '../../schema/schema.js';
import { executableSql } from '../../sql/execution/executable-sql.js';
import { openSuite } from '../../testsuite/suite/open-suite.js';
import type { GoldQuery } from '../inputs/gold-queries.js';

/** Most gold queries named in a note. */
const NAMED = 5;

/** Gold queries that can't be judged on a suite, by their ids, with the virtual table that each reads. */
export function goldNotHeld(
  folder: string,
  gold: readonly GoldQuery[],
  schemas: ReadonlyMap<string, Database>,
): ReadonlyMap<string, string> {
  const suite = openSuite(folder);
  const tablesOf = new Map<string, ReadonlyMap<string, string>>();
  return new Map(
    gold.flatMap(({ id, dbId, sql }) => {
      let tables = tablesOf.get(dbId);
      if (tables === undefined) {
        const unread = suite.schema(dbId)?.unread ?? [];
        const entries = unread.flatMap(({ sql: text, virtualTable }) =>
          virtualTable === undefined ? [] : [[text.trim(), virtualTable] as const],
        );
        tablesOf.set(dbId, (tables = new Map(entries)));
      }
      const database = schemas.get(dbId);
      if (tables.size === 0 || database === undefined) return [];
      const table = tables.get(executableSql(sql, database).trim());
      return table === undefined ? [] : [[id, table] as const];
    }),
  );
}

/** Describes gold queries that a suite can't judge; nothing where it can judge all. */
export function describeNotHeld(notHeld: ReadonlyMap<string, string>): readonly string[] {
  if (notHeld.size === 0) return [];
  const named = [...notHeld].slice(0, NAMED).map(([id, table]) => `${id} reads ${table}`);
  const more = notHeld.size > NAMED ? `, and ${notHeld.size - NAMED} more` : '';
  const what = notHeld.size === 1 ? '1 gold query is' : `${notHeld.size} gold queries are`;
  return [`${what} left out by every metric: suites hold no virtual tables (${named.join(', ')}${more})`];
}
