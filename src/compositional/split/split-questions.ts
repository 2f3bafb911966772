import { basename, extname } from 'node:path';
import { z } from 'zod';
import { InputFormatError, SqlRewriteError } from '../../errors.js';
import { checkRecord, loadJsonArray, parseJson, type RecordPlace } from '../../formats/json-file.js';
import { readSpiderSchemas } from '../../formats/spider-tables.js';
import { readTextLines } from '../../formats/streamed-file.js';
import { memoizeObject } from '../../schema/memoize.js';
import type { Database } from '../../schema/schema.js';
import { zip } from '../../present.js';
import { QuestionAligner } from '../align/align-question.js';
import { splitWithGold } from '../align/split-with-gold.js';
import type { ClauseQuery } from '../clauses/clause.js';
import { joinKeysOf } from '../clauses/join-keys.js';
import { clausesOf } from '../clauses/read-clauses.js';
import { QuestionSplitter, splitRefusal, type SplitText } from './question-splitter.js';

const FIX = 'Each question needs {"question": …}; id, db_id and query are optional.';

const recordSchema = z.looseObject({
  id: z.union([z.string(), z.int()]).optional(),
  db_id: z.string().optional(),
  question: z.string(),
  query: z.string().optional(),
});

/** A question to split. */
interface AskedQuestion {
  readonly id: string;
  readonly question: string;
  /** Its file and line, or file and position, for notes. */
  readonly place: string;
  /** Null where its record names none. */
  readonly database: Database | null;
  /** Its gold SQL; null where it has none, or no database. */
  readonly query: string | null;
}

/** Records of JSON lines, or of a JSON array such as Spider's dev.json. */
function* recordsOf(file: string) {
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
function* recordsOfArray(file: string) {
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
 * @throws InputFormatError naming the file without questions, or the line or record that is not a question or names an
 * unknown database
 */
function* readAskedQuestions(file: string, tables: string): Generator<AskedQuestion> {
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

/** Questions parsed at a time. */
const CHUNK = 256;

/** A question with its tokens and its sub-sentences. */
export interface SplitResult extends SplitText {
  readonly id: string;
}

/** Where a split reads from and what it tells. */
export interface SplitInput {
  /** JSON lines, or a JSON array, of {id?, db_id?, question, query?}. */
  readonly questions: string;
  /** Spider's tables.json. */
  readonly tables: string;
  /** Told of each question that is left out. */
  readonly note: (line: string) => void;
}

function* chunksOf<T>(items: Iterable<T>): Generator<readonly T[]> {
  let chunk: T[] = [];
  for (const item of items) {
    chunk.push(item);
    if (chunk.length < CHUNK) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}

/** Splits questions again by what their queries say, where those are known. */
class GoldSplitter {
  readonly #note: (line: string) => void;
  readonly #alignerOf = memoizeObject((database: Database) => new QuestionAligner(database));

  constructor(note: (line: string) => void) {
    this.#note = note;
  }

  /** The question's sub-sentences; those that it has alone where nothing can be had of its query. */
  split(asked: AskedQuestion, alone: SplitText): SplitText {
    const { id, question, database } = asked;
    const query = database === null ? null : this.#clausesOf(asked, database);
    if (database === null || query === null) return alone;
    const { tokens } = alone;
    return { tokens, segments: splitWithGold({ id, question, tokens, query }, this.#alignerOf(database)) };
  }

  #clausesOf({ query, place }: AskedQuestion, database: Database): ClauseQuery | null {
    if (query === null) return null;
    try {
      return clausesOf(query, database, joinKeysOf(database, [query]));
    } catch (error) {
      if (!(error instanceof SqlRewriteError)) throw error;
      this.#note(`${place}: split without its query, ${error.message}`);
      return null;
    }
  }
}

/**
 * Splits the questions of a file into sub-sentences, in order; where a record has a query, by what that says, too. Empty
 * questions and those in another language are noted and left out.
 * @throws InputFormatError naming the line or record that is no question
 */
export async function* splitQuestions({ questions, tables, note }: SplitInput): AsyncGenerator<SplitResult> {
  const splitter = await QuestionSplitter.open();
  const goldSplitter = new GoldSplitter(note);
  try {
    for (const chunk of chunksOf(readAskedQuestions(questions, tables))) {
      const asked = chunk.filter(({ question, place }) => {
        const reason = splitRefusal(question);
        if (reason !== null) note(`${place}: skipped, ${reason}`);
        return reason === null;
      });
      const texts = await splitter.split(asked);
      yield* zip(asked, texts).map(([one, text]): SplitResult => ({ id: one.id, ...goldSplitter.split(one, text) }));
    }
  } finally {
    await splitter.close();
  }
}
