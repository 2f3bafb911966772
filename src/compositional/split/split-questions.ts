import { basename } from 'node:path';
import { z } from 'zod';
import { InputFormatError } from '../../errors.js';
import { checkRecord, parseJson } from '../../formats/json-file.js';
import { readSpiderSchemas } from '../../formats/spider-tables.js';
import { readTextLines } from '../../formats/text-lines.js';
import { elementAt } from '../../present.js';
import type { Database } from '../../schema/schema.js';
import { QuestionSplitter, type QuestionToSplit, splitRefusal, type SplitText } from './question-splitter.js';

/** Questions parsed at a time. */
const CHUNK = 256;
const FIX = 'Each line needs {"question": …}; id and db_id are optional.';

const lineSchema = z.looseObject({
  id: z.union([z.string(), z.int()]).optional(),
  db_id: z.string().optional(),
  question: z.string(),
});

/** A question to split; `database` is null where its line names none. */
interface AskedQuestion extends QuestionToSplit {
  readonly id: string;
  readonly place: string;
}

/** A question with its tokens and its sub-sentences. */
export interface SplitResult extends SplitText {
  readonly id: string;
}

/** Where a split reads from and what it tells. */
export interface SplitInput {
  /** JSON lines of {id?, db_id?, question}. */
  readonly questions: string;
  /** Spider's tables.json. */
  readonly tables: string;
  /** Told of each question that is left out. */
  readonly note: (line: string) => void;
}

function databaseOf(
  databases: ReadonlyMap<string, Database>,
  name: string | undefined,
  where: { readonly file: string; readonly line: number },
): Database | null {
  if (name === undefined) return null;
  const database = databases.get(name);
  if (database === undefined) {
    const fix = 'Give the file that has its schema with --tables.';
    throw new InputFormatError(`there is no schema of database "${name}"`, { where, fix });
  }
  return database;
}

function* readQuestions({ questions: file, tables }: SplitInput): Generator<AskedQuestion> {
  const { databases } = readSpiderSchemas(tables);
  for (const { line, text } of readTextLines(file)) {
    if (text.trim() === '') continue;
    const where = { file, line };
    const record = checkRecord(lineSchema, parseJson(text, file, line), { ...where, id: 'question' }, FIX);
    const { id = line, question, db_id } = record;
    const place = `${basename(file)}:${line}`;
    yield { id: String(id), question, place, database: databaseOf(databases, db_id, where) };
  }
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

/**
 * Splits the questions of a file into sub-sentences, in order. Empty questions and those in another language are noted
 * and left out.
 * @throws InputFormatError naming the line that is no question
 */
export async function* splitQuestions(input: SplitInput): AsyncGenerator<SplitResult> {
  const splitter = await QuestionSplitter.open();
  try {
    for (const chunk of chunksOf(readQuestions(input))) {
      const asked = chunk.filter(({ question, place }) => {
        const reason = splitRefusal(question);
        if (reason !== null) input.note(`${place}: skipped, ${reason}`);
        return reason === null;
      });
      const texts = await splitter.split(asked);
      yield* asked.map(({ id }, at): SplitResult => ({ id, ...elementAt(texts, at) }));
    }
  } finally {
    await splitter.close();
  }
}
