import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import type { QueryOutcome, QueryRows } from '../../../src/sql/execution/query-outcome.js';

export const { signal: NEVER } = new AbortController();

/** A new folder with `town.sqlite`, made by a script. */
export function createDatabase(script: string): { readonly folder: string; readonly file: string } {
  const folder = mkdtempSync(join(tmpdir(), 'perturbql-query-'));
  const file = join(folder, 'town.sqlite');
  const sqlite = new Sqlite(file);
  sqlite.exec(script);
  sqlite.close();
  return { folder, file };
}

/** Names and hashes of a folder's files. */
export function hashFolder(folder: string): readonly string[] {
  return readdirSync(folder)
    .sort()
    .map(
      (name) =>
        `${name} ${createHash('sha256')
          .update(readFileSync(join(folder, name)))
          .digest('hex')}`,
    );
}

export function rowsOf(outcome: QueryOutcome): QueryRows['rows'] {
  if (outcome.kind !== 'rows') throw new Error(`no rows: ${JSON.stringify(outcome)}`);
  return outcome.rows;
}

export function resultOf(...rows: QueryRows['rows']): QueryRows {
  return { kind: 'rows', columns: (rows[0] ?? []).map((_, i) => `c${i}`), rows };
}

/** Counts without end. */
export const RUNAWAY = 'WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r) SELECT count(*) FROM r';
