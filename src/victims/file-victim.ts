import { formatCount } from '../counts.js';
import { statSync } from 'node:fs';
import { InputFormatError } from '../errors.js';
import type { PromptTemplate } from '../formats/exports/prompt-template.js';
import type { NumberedLine } from '../evaluate/inputs/evaluation-lines.js';
import { arePositions, type Prediction, readPredictionFile, splitBirdMark } from '../evaluate/inputs/predictions.js';
import { writeDurably } from '../run/durable-file.js';
import { fileSha256 } from '../run/sha256.js';
import { failedAnswer, readAnswer, type Victim, type VictimAnswer, type VictimQuestion } from './victim.js';
import { victimInput } from './victim-input.js';
import { itemAt } from '../present.js';

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

const FIX = 'A line of a prediction file is {"id": …, "sql": …}; the ids are those of the inputs.';

/** The questions that predictions are for. */
export interface PredictedQuestions {
  readonly ids: readonly string[];
  /** For a question that asks the same as another, that one. */
  readonly repeats?: ReadonlyMap<string, string>;
  /** Where the questions are written, in which order; predictions without ids are joined by it. */
  readonly written: {
    /** For people: "`perturbql attack prepare` writes them (inputs/questions.jsonl)". */
    readonly where: string;
    readonly order: readonly string[];
  };
}

interface JoinedPredictions {
  readonly sql: ReadonlyMap<string, string | null>;
  readonly byPosition: boolean;
}

function adviceOn({ ids, written }: PredictedQuestions): string {
  const example = ids[0] === undefined ? '' : `, such as "${ids[0]}"`;
  return `Predict for the questions of this run, with their ids as they are${example}: ${written.where}.`;
}

function joinLines(file: string, lines: readonly NumberedLine[], questions: PredictedQuestions): JoinedPredictions {
  const { order } = questions.written;
  const last = lines.findLastIndex(({ text }) => text.trim() !== '');
  if (last < 0) return { sql: new Map(), byPosition: false };
  // Blank lines at the end may be answers that are empty.
  const count = Math.max(last + 1, Math.min(lines.length, order.length));
  if (count !== order.length) {
    throw new InputFormatError(
      `there are ${formatCount(count)} lines without ids, but ${formatCount(order.length)} questions`,
      {
        where: { file },
        fix: `${adviceOn(questions)} Or write one line for each, in that order.`,
      },
    );
  }
  return { sql: new Map(order.map((id, i) => [id, lines[i]?.text.trim() ?? ''])), byPosition: true };
}

/** Numbers are positions where there is one for each question: fewer could be those of another file. */
function joinIds(file: string, predictions: readonly Prediction[], questions: PredictedQuestions): JoinedPredictions {
  const { ids, written } = questions;
  const known = new Set(ids);
  const isWhole = predictions.length === written.order.length && arePositions(predictions);
  const byPosition = isWhole && predictions.some(({ id }) => !known.has(id));
  const sql = new Map<string, string | null>();
  const lineOf = new Map<string, Prediction>();
  for (const one of predictions) {
    const id = byPosition ? itemAt(written.order, Number(one.id)) : one.id;
    const { line, place } = one;
    const where = { file, id: one.id, ...(line === undefined ? {} : { line }) };
    if (!known.has(id)) throw new InputFormatError('no question has this id', { where, fix: adviceOn(questions) });
    const first = lineOf.get(id);
    if (first !== undefined) {
      const fix = line === undefined ? `Keep one of ${first.place} and ${place}.` : 'Keep one of the two lines.';
      throw new InputFormatError(`the id is predicted twice, first in ${first.place}`, { where, fix });
    }
    sql.set(id, one.sql === null ? null : splitBirdMark(one.sql).sql);
    lineOf.set(id, one);
  }
  return { sql, byPosition };
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

  /** The note on how predictions were joined; null if they were joined by ids. */
  readonly note: string | null;

  /**
   * Reads predictions (`readPredictionFile`); null is "no answer".
   * @throws InputFormatError naming the line that is no prediction, or has an unknown id or one that was there before
   */
  constructor(file: string, questions: PredictedQuestions) {
    const { ids, repeats = new Map<string, string>(), written } = questions;
    const read = readPredictionFile(file);
    const { sql, byPosition } =
      read.form === 'lines' ? joinLines(file, read.lines, questions) : joinIds(file, read.predictions, questions);
    this.#sql = sql;
    this.#repeats = repeats;
    this.missing = ids.filter((id) => this.#sourceOf(id) === null);
    this.note = byPosition
      ? `predictions joined by position, one for each of ${formatCount(written.order.length)} questions: ${written.where}`
      : null;
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
