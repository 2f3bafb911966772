import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { onTestFinished } from 'vitest';
import type { Dataset, DatasetExample, DatasetPaths } from '../../src/formats/dataset.js';
import type { OutputExample, OutputFolder, OutputKind, OutputSchema, OutputSet } from '../../src/formats/output-set.js';
import type { Database } from '../../src/schema/schema.js';
import { createFolder } from './format-fixture.js';

/** A variant made by hand: the source's id, its schema, and the query on it. */
export interface HandmadeVariant {
  readonly source: string;
  readonly kind: OutputKind;
  readonly schema: OutputSchema;
  readonly query: string;
  /** SQLite file with the variant's rows. */
  readonly file?: string;
}

function identityOf(schema: Database): OutputSchema {
  return { schema, origin: schema.id, columns: schema.tables.map(({ columns }) => columns.map((_, c) => c)) };
}

function originalOf(source: DatasetExample, input: Dataset): OutputExample {
  return { source, kind: 'original', schema: identityOf(input.databases.get(source.dbId)!), query: source.query };
}

/** The originals of a data set with variants after them. */
export function outputSetOf(input: Dataset, variants: readonly HandmadeVariant[] = []): OutputSet {
  const originals = [...input.examples()];
  const used = [...input.databases.values()].filter(({ id }) => originals.some(({ dbId }) => dbId === id));
  const scratch = createFolder();
  return {
    input,
    schemas: [...used.map(identityOf), ...variants.map(({ schema }) => schema)],
    *examples() {
      for (const source of originals) {
        yield originalOf(source, input);
        for (const { kind, schema, query } of variants.filter((one) => one.source === source.id)) {
          yield { source, kind, schema, query };
        }
      }
    },
    sqliteFile: (id) =>
      variants.find(({ schema }) => schema.schema.id === id)?.file ??
      (input.databases.has(id) ? input.sqliteFile(id, scratch) : null),
  };
}

/** A folder on disk that takes what a writer gives. */
export function createOutput(): { readonly path: string; readonly folder: OutputFolder } {
  const path = createFolder();
  const write = (name: string, content: string | Iterable<string | Uint8Array>): void => {
    const file = join(path, name);
    if (existsSync(file)) throw new Error(`${name} is written twice`);
    mkdirSync(dirname(file), { recursive: true });
    const parts = typeof content === 'string' ? [content] : [...content];
    writeFileSync(file, Buffer.concat(parts.map((part) => Buffer.from(part as string))));
  };
  return { path, folder: { write } };
}

/** What a query returns on a SQLite file. */
export function rowsOf(file: string, query: string): unknown[][] {
  const sqlite = new Sqlite(file, { readonly: true });
  try {
    return sqlite.prepare(query).raw().all() as unknown[][];
  } finally {
    sqlite.close();
  }
}

/** A SQLite file built by a script. */
export function createSqlite(script: string, name = 'file.sqlite', folder = createFolder()): string {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  const sqlite = new Sqlite(file);
  onTestFinished(() => void sqlite.close());
  sqlite.exec(script);
  sqlite.close();
  return file;
}

/** The paths of a data set; what is not given is null. */
export function pathsOf<G extends Partial<Record<'tables' | 'examples' | 'databases', string>>>(
  dataset: Dataset['format'],
  given: G,
): DatasetPaths & G {
  return {
    dataset,
    tables: null,
    examples: null,
    databases: null,
    ...given,
    connection: null,
  };
}
