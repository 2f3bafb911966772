import { join } from 'node:path';
import { existsSync } from 'node:fs';
import { type CandidateDecision, loadCandidates } from '../../src/formats/artifacts/candidates.js';
import type { Database } from '../../src/schema/schema.js';
import { groupBy } from '../../src/run/group-by.js';
import { createRng, shuffled } from '../../src/seeded-rng.js';

/** Names of one source, as readers are not to know it. */
export interface NameSource {
  readonly id: string;
  readonly decisions: readonly CandidateDecision[];
}

/** A name to be read: for which column of which table, in which bucket, and who proposed it. */
export interface ReadingItem {
  readonly id: number;
  readonly db_id: string;
  readonly table: string;
  readonly column: string;
  readonly bucket: 'RPL' | 'ADD';
  readonly name: string;
  /** Sources that have it among those drawn. */
  readonly sources: readonly string[];
}

/** A column of the reading, and how many names each source has for it in all. */
interface ReadingColumn {
  readonly db_id: string;
  readonly table: string;
  readonly column: string;
  readonly names: Readonly<Record<string, { readonly RPL: number; readonly ADD: number }>>;
}

export interface DrawnReading {
  readonly items: readonly ReadingItem[];
  readonly columns: readonly ReadingColumn[];
}

/** The accepted names of a run folder, or of a candidates.jsonl. */
export function loadSource(id: string, path: string): NameSource {
  const file = join(path, 'candidates.jsonl');
  const decisions = loadCandidates(existsSync(file) ? file : path);
  return { id, decisions: decisions.filter(({ bucket }) => bucket !== 'rejected') };
}

const keyOf = (dbId: string, table: string, column: string): string => [dbId, table, column].join('\n');

export interface DrawOptions {
  readonly columns: number;
  /** Names read per source, column and bucket. */
  readonly names: number;
  readonly seed: number;
}

/**
 * Draws columns as evenly over the databases as they go, and names of each source for them, shuffled within a column.
 * A name that several sources have is read once.
 */
export function drawReading(
  databases: readonly Database[],
  sources: readonly NameSource[],
  { columns: count, names, seed }: DrawOptions,
): DrawnReading {
  const bySource = sources.map(({ id, decisions }) => ({
    id,
    byColumn: groupBy(decisions, (one) => keyOf(one.db_id, one.table, one.column)),
  }));
  const drawn = evenly(databases, count, seed);
  const items: Omit<ReadingItem, 'id'>[] = [];
  const columns = drawn.map(({ dbId, table, column }): ReadingColumn => {
    const key = keyOf(dbId, table, column);
    const found = new Map<string, Omit<ReadingItem, 'id'>>();
    const counts = bySource.map(({ id, byColumn }) => {
      const own = byColumn.get(key) ?? [];
      const ofBucket = (bucket: 'RPL' | 'ADD'): readonly CandidateDecision[] =>
        own.filter((one) => one.bucket === bucket);
      for (const bucket of ['RPL', 'ADD'] as const)
        for (const { candidate } of shuffled(ofBucket(bucket), createRng(seed, `${key}:${id}:${bucket}`)).slice(
          0,
          names,
        )) {
          const known = found.get(`${bucket} ${candidate}`);
          const item = { db_id: dbId, table, column, bucket, name: candidate };
          found.set(`${bucket} ${candidate}`, { ...item, sources: [...(known?.sources ?? []), id] });
        }
      return [id, { RPL: ofBucket('RPL').length, ADD: ofBucket('ADD').length }] as const;
    });
    items.push(...shuffled([...found.values()], createRng(seed, `${key}:order`)));
    return { db_id: dbId, table, column, names: Object.fromEntries(counts) };
  });
  return { items: items.map((item, at) => ({ id: at + 1, ...item })), columns };
}

interface ColumnPlace {
  readonly dbId: string;
  readonly table: string;
  readonly column: string;
}

/** Columns in turn of each database, those of one database in random order; at last table by table. */
function evenly(databases: readonly Database[], count: number, seed: number): readonly ColumnPlace[] {
  const queues = databases.map(({ id: dbId, tables }) => {
    const places = tables.flatMap(({ name, columns }) =>
      columns.map((column): ColumnPlace => ({ dbId, table: name, column: column.name })),
    );
    return shuffled(places, createRng(seed, dbId));
  });
  const longest = Math.max(0, ...queues.map(({ length }) => length));
  const turns = Array.from({ length: longest }, (_, turn) => queues.flatMap((queue) => queue.slice(turn, turn + 1)));
  const drawn = turns.flat().slice(0, count);
  return drawn.sort((a, b) => {
    const [left, right] = [keyOf(a.dbId, a.table, ''), keyOf(b.dbId, b.table, '')];
    return left < right ? -1 : left > right ? 1 : 0;
  });
}

/** What a reader is given: each table with its columns, then the names to read, a line each. */
export function renderList({ items }: DrawnReading, databases: readonly Database[]): string {
  const columnsOf = new Map(
    databases.flatMap(({ id, tables }) =>
      tables.map(({ name, columns }) => [keyOf(id, name, ''), columns.map((column) => column.name)] as const),
    ),
  );
  let last = '';
  return items
    .map(({ id, db_id: dbId, table, column, bucket, name }) => {
      const key = keyOf(dbId, table, '');
      const head = `## database ${dbId.replaceAll('_', ' ')} / table ${table}\ncolumns: ${(columnsOf.get(key) ?? []).join(', ')}\n`;
      const isNew = key !== last;
      last = key;
      return `${isNew ? head : ''}${id}\t${bucket}\t${column}\t${name}\n`;
    })
    .join('');
}
