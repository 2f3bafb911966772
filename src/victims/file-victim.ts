import { statSync } from 'node:fs';
import { z } from 'zod';
import { InputFormatError } from '../errors.js';
import type { PromptTemplate } from '../formats/exports/prompt-template.js';
import { checkShape, parseJson } from '../formats/json-file.js';
import { readTextLines } from '../formats/text-lines.js';
import { writeDurably } from '../run/durable-file.js';
import { fileSha256 } from '../run/sha256.js';
import { failedAnswer, readAnswer, type Victim, type VictimAnswer, type VictimQuestion } from './victim.js';
import { victimInput } from './victim-input.js';

/** A question for a model that runs anywhere, and further fields of its line. */
export interface NotedQuestion {
  readonly question: VictimQuestion;
  readonly notes?: Readonly<Record<string, unknown>>;
}

function* inputLines(questions: Iterable<NotedQuestion>, template: PromptTemplate): Generator<string> {
  const seen = new Set<string>();
  for (const { question, notes = {} } of questions) {
    if (seen.has(question.id)) throw new RangeError(`two questions have the id ${question.id}`);
    seen.add(question.id);
    yield `${JSON.stringify({ ...victimInput(question, template), ...notes })}\n`;
  }
}

/**
 * Writes the questions for a model that runs anywhere, a JSON line each (`VictimInput` and its notes), whole or not at
 * all.
 * @throws RangeError when two questions have one id
 */
export function writeVictimInputs(file: string, questions: Iterable<NotedQuestion>, template: PromptTemplate): void {
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
    const { id, sql: predicted } = checkShape(prediction, record, { file, line, id: '' }, FIX);
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

/** The fingerprint of a `FileVictim`. @throws InputFormatError where there is no file */
export function predictionsFingerprint(file: string): string {
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) {
    throw new InputFormatError('there is no file of predictions', { where: { file }, fix: FIX });
  }
  return `file-1:${fileSha256(file)}`;
}

/**
 * A model that has run elsewhere: its predictions, joined by id. A question that has none of its own gets that of the
 * question that it repeats, where there is one; else it is `unanswered`.
 */
export class FileVictim implements Victim {
  readonly id = 'file';
  readonly fingerprint: string;
  readonly concurrency = 1;
  /** Ids of the questions that have no prediction, in their order. */
  readonly missing: readonly string[];
  readonly #sql: ReadonlyMap<string, string | null>;
  readonly #repeats: ReadonlyMap<string, string>;

  /**
   * Reads predictions, JSON lines `{"id": …, "sql": …}` with further fields ignored; null is "no answer". `repeats`
   * names, for a question that asks the same as another, that one.
   * @throws InputFormatError naming the line that is no prediction, or has an unknown id or one that was there before
   */
  constructor(file: string, ids: readonly string[], repeats: ReadonlyMap<string, string> = new Map()) {
    const { sql, lineOf } = readPredictions(file);
    checkKnown(file, lineOf, new Set(ids));
    this.#sql = sql;
    this.#repeats = repeats;
    this.missing = ids.filter((id) => this.#sourceOf(id) === null);
    this.fingerprint = predictionsFingerprint(file);
  }

  async answer({ id }: VictimQuestion): Promise<VictimAnswer> {
    const source = this.#sourceOf(id);
    if (source === null) return failedAnswer(id, 'unanswered', 'there is no prediction for it');
    return readAnswer(id, this.#sql.get(source) ?? '');
  }

  #sourceOf(id: string): string | null {
    if (this.#sql.has(id)) return id;
    const repeated = this.#repeats.get(id);
    return repeated !== undefined && this.#sql.has(repeated) ? repeated : null;
  }
}
