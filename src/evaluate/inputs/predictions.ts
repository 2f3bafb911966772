import { z } from 'zod';
import { formatCount } from '../../counts.js';
import { InputFormatError } from '../../errors.js';
import { areJsonLines, beginsWith, type NumberedLine, readEvaluationLines } from './evaluation-lines.js';
import { type GoldQuery, splitAtBlanks } from './gold-queries.js';
import { checkShape, parseJson } from '../../formats/json-file.js';

/** A prediction under an id. */
export interface Prediction {
  /** Of a question, or its position from 0. */
  readonly id: string;
  /** As the file has it; null where the model gave none. */
  readonly sql: string | null;
  /** "line 12", "record 3", 'key "17"'. */
  readonly place: string;
  /** From 1, of JSON lines. */
  readonly line?: number;
}

/** The contents of a file of predictions: predictions under ids, or one after another. */
type PredictionFile =
  | { readonly form: 'ids'; readonly predictions: readonly Prediction[] }
  | { readonly form: 'lines'; readonly lines: readonly NumberedLine[]; readonly isJson: boolean };

const idField = z.union([z.string().min(1), z.int()]);
/** Null where the model gave none. */
const sqlField = z.string().nullable().optional();
const recordSchema = z.looseObject({
  id: idField.optional(),
  question_id: idField.optional(),
  sql: sqlField,
  /** Instead of `sql`, as in gold. */
  query: sqlField,
});

const FIX =
  'Predictions are JSON lines {"id": "dev:0", "sql": "SELECT …"}, a JSON object or list of them, or a line of SQL for each question.';

/** The separator between the SQL and the db_id in BIRD's predictions. */
const BIRD_MARK = '\t----- bird -----\t';

/** A prediction's SQL and, where it is behind it as in BIRD's files, the id of its database. */
export function splitBirdMark(text: string): { readonly sql: string; readonly dbId: string | null } {
  const [sql = '', dbId = null] = text.split(BIRD_MARK);
  return { sql: sql.trim(), dbId: dbId === null ? null : dbId.trim() };
}

function readRecord(
  record: unknown,
  place: string,
  where: { readonly file: string; readonly line?: number },
): Prediction {
  const at = { ...where, id: where.line === undefined ? place : '' };
  const { id: own, question_id, query, sql = query } = checkShape(recordSchema, record, at, FIX);
  const id = own ?? question_id;
  if (id === undefined) throw new InputFormatError('field "id" is missing', { where: at, fix: FIX });
  if (sql === undefined) throw new InputFormatError('field "sql" is missing', { where: at, fix: FIX });
  return { id: String(id), sql, place, ...(where.line === undefined ? {} : { line: where.line }) };
}

/** A JSON object of predictions by id, as BIRD's evaluator reads it; null where the text is none. */
function keyedPredictions(text: string, file: string): readonly Prediction[] | null {
  if (!/^\s*\{\s*"(?:[^"\\]|\\.)*"\s*:\s*(?:"(?:[^"\\]|\\.)*"|null)\s*[,}]/.test(text)) return null;
  const lines = text.trim().split(/\r\n?|\n/);
  // JSON lines {id, sql} begin alike.
  if (lines.length > 1 && lines[0]?.trimEnd().endsWith('}') === true) return null;
  const json = parseJson(text, file) as Readonly<Record<string, unknown>>;
  if (['id', 'sql', 'query'].some((name) => Object.hasOwn(json, name))) return null;
  return Object.entries(json).map(([id, sql]) => {
    if (typeof sql === 'string' || sql === null) return { id, sql, place: `key ${JSON.stringify(id)}` };
    const fix = 'Give SQL as text, or null.';
    throw new InputFormatError(`the prediction of ${id} is no text`, { where: { file, id }, fix });
  });
}

/** A JSON list of records, or of queries alone. */
function readList(text: string, file: string): PredictionFile {
  const list = parseJson(text, file) as readonly unknown[];
  if (list.length === 0) {
    throw new InputFormatError('the list is wrong: it holds no predictions', { where: { file, line: 1 }, fix: FIX });
  }
  const isText = (one: unknown): one is string | null => typeof one === 'string' || one === null;
  if (list.every(isText)) {
    const lines = list.map((sql, i) => ({ line: i + 1, text: sql?.replaceAll(/\s+/g, ' ') ?? '' }));
    return { form: 'lines', lines, isJson: true };
  }
  return { form: 'ids', predictions: list.map((record, i) => readRecord(record, `record ${i}`, { file })) };
}

/**
 * Reads a file of predictions, for every command that takes one: JSON lines or a JSON list of `{id, sql}`, where
 * `question_id` and `query` may be written instead; BIRD's JSON object by id; lines of SQL or a JSON list of texts, one
 * after another.
 * @throws InputFormatError naming the line that is none
 */
export function readPredictionFile(file: string): PredictionFile {
  const lines = readEvaluationLines(file);
  const text = (): string => lines.map((line) => line.text).join('\n');
  if (beginsWith(lines, '[')) return readList(text(), file);
  if (!areJsonLines(lines)) return { form: 'lines', lines, isJson: false };
  const written = lines.filter((line) => line.text.trim() !== '');
  const predictions =
    keyedPredictions(text(), file) ??
    written.map(({ text: json, line }) => readRecord(parseJson(json, file, line), `line ${line}`, { file, line }));
  return { form: 'ids', predictions };
}

/** Without blank lines at the end beyond `count`: up to there, they are answers that are empty. */
export function withoutSurplus(lines: readonly NumberedLine[], count: number): readonly NumberedLine[] {
  let end = lines.length;
  while (end > count && lines[end - 1]?.text.trim() === '') end -= 1;
  return lines.slice(0, end);
}

/**
 * The places of what predictions are for, by the ids that they may name: their own; where no prediction is about one of
 * these and all count from 0 on, positions.
 */
function placesOf(predictions: readonly Prediction[], ids: readonly string[]): ReadonlyMap<string, number> {
  const places = new Map(ids.map((id, i) => [id, i]));
  const areIds = predictions.every(({ id }) => places.has(id));
  if (!areIds && arePositions(predictions)) return new Map(ids.map((_, i) => [String(i), i]));
  return places;
}

/** Checks whether the ids are the numbers from 0 to one below their count. */
export function arePositions(predictions: readonly Prediction[]): boolean {
  return predictions.every(({ id }) => /^\d+$/.test(id) && Number(id) < predictions.length);
}

function fail(message: string, file: string, fix: string, line?: number): never {
  throw new InputFormatError(message, { where: { file, ...(line === undefined ? {} : { line }) }, fix });
}

/** Ids of the gold under which a prediction may name it: its own, or its position from 0 where no gold has that as id. */
export function goldPositions(gold: readonly GoldQuery[]): ReadonlyMap<string, number> {
  const positions = new Map(gold.map(({ id }, i) => [id, i]));
  gold.forEach((_, i) => {
    if (!positions.has(String(i))) positions.set(String(i), i);
  });
  return positions;
}

function checkComplete(texts: readonly (string | undefined)[], gold: readonly GoldQuery[], file: string): string[] {
  const missing = gold.filter((_, i) => texts[i] === undefined);
  if (missing.length > 0) {
    const shown = missing.slice(0, 3).map(({ id }) => id);
    const list = `${shown.join(', ')}${missing.length > 3 ? ', …' : ''}`;
    const fix = 'Add a line for each, {"id": …, "sql": null} where the model gave none.';
    fail(
      `${formatCount(missing.length)} of ${formatCount(gold.length)} gold queries have no prediction: ${list}`,
      file,
      fix,
    );
  }
  return texts.map((text) => text ?? '');
}

/** The predictions for gold queries, in their order. */
export interface ReadPredictions {
  /** Empty where the model gave none. */
  readonly texts: readonly string[];
  /** How those of JSON were joined, where they have no ids of the gold; null for lines of SQL, which can't have any. */
  readonly note: string | null;
}

/** By id or position, in any order. */
function joined(predictions: readonly Prediction[], gold: readonly GoldQuery[], file: string): string[] {
  const ids = gold.map(({ id }) => id);
  const positions = arePositions(predictions) ? placesOf(predictions, ids) : goldPositions(gold);
  const texts: (string | undefined)[] = gold.map(() => undefined);
  for (const { id, sql, line } of predictions) {
    const at = positions.get(id);
    const named = JSON.stringify(/^\d+$/.test(id) ? Number(id) : id);
    if (at === undefined)
      fail(`id ${named} is none of the gold file's`, file, `Use ids such as "${ids[0] ?? ''}".`, line);
    if (texts[at] !== undefined) fail(`id ${named} occurs twice`, file, 'Leave one prediction each.', line);
    texts[at] = splitBirdMark(sql ?? '').sql;
  }
  return checkComplete(texts, gold, file);
}

/** The sizes of the interactions, 1 where there are none. */
function groupSizes(gold: readonly GoldQuery[]): number[] {
  const sizes: number[] = [];
  gold.forEach(({ group }, i) => {
    if (i > 0 && gold[i - 1]?.group === group) sizes[sizes.length - 1] = (sizes.at(-1) ?? 0) + 1;
    else sizes.push(1);
  });
  return sizes;
}

/** Predictions of interactions as the gold lies: a blank line after each, any other blank line is an empty prediction. */
function inGoldLayout(lines: readonly NumberedLine[], sizes: readonly number[]): NumberedLine[] | null {
  const kept: NumberedLine[] = [];
  let at = 0;
  for (const [i, size] of sizes.entries()) {
    if (i > 0 && lines[at++]?.text.trim() !== '') return null;
    kept.push(...lines.slice(at, at + size));
    at += size;
  }
  return at === lines.length ? kept : null;
}

function byPosition(lines: readonly NumberedLine[], gold: readonly GoldQuery[], file: string): readonly NumberedLine[] {
  const sizes = groupSizes(gold);
  const hasInteractions = sizes.length < gold.length;
  const flat = withoutSurplus(lines, gold.length);
  const hasBlank = flat.some(({ text }) => text.trim() === '');
  if (flat.length === gold.length && !(hasInteractions && hasBlank)) return flat;
  if (hasInteractions) {
    const laid = inGoldLayout(withoutSurplus(lines, gold.length + sizes.length - 1), sizes);
    if (laid !== null) return laid;
    const groups = splitAtBlanks(lines);
    if (JSON.stringify(groups.map((group) => group.length)) === JSON.stringify(sizes)) return groups.flat();
  }
  const turns = hasInteractions ? ` in ${formatCount(sizes.length)} interactions` : '';
  const count = `${formatCount(flat.length)} lines, ${formatCount(flat.filter(({ text }) => text.trim() !== '').length)} of them not blank`;
  const fix = 'Write one line for each gold query, an empty one where the model gave none, or JSON lines with ids.';
  return fail(`the predictions have ${count}, but there are ${gold.length} gold queries${turns}`, file, fix);
}

/** A prediction's line; its database's name after a tab, as gold has it, is left out. */
function readSqlLine({ text }: NumberedLine, dbId: string): string {
  const end = `\t${dbId}`;
  const trimmed = text.trim();
  return trimmed.endsWith(end) ? trimmed.slice(0, -end.length).trim() : trimmed;
}

/**
 * The predictions for gold queries (`readPredictionFile` says what is read). Those under ids are joined by these, which are the gold's or positions from 0; others by position, if there are
 * as many as gold queries; for interactions they are separated by blank lines as the gold is.
 * @throws InputFormatError naming the line of an id that occurs twice or is unknown, or the ids without prediction, or
 * the counts that do not agree
 */
export function readPredictions(file: string, gold: readonly GoldQuery[]): ReadPredictions {
  const read = readPredictionFile(file);
  const note = `predictions joined by position, one for each of ${gold.length} gold queries: ${file}`;
  if (read.form === 'ids') {
    const own = new Set(gold.map(({ id }) => id));
    const texts = joined(read.predictions, gold, file);
    return { texts, note: read.predictions.every(({ id }) => own.has(id)) ? null : note };
  }
  const texts = byPosition(read.lines, gold, file).map((line, i) => readSqlLine(line, gold[i]?.dbId ?? ''));
  return { texts, note: read.isJson ? note : null };
}
