import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileWriter, parquetWriteRows } from 'hyparquet-writer';
import { keepsGold } from '../formats/output-set.js';
import type { SplitName } from '../formats/exports/export-names.js';
import { commitFile } from '../run/durable-file.js';
import { makeFolder } from '../run/output-place.js';
import { VERSION } from '../version.js';
import type { PublishableRun, PublishedRow } from './run-rows.js';

/** Fields of a row in their order, and what they mean. */
export const ROW_FIELDS: Readonly<Record<keyof PublishedRow, string>> = {
  id: 'distinct in the data set',
  source_id: 'the example that it is or was made from',
  kind: '`original`, or what was done to it',
  db_id: 'its database',
  original_db_id: 'the database that this one was made from',
  question: 'the question',
  original_question: 'the question that it was made from',
  query: 'gold SQL on this schema; null where there is none',
  original_query: 'gold SQL of the original on its own schema',
  schema: 'the tables as CREATE TABLE statements',
  provenance: 'how it was made, as a JSON object',
};

const NULLABLE: ReadonlySet<string> = new Set<keyof PublishedRow>(['query', 'original_query']);

const COLUMNS = Object.keys(ROW_FIELDS).map((name) => ({
  name,
  type: 'STRING' as const,
  nullable: NULLABLE.has(name),
}));

/** Rows per row group: so many are in memory at a time. */
const ROWS_PER_GROUP = 10_000;

/** A Parquet file of one split of one configuration. */
export interface DataFile {
  readonly config: string;
  readonly split: SplitName;
  /** Relative to the folder: "data/rpl/validation.parquet". */
  readonly path: string;
  readonly rows: number;
  readonly databases: number;
  readonly sources: number;
  /** Rows with renamed columns whose gold SQL is the original's: it names none of them. */
  readonly goldUnchanged: number;
}

/** Rows as they pass, counted. */
class CountedRows {
  rows = 0;
  goldUnchanged = 0;
  readonly databases = new Set<string>();
  readonly sources = new Set<string>();

  *of(run: PublishableRun, config: string, split: SplitName): Generator<Record<string, unknown>> {
    for (const placed of run.rows()) {
      if (placed.config !== config || placed.split !== split) continue;
      const { kind, query, original_query: originalQuery } = placed.row;
      this.rows++;
      if (keepsGold(kind, query, originalQuery)) this.goldUnchanged++;
      this.databases.add(placed.row.db_id);
      this.sources.add(placed.row.source_id);
      yield { ...placed.row };
    }
  }
}

/** Writes a split, whole or not at all; null where it has no rows, and there is no file then. */
function writeSplit(run: PublishableRun, folder: string, config: string, split: SplitName): DataFile | null {
  const path = `data/${config}/${split}.parquet`;
  const file = join(folder, path);
  const temporary = `${file}.tmp`;
  const counted = new CountedRows();
  makeFolder(dirname(file));
  try {
    // Written without a promise: neither the rows nor the file are asynchronous.
    void parquetWriteRows({
      writer: fileWriter(temporary),
      rows: counted.of(run, config, split),
      columns: COLUMNS,
      rowGroupSize: ROWS_PER_GROUP,
      createdBy: `perturbql ${VERSION}`,
    });
    if (counted.rows > 0) commitFile(temporary, file);
  } finally {
    rmSync(temporary, { force: true });
  }
  const { rows, databases, sources, goldUnchanged } = counted;
  if (rows === 0) return null;
  return { config, split, path, rows, databases: databases.size, sources: sources.size, goldUnchanged };
}

/** Writes `data/<configuration>/<split>.parquet` for all that a run has rows of; memory does not grow with their number. */
export function writeDataFiles(
  run: PublishableRun,
  folder: string,
  progress: (done: number, total: number) => void,
): readonly DataFile[] {
  const all = Object.keys(run.configs).flatMap((config) => run.splits.map((split) => [config, split] as const));
  return all.flatMap(([config, split], i) => {
    const written = writeSplit(run, folder, config, split);
    progress(i + 1, all.length);
    return written ?? [];
  });
}
