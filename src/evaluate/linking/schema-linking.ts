import { z } from 'zod';
import { InputFormatError } from '../../errors.js';
import { checkRecord, parseJson } from '../../formats/json-file.js';
import { readEvaluationLines } from '../inputs/evaluation-lines.js';
import { share } from '../summary/accuracy.js';

/** Counts in the gold query, in a prediction, and in both: of a component, or of sets that may lie in many questions. */
export interface SetCount {
  readonly gold: number;
  readonly predicted: number;
  readonly matched: number;
}

/** Precision, recall and F1 of counts, 0 to 1; null where nothing was predicted or nothing asked for. */
export interface SetScores extends SetCount {
  readonly precision: number | null;
  readonly recall: number | null;
  readonly f1: number | null;
}

/** Counts of two sets of keys. */
export function countSets(gold: ReadonlySet<string>, predicted: ReadonlySet<string>): SetCount {
  let matched = 0;
  for (const key of predicted) if (gold.has(key)) matched += 1;
  return { gold: gold.size, predicted: predicted.size, matched };
}

/** All counts together. */
export function sumCounts(counts: readonly SetCount[]): SetCount {
  const sum = (key: keyof SetCount): number => counts.reduce((total, count) => total + count[key], 0);
  return { gold: sum('gold'), predicted: sum('predicted'), matched: sum('matched') };
}

/** Scores over all counts together (micro average), as ADVETA's appendix C.4 defines them for one set of tuples. */
export function scoreSets(counts: readonly SetCount[]): SetScores {
  const { gold, predicted, matched } = sumCounts(counts);
  const [precision, recall] = [share(matched, predicted), share(matched, gold)];
  // 2PR / (P + R) by the counts, which also holds where one of them is 0.
  return { gold, predicted, matched, precision, recall, f1: share(2 * matched, gold + predicted) };
}

/** A schema item and the question token that names it, as one text each. */
interface QuestionLinks {
  readonly id: string;
  readonly columns: ReadonlySet<string>;
  readonly tables: ReadonlySet<string>;
}

const tokenSchema = z.union([z.int().nonnegative(), z.string().min(1)]);
const linksSchema = z.array(z.tuple([z.string().min(1), tokenSchema]));

const recordSchema = z.object({
  id: z.union([z.string().min(1), z.int()]),
  columns: linksSchema.default([]),
  tables: linksSchema.default([]),
});

const FIX =
  'Each line needs an id and pairs of a name and a question token: {"id": "dev:0", "columns": [["singer.name", 3]], "tables": [["singer", 5]]}';

/** Names and tokens do not differ by case; a token is its position from 0, or its text. */
function keysOf(links: readonly (readonly [string, number | string])[]): ReadonlySet<string> {
  return new Set(
    links.map(([name, token]) =>
      JSON.stringify([name.toLowerCase(), typeof token === 'string' ? token.toLowerCase() : token]),
    ),
  );
}

function fail(message: string, file: string, line: number, fix: string): never {
  throw new InputFormatError(message, { where: { file, line }, fix });
}

/**
 * Reads JSON lines `{id, columns: [["table.column", token]], tables: [["table", token]]}`, one per question.
 * @throws InputFormatError naming the line
 */
export function readLinks(file: string): readonly QuestionLinks[] {
  const seen = new Set<string>();
  const links = readEvaluationLines(file)
    .filter(({ text }) => text.trim() !== '')
    .map(({ text, line }): QuestionLinks => {
      const place = { file, line, id: '' };
      const { id, columns, tables } = checkRecord(recordSchema, parseJson(text, file, line), place, FIX);
      if (seen.has(String(id))) {
        fail(`id ${JSON.stringify(id)} occurs twice`, file, line, 'Put all links of a question on one line.');
      }
      seen.add(String(id));
      return { id: String(id), columns: keysOf(columns), tables: keysOf(tables) };
    });
  if (links.length > 0) return links;
  throw new InputFormatError('the file holds no links', { where: { file }, fix: FIX });
}

/**
 * Reads predicted links and joins them with the gold's by id.
 * @throws InputFormatError naming the line, an id that the gold does not have, or those without prediction
 */
export function readPredictedLinks(file: string, gold: readonly QuestionLinks[]): readonly QuestionLinks[] {
  const predicted = new Map(readLinks(file).map((links) => [links.id, links]));
  const known = new Set(gold.map(({ id }) => id));
  const unknown = [...predicted.keys()].find((id) => !known.has(id));
  const links = gold.map(({ id }) => predicted.get(id));
  const [missing] = gold.filter(({ id }) => !predicted.has(id));
  if (unknown !== undefined) {
    throw new InputFormatError(`id ${JSON.stringify(unknown)} is none of the gold file's`, {
      where: { file },
      fix: `Use ids such as "${gold[0]?.id ?? ''}".`,
    });
  }
  const found = links.filter((one) => one !== undefined);
  if (missing !== undefined) {
    const count = gold.length - found.length;
    throw new InputFormatError(`${count} of ${gold.length} questions have no links, such as ${missing.id}`, {
      where: { file },
      fix: 'Add a line for each, {"id": …, "columns": [], "tables": []} where the model linked nothing.',
    });
  }
  return found;
}

/** A change of what counts as a link is another version. */
const LINKING_MODE = 'linking@1';

export interface LinkingSummary {
  readonly mode: typeof LINKING_MODE;
  readonly questions: number;
  /** Over (column, question token) pairs: Col_P, Col_R, Col_F of ADVETA's appendix C.4. */
  readonly columns: SetScores;
  /** Over (table, question token) pairs: Tab_P, Tab_R, Tab_F. */
  readonly tables: SetScores;
}

/**
 * How well a model links question tokens to columns and tables, as ADVETA's appendix C.4 measures it after Liu et al.
 * 2021: precision, recall and F1 over the tuples of all questions. Both lists are of the same questions in order.
 */
export function summarizeLinking(gold: readonly QuestionLinks[], predicted: readonly QuestionLinks[]): LinkingSummary {
  const scores = (kind: 'columns' | 'tables'): SetScores =>
    scoreSets(gold.map((links, i) => countSets(links[kind], predicted[i]?.[kind] ?? new Set())));
  return { mode: LINKING_MODE, questions: gold.length, columns: scores('columns'), tables: scores('tables') };
}
