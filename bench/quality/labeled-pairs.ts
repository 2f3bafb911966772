import { join } from 'node:path';
import { z } from 'zod';
import { InputFormatError } from '../../src/errors.js';
import { type AdvetaCandidate, loadAdvetaFile } from '../../src/formats/adveta-release.js';
import { checkRecord, loadText, parseJson } from '../../src/formats/json-file.js';
import { loadSpiderTables } from '../../src/formats/spider-tables.js';
import { createRng, shuffled } from '../../src/seeded-rng.js';
import type { Table } from '../../src/schema/schema.js';
import type { TargetTable } from '../../src/stage.js';

const FIX = 'Take the files from the ADVETA release that ../shared/data/README.md names.';

/** WikiSQL tables that the sample is drawn from: bounds the cost of predicting primary entities. */
const SAMPLED_TABLES = 300;
/** WikiSQL pairs in each bucket. */
const SAMPLED_PAIRS = 1500;

/** A candidate that humans sorted into a bucket, with the table of its target column. */
export interface LabeledPair {
  readonly target: TargetTable;
  /** Position of the target column in `target.table.columns`. */
  readonly column: number;
  readonly candidate: string;
  readonly bucket: 'RPL' | 'ADD';
}

/** The pairs of one benchmark; `sample` says in words which they are. */
export interface LabeledSet {
  readonly id: string;
  readonly sample: string;
  /** What the set does not say and the bench fills in, in words. */
  readonly assumed: string;
  readonly pairs: readonly LabeledPair[];
}

const headersSchema = z.record(
  z.string(),
  z.looseObject({ id: z.string().optional(), table_id: z.string(), header: z.array(z.string()).min(1) }),
);

function loadBuckets(folder: string, prefix: string): readonly AdvetaCandidate[] {
  return (['RPL', 'ADD'] as const).flatMap((bucket) => {
    const file = join(folder, `${prefix}-${bucket.toLowerCase()}-candidates.json`);
    const candidates = loadAdvetaFile(file, bucket);
    if (candidates.length === 0)
      throw new InputFormatError('the file has no candidates', { where: { file }, fix: FIX });
    return candidates;
  });
}

/** -1 when there is none. The WikiSQL ADD file writes the slash of "school/club" as a space, so the second try ignores such marks. */
function findColumn({ columns }: Table, wanted: string): number {
  const exact = columns.findIndex(({ name }) => name === wanted);
  const bare = (name: string): string => name.replace(/[^\p{L}\p{N}]+/gu, '');
  return exact === -1 ? columns.findIndex(({ name }) => bare(name) === bare(wanted)) : exact;
}

/** Pairs each candidate with its table; one `TargetTable` object per table. */
function toPairs(
  candidates: readonly AdvetaCandidate[],
  tableOf: (candidate: AdvetaCandidate) => Table,
): LabeledPair[] {
  const targets = new Map<string, TargetTable>();
  return candidates.map((labeled) => {
    const id = `${labeled.dbId}/${labeled.table}`;
    let target = targets.get(id);
    if (target === undefined) {
      const table = tableOf(labeled);
      target = { dbId: labeled.dbId, table, questions: [], values: table.columns.map(() => []) };
      targets.set(id, target);
    }
    const column = findColumn(target.table, labeled.column.toLowerCase());
    if (column === -1) throw new InputFormatError(`no column "${labeled.column}"`, { where: { id }, fix: FIX });
    return { target, column, candidate: labeled.candidate.toLowerCase(), bucket: labeled.bucket };
  });
}

/**
 * All Spider dev labels; table names and column types from Spider's `tables.json`.
 * @throws InputFormatError when a file is wrong or names a table or column that Spider has not.
 */
export function loadSpiderLabels(dataFolder: string): LabeledSet {
  const databases = loadSpiderTables(join(dataFolder, 'spider', 'tables.json'));
  const tableOf = ({ dbId, table }: AdvetaCandidate): Table => {
    const wanted = table.toLowerCase();
    const found = databases.get(dbId)?.tables.find(({ originalName }) => originalName.toLowerCase() === wanted);
    if (found === undefined)
      throw new InputFormatError('Spider has no such table', { where: { id: `${dbId}/${table}` }, fix: FIX });
    return found;
  };
  const pairs = toPairs(loadBuckets(join(dataFolder, 'adveta'), 'spider'), tableOf);
  return { id: 'Spider', sample: 'all pairs', assumed: 'nothing', pairs };
}

function loadHeaders(file: string): ReadonlyMap<string, readonly string[]> {
  const tables = checkRecord(headersSchema, parseJson(loadText(file), file), { file, id: 'the file' }, FIX);
  return new Map(Object.values(tables).map(({ id, table_id, header }) => [id ?? table_id, header]));
}

/** A seeded sample: tables first, then as many pairs of each bucket among them; sets in sample order. */
export function samplePairs(
  pairs: readonly LabeledPair[],
  seed: number,
  tables: number,
  perBucket: number,
): LabeledPair[] {
  const drawn = shuffled([...new Set(pairs.map(({ target }) => target))], createRng(seed, 'tables')).slice(0, tables);
  const kept = new Set(drawn);
  return (['RPL', 'ADD'] as const).flatMap((bucket) => {
    const open = pairs.filter((pair) => pair.bucket === bucket && kept.has(pair.target));
    return shuffled(open, createRng(seed, bucket)).slice(0, perBucket);
  });
}

/**
 * A seeded sample of the WikiSQL labels. The files give columns only, so tables have no name and every type is text.
 * @throws InputFormatError when a file is wrong.
 */
export function loadWikiSqlLabels(dataFolder: string, seed: number): LabeledSet {
  const folder = join(dataFolder, 'adveta');
  const headers = loadHeaders(join(folder, 'wikisql-even-rpl-candidates.json'));
  const tableOf = ({ dbId }: AdvetaCandidate): Table => {
    const header = headers.get(dbId);
    if (header === undefined) throw new InputFormatError('the table has no header', { where: { id: dbId }, fix: FIX });
    const columns = header.map((name) => ({ name: name.toLowerCase(), originalName: name, type: 'text' as const }));
    return { name: '', originalName: dbId, columns };
  };
  const all = toPairs(loadBuckets(folder, 'wikisql-even'), tableOf);
  const pairs = samplePairs(all, seed, SAMPLED_TABLES, SAMPLED_PAIRS);
  const tables = new Set(pairs.map(({ target }) => target)).size;
  const rpl = pairs.filter(({ bucket }) => bucket === 'RPL').length;
  const sample = `${rpl} RPL and ${pairs.length - rpl} ADD pairs from ${tables} tables, seed ${seed}`;
  return { id: 'WikiSQL even half', sample, assumed: 'tables without name, every type text', pairs };
}
