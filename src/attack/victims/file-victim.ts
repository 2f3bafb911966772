import { z } from 'zod';
import { InputFormatError } from '../../errors.js';
import type { PromptTemplate } from '../../formats/exports/prompt-template.js';
import { checkRecord, parseJson } from '../../formats/json-file.js';
import { readTextLines } from '../../formats/text-lines.js';
import { writeDurably } from '../../run/durable-file.js';
import { fileSha256 } from '../../run/sha256.js';
import { readAnswer, type Victim, type VictimAnswer, type VictimQuestion } from './victim.js';
import { victimInput } from './victim-input.js';

function* inputLines(questions: Iterable<VictimQuestion>, template: PromptTemplate): Generator<string> {
  const seen = new Set<string>();
  for (const question of questions) {
    if (seen.has(question.id)) throw new RangeError(`two questions have the id ${question.id}`);
    seen.add(question.id);
    yield `${JSON.stringify(victimInput(question, template))}\n`;
  }
}

/**
 * Writes the questions for a model that runs anywhere, a JSON line each (`VictimInput`), whole or not at all.
 * @throws RangeError when two questions have one id
 */
export function writeVictimInputs(file: string, questions: Iterable<VictimQuestion>, template: PromptTemplate): void {
  writeDurably(file, inputLines(questions, template));
}

const prediction = z.looseObject({ id: z.string(), sql: z.string().nullable() });
const FIX = 'A line of a prediction file is {"id": …, "sql": …}; the ids are those of the inputs.';

interface Predictions {
  readonly sql: ReadonlyMap<string, string | null>;
  readonly lineOf: ReadonlyMap<string, number>;
}

function readPredictions(file: string): Predictions {
  const sql = new Map<string, string | null>();
  const lineOf = new Map<string, number>();
  for (const { line, text } of readTextLines(file)) {
    if (text.trim() === '') continue;
    const record = parseJson(text, file, line);
    const { id, sql: predicted } = checkRecord(prediction, record, { file, line, id: '' }, FIX);
    const first = lineOf.get(id);
    if (first !== undefined) {
      throw new InputFormatError(`the id is predicted twice, first in line ${first}`, {
        where: { file, line, id },
        fix: 'Keep one of the two lines.',
      });
    }
    sql.set(id, predicted);
    lineOf.set(id, line);
  }
  return { sql, lineOf };
}

function checkKnown(file: string, lineOf: ReadonlyMap<string, number>, known: ReadonlySet<string>): void {
  for (const [id, line] of lineOf) {
    if (known.has(id)) continue;
    const fix = 'Predict for the inputs of this run, with their ids as they are.';
    throw new InputFormatError('no question has this id', { where: { file, line, id }, fix });
  }
}

/** Ids named in a message. */
const SHOWN_IDS = 5;

function checkComplete(file: string, { sql }: Predictions, ids: readonly string[]): void {
  const missing = ids.filter((id) => !sql.has(id));
  if (missing.length === 0) return;
  const shown = missing.slice(0, SHOWN_IDS).join(', ');
  const more = missing.length > SHOWN_IDS ? `, … (${missing.length - SHOWN_IDS} more)` : '';
  throw new InputFormatError(`${missing.length} of ${ids.length} questions have no prediction: ${shown}${more}`, {
    where: { file },
    fix: 'Add a line for each, {"id": …, "sql": null} where the model failed.',
  });
}

/** A model that has run elsewhere: its predictions, joined by id. */
export class FileVictim implements Victim {
  readonly id = 'file';
  readonly fingerprint: string;
  readonly concurrency = 1;
  readonly #sql: ReadonlyMap<string, string | null>;

  /**
   * Reads predictions, JSON lines `{"id": …, "sql": …}` with further fields ignored; null is "no answer".
   * @throws InputFormatError naming the line that is no prediction, has an unknown id or one that was there before, or
   * the ids of the questions that have none
   */
  constructor(file: string, ids: readonly string[]) {
    const predictions = readPredictions(file);
    checkKnown(file, predictions.lineOf, new Set(ids));
    checkComplete(file, predictions, ids);
    this.#sql = predictions.sql;
    this.fingerprint = `file-1:${fileSha256(file)}`;
  }

  async answer({ id }: VictimQuestion): Promise<VictimAnswer> {
    const sql = this.#sql.get(id);
    if (sql === undefined) throw new RangeError(`question ${id} was not announced`);
    return readAnswer(id, sql ?? '');
  }
}
