import { formatCount } from '../../counts.js';
import { InputFormatError } from '../../errors.js';
import type { NumberedLine } from './evaluation-lines.js';
import { type GoldQuery, splitAtBlanks } from './gold-queries.js';
import {
  arePositions,
  placesOf,
  type Prediction,
  readPredictionFile,
  splitBirdMark,
  withoutSurplus,
} from './prediction-file.js';

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
