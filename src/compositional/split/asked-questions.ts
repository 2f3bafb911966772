import { basename, extname } from 'node:path';
import { z } from 'zod';
import { InputFormatError } from '../../errors.js';
import { checkRecord, loadJsonArray, parseJson, type RecordPlace } from '../../formats/json-file.js';
import { readSpiderSchemas } from '../../formats/spider-tables.js';
import { readTextLines } from '../../formats/text-lines.js';
import type { Database } from '../../schema/schema.js';

const FIX = 'Each question needs {"question": …}; id, db_id and query are optional.';

const recordSchema = z.looseObject({
  id: z.union([z.string(), z.int()]).optional(),
  db_id: z.string().optional(),
  question: z.string(),
  query: z.string().optional(),
});

/** A question to split. */
export interface AskedQuestion {
  readonly id: string;
  readonly question: string;
  /** Its file and line, or file and position, for notes. */
  readonly place: string;
  /** Null where its record names none. */
  readonly database: Database | null;
  /** Its gold SQL; null where it has none, or no database. */
  readonly query: string | null;
}

interface FoundRecord {
  readonly json: unknown;
  readonly where: RecordPlace;
  readonly id: string;
  readonly place: string;
}

/** Records of JSON lines, or of a JSON array such as Spider's dev.json. */
function* recordsOf(file: string): Generator<FoundRecord> {
  let isFirst = true;
  for (const { line, text } of readTextLines(file)) {
    if (text.trim() === '') continue;
    if (isFirst && text.trimStart().startsWith('[')) {
      yield* recordsOfArray(file);
      return;
    }
    isFirst = false;
    const json = parseJson(text, file, line);
    yield { json, where: { file, line, id: 'question' }, id: String(line), place: `${basename(file)}:${line}` };
  }
}

/** Ids are those that data sets have: the file's stem and the position, "dev:17". */
function* recordsOfArray(file: string): Generator<FoundRecord> {
  const stem = basename(file, extname(file));
  for (const [at, json] of loadJsonArray(file, 'questions').entries()) {
    const id = `${stem}:${at}`;
    yield { json, where: { file, id }, id, place: id };
  }
}

function databaseOf(
  databases: ReadonlyMap<string, Database>,
  name: string | undefined,
  where: RecordPlace,
): Database | null {
  if (name === undefined) return null;
  const database = databases.get(name);
  if (database !== undefined) return database;
  const fix = 'Give the file that has its schema with --tables.';
  throw new InputFormatError(`there is no schema of database "${name}"`, { where, fix });
}

/**
 * Reads the questions of a file of JSON lines, or of a JSON array, with the databases that they name.
 * @param tables Spider's tables.json
 * @throws InputFormatError naming the file that has no question, or the line or record that is none or whose database is
 * unknown
 */
export function* readAskedQuestions(file: string, tables: string): Generator<AskedQuestion> {
  const { databases } = readSpiderSchemas(tables);
  let isEmpty = true;
  for (const { json, where, place, id: ownId } of recordsOf(file)) {
    isEmpty = false;
    const { id = ownId, question, db_id, query } = checkRecord(recordSchema, json, where, FIX);
    const database = databaseOf(databases, db_id, where);
    yield { id: String(id), question, place, database, query: database === null ? null : (query ?? null) };
  }
  if (isEmpty) throw new InputFormatError('the list of questions is empty', { where: { file }, fix: FIX });
}
