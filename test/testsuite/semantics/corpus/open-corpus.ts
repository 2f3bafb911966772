import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { readSqliteSchema } from '../../../../src/formats/read-sqlite-schema.js';
import type { DistillTask } from '../../../../src/testsuite/distill/distillation.js';
import type { CorpusSchema } from './corpus-schema.js';

/** A schema of the corpus with its rows, in memory or in a file. */
export function openCorpus({ sql }: CorpusSchema, file = ':memory:'): Sqlite.Database {
  return new Sqlite(file).exec(sql);
}

/** What is to be distilled for a schema of the corpus; its SQLite file is written into a folder. */
export function corpusTask(schema: CorpusSchema, folder: string, budget: DistillTask['budget']): DistillTask {
  const file = join(folder, `${schema.id}.sqlite`);
  const sqlite = openCorpus(schema, file);
  const database = readSqliteSchema(sqlite, schema.id);
  sqlite.close();
  return { database, file, golds: schema.golds.map(({ gold }) => gold), seed: 2, budget, data: 'observed' };
}
