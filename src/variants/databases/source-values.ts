import { join } from 'node:path';
import { checkIndexFile, INDEX_FILES, readIndexManifest } from '../../retriever/index-manifest.js';
import { openBytes, readLines } from '../../retriever/text-stream.js';
import type { CandidateOrigin, CorpusTable } from '../../stage.js';

/** Sample values of the retrieved columns that candidates were taken from. */
export interface SourceValues {
  /** Up to three values, of no kind but text; empty where the origin is null or unknown. */
  of(origin: CandidateOrigin | null): readonly string[];
}

/** Knows no values: for candidates without a retrieved column, or without their index. */
const NO_SOURCE_VALUES: SourceValues = { of: () => [] };

const ID = /^\{"id":("(?:[^"\\]|\\.)*")/u;

/** The id of a line of `tables.jsonl`, read without parsing the rest where the line is as the builder writes it. */
function idOf(line: string): string {
  const id = ID.exec(line)?.[1];
  return id === undefined ? (JSON.parse(line) as CorpusTable).id : (JSON.parse(id) as string);
}

function valuesOf(table: CorpusTable, origin: CandidateOrigin): readonly string[] {
  const column = table.title === origin.title ? table.columns.indexOf(origin.column) : -1;
  return table.rows.flatMap((row) => row[column] ?? []).filter((value) => value.trim() !== '');
}

/**
 * Looks the wanted origins up in the sample rows of an index folder: its `tables.jsonl` is read once as a stream, and
 * only the wanted tables are kept. Needs neither encoder nor vectors. An origin of another index has no values.
 * @throws IndexMismatchError when the manifest or `tables.jsonl` is missing, damaged or of another version
 */
export async function loadSourceValues(
  folder: string,
  origins: Iterable<CandidateOrigin | null>,
): Promise<SourceValues> {
  const wanted = new Set([...origins].flatMap((origin) => origin?.table ?? []));
  if (wanted.size === 0) return NO_SOURCE_VALUES;
  const manifest = await readIndexManifest(folder);
  await checkIndexFile(folder, INDEX_FILES.tables, manifest.files[INDEX_FILES.tables]);
  const tables = new Map<string, CorpusTable>();
  for await (const line of readLines(openBytes(join(folder, INDEX_FILES.tables)))) {
    if (line !== null && line !== '' && wanted.has(idOf(line))) {
      const table = JSON.parse(line) as CorpusTable;
      tables.set(table.id, table);
    }
  }
  return {
    of: (origin) => {
      const table = origin === null ? undefined : tables.get(origin.table);
      return table === undefined || origin === null ? [] : valuesOf(table, origin);
    },
  };
}
