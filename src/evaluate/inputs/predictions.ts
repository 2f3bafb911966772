import { z } from 'zod';
import { InputFormatError } from '../../errors.js';
import { checkShape, parseJson } from '../../formats/json-file.js';
import { areJsonLines, type NumberedLine, readEvaluationLines } from './evaluation-lines.js';
import { type GoldQuery, splitAtBlanks } from './gold-queries.js';

const recordSchema = z.object({
  id: z.union([z.string().min(1), z.int()]),
  /** Null where the model gave none. */
  sql: z.string().nullable().optional(),
  /** Instead of `sql`, as in gold. */
  query: z.string().nullable().optional(),
});

const FIX = 'Each line needs the id of a gold query and its SQL: {"id": "dev:0", "sql": "SELECT …"}';

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
    fail(`${missing.length} of ${gold.length} gold queries have no prediction: ${list}`, file, fix);
  }
  return texts.map((text) => text ?? '');
}

/** By id, in any order. */
function readJsonLines(lines: readonly NumberedLine[], gold: readonly GoldQuery[], file: string): string[] {
  const positions = goldPositions(gold);
  const texts: (string | undefined)[] = gold.map(() => undefined);
  for (const { text, line } of lines) {
    if (text.trim() === '') continue;
    const {
      id,
      query,
      sql = query,
    } = checkShape(recordSchema, parseJson(text, file, line), { file, line, id: '' }, FIX);
    if (sql === undefined) fail('field "sql" is missing', file, FIX, line);
    const at = positions.get(String(id));
    if (at === undefined) {
      fail(`id ${JSON.stringify(id)} is none of the gold's`, file, `Use ids such as "${gold[0]?.id ?? ''}".`, line);
    }
    if (texts[at] !== undefined)
      fail(`id ${JSON.stringify(id)} occurs twice`, file, 'Leave one prediction each.', line);
    texts[at] = sql ?? '';
  }
  return checkComplete(texts, gold, file);
}

/** What BIRD's predictions have between the SQL and the db_id. */
const BIRD_MARK = '\t----- bird -----\t';

/** A JSON object of predictions by id, as BIRD's evaluator reads it; null where the text is none. */
function keyedPredictions(text: string, file: string): Readonly<Record<string, unknown>> | null {
  if (!/^\s*\{\s*"(?:[^"\\]|\\.)*"\s*:\s*(?:"(?:[^"\\]|\\.)*"|null)\s*[,}]/.test(text)) return null;
  const lines = text.trim().split(/\r\n?|\n/);
  // JSON lines {id, sql} begin alike.
  if (lines.length > 1 && lines[0]?.trimEnd().endsWith('}') === true) return null;
  const json = parseJson(text, file) as Readonly<Record<string, unknown>>;
  return Object.hasOwn(json, 'id') && Object.hasOwn(json, 'sql') ? null : json;
}

/** By key: ids of the gold or, where the keys count from 0 on and the ids do not, positions. */
function readKeyed(
  json: Readonly<Record<string, unknown>>,
  gold: readonly GoldQuery[],
  file: string,
): readonly string[] {
  const keys = Object.keys(json);
  const ids = new Set(gold.map(({ id }) => id));
  const areIds = keys.every((key) => ids.has(key));
  const arePositions = !areIds && keys.every((key) => /^\d+$/.test(key) && Number(key) < keys.length);
  const positions = arePositions ? new Map(gold.map((_, i) => [String(i), i])) : goldPositions(gold);
  const texts: (string | undefined)[] = gold.map(() => undefined);
  for (const [key, value] of Object.entries(json)) {
    const at = positions.get(key);
    if (at === undefined)
      fail(`key ${JSON.stringify(key)} is none of the gold's ids`, file, `Use ids such as "${gold[0]?.id ?? ''}".`);
    if (typeof value !== 'string' && value !== null)
      fail(`the prediction of ${key} is no text`, file, 'Give SQL as text, or null.');
    const [sql = ''] = (value ?? '').split(BIRD_MARK);
    texts[at] = sql.trim();
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

/** Without blank lines at the end beyond `count`. */
function withoutSurplus(lines: readonly NumberedLine[], count: number): readonly NumberedLine[] {
  let end = lines.length;
  while (end > count && lines[end - 1]?.text.trim() === '') end -= 1;
  return lines.slice(0, end);
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
  const turns = hasInteractions ? ` in ${sizes.length} interactions` : '';
  const count = `${flat.length} lines, ${flat.filter(({ text }) => text.trim() !== '').length} of them not blank`;
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
 * The predictions for gold queries, in their order, empty where the model gave none. JSON lines `{id, sql}` are joined
 * by id, which is the gold's or its position from 0; so is BIRD's JSON object, by its keys. Plain lines of SQL are joined by position, if there are as many as
 * gold queries; for interactions they are separated by blank lines as the gold is.
 * @throws InputFormatError naming the line of an id that occurs twice or is unknown, or the ids without prediction, or
 * the counts that do not agree
 */
export function readPredictions(file: string, gold: readonly GoldQuery[]): readonly string[] {
  const lines = readEvaluationLines(file);
  if (areJsonLines(lines)) {
    const keyed = keyedPredictions(lines.map(({ text }) => text).join('\n'), file);
    return keyed === null ? readJsonLines(lines, gold, file) : readKeyed(keyed, gold, file);
  }
  return byPosition(lines, gold, file).map((line, i) => readSqlLine(line, gold[i]?.dbId ?? ''));
}
