import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { CorpusFilter, MAX_COLUMNS } from '../../src/retriever/corpus-filter.js';
import { openCorpus } from '../../src/retriever/open-corpus.js';
import type { CorpusTable, TargetTable } from '../../src/stage.js';

/** No table of the corpora is wider. */
const WIDEST = 1000;
const QUESTIONS = 'wikitablequestions.jsonl.gz';

/** The tables that synthetic ones are drawn from, and others to look for. */
export interface BaseTables {
  /** Where they come from, for the report. */
  readonly source: string;
  readonly tables: readonly CorpusTable[];
  readonly targets: readonly TargetTable[];
}

/** A table of the width that an index keeps: the first five columns of a wider one. */
function narrow(table: CorpusTable): CorpusTable {
  const { columns, types, rows } = table;
  return {
    ...table,
    columns: columns.slice(0, MAX_COLUMNS),
    types: types.slice(0, MAX_COLUMNS),
    rows: rows.map((row) => row.slice(0, MAX_COLUMNS)),
  };
}

function toTarget(table: CorpusTable, questions: readonly string[]): TargetTable {
  const columns = table.columns.map((name, column) => ({
    name,
    originalName: name,
    type: table.types[column] ?? ('text' as const),
  }));
  const values = columns.map((_, column) => table.rows.map((row) => row[column] ?? ''));
  return { dbId: '', table: { name: table.title, originalName: table.title, columns }, questions, values };
}

/** Questions by table id, of the one shared set that has them. */
function readQuestions(file: string): ReadonlyMap<string, readonly string[]> {
  if (!existsSync(file)) return new Map();
  const lines = gunzipSync(readFileSync(file)).toString('utf8').trimEnd().split('\n');
  const records = lines.map((line) => JSON.parse(line) as { readonly id: string; readonly questions?: string[] });
  return new Map(records.map(({ id, questions }) => [id, questions ?? []]));
}

/** `count` of some items, spread over all of them. */
export function spread<T>(items: readonly T[], count: number): readonly T[] {
  if (count >= items.length) return items;
  return Array.from({ length: count }, (_, i) => items[Math.floor((i * items.length) / count)]!);
}

/**
 * Reads `tables` base tables and `targets` others: from the shared tables under `data`, else from the starter corpus.
 * Targets are tables with questions where the corpus has such.
 */
export async function readBaseTables(
  root: string,
  data: string,
  counts: { readonly tables: number; readonly targets: number },
): Promise<BaseTables> {
  const shared = join(data, 'tables');
  const path = existsSync(shared) ? shared : join(root, 'data', 'wdc-index', 'corpus');
  const filter = new CorpusFilter({ maxColumns: WIDEST });
  const all: CorpusTable[] = [];
  for await (const entry of (await openCorpus(path)).read(new AbortController().signal)) {
    const table = filter.keep(entry);
    if (table !== null) all.push(narrow(table));
  }
  const questions = readQuestions(join(path, QUESTIONS));
  const asked = all.filter(({ id }) => (questions.get(id) ?? []).length > 0);
  const chosen = spread(asked.length > 0 ? asked : all, Math.min(counts.targets, Math.floor(all.length / 4)));
  const held = new Set(chosen);
  const rest = all.filter((table) => !held.has(table));
  return {
    source: `${basename(path)} of ${path === shared ? 'the shared data' : 'the starter index'} (${all.length} tables)`,
    tables: spread(rest, counts.tables),
    targets: chosen.map((table) => toTarget(table, questions.get(table.id) ?? [])),
  };
}
