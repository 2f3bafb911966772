import { readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import type { DatasetExample } from '../../src/formats/dataset.js';
import { goldColumns, type LabeledQuestion, renderLabeled } from '../../src/formats/exports/linker-export.js';
import { mustGet } from '../../src/present.js';
import type { Database } from '../../src/schema/schema.js';

/** The questions whose gold can be read. */
export function labeledQuestions(
  examples: Iterable<DatasetExample>,
  databases: ReadonlyMap<string, Database>,
): readonly LabeledQuestion[] {
  return [...examples].flatMap(({ question, query, dbId }) => {
    const database = mustGet(databases.get(dbId), 'databases.get(dbId)');
    const gold = goldColumns(query, database);
    return gold === null ? [] : [{ question, database, gold }];
  });
}

/** Writes questions as training/linker/train_linker.py reads them. */
export function writeLabeled(file: string, questions: readonly LabeledQuestion[]): void {
  const schemas = questions.map(({ database }) => database);
  writeFileSync(file, [...renderLabeled(schemas, questions)].join(''));
}

const databasesSchema = z.object({ records: z.array(z.object({ database: z.string() })) });

/** The id of each question's database in a labeled file. */
export function labeledDatabases(file: string): readonly string[] {
  const { records } = databasesSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  return records.map(({ database }) => database);
}
