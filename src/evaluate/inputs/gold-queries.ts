import { basename, extname } from 'node:path';
import { z } from 'zod';
import { InputFormatError } from '../../errors.js';
import { checkRecord, parseJson } from '../../formats/json-file.js';
import { areJsonLines, beginsWith, type NumberedLine, readEvaluationLines } from './evaluation-lines.js';

/** A gold query; `group` is its interaction, or its own id. */
export interface GoldQuery {
  readonly id: string;
  readonly group: string;
  readonly dbId: string;
  readonly sql: string;
  /** The question, if the file or the data set has it. */
  readonly question?: string;
  /** Line of its file, from 1. */
  readonly line?: number;
}

const recordSchema = z.object({
  id: z.union([z.string().min(1), z.int()]),
  db_id: z.string().min(1),
  sql: z.string().min(1).optional(),
  query: z.string().min(1).optional(),
  group: z.string().min(1).optional(),
  question: z.string().optional().catch(undefined),
});

const FIX =
  'Each line needs a query, a tab and its db_id: SELECT count(*) FROM singer<tab>concert_singer. Questions with their SQL, in CSV or JSON, are given as --examples.';
const JSON_FIX = 'Each line needs id, db_id and sql: {"id": "dev:0", "db_id": "concert_singer", "sql": "SELECT …"}';

function isBlank({ text }: NumberedLine): boolean {
  return text.trim() === '';
}

/** Lines between blank ones. */
export function splitAtBlanks(lines: readonly NumberedLine[]): NumberedLine[][] {
  const groups: NumberedLine[][] = [[]];
  for (const line of lines) {
    if (isBlank(line)) groups.push([]);
    else groups.at(-1)?.push(line);
  }
  return groups.filter((group) => group.length > 0);
}

function readSqlLine({ text, line }: NumberedLine, file: string): Pick<GoldQuery, 'sql' | 'dbId'> {
  const tab = text.lastIndexOf('\t');
  const [sql, dbId] = [text.slice(0, Math.max(0, tab)).trim(), text.slice(tab + 1).trim()];
  if (sql === '' || dbId === '') {
    throw new InputFormatError('the line has no query or no db_id', { where: { file, line }, fix: FIX });
  }
  return { sql, dbId };
}

/** Blank lines between queries make interactions of them, "gold:3.0" is the first turn of the fourth. */
function readSqlLines(lines: readonly NumberedLine[], file: string): GoldQuery[] {
  const stem = basename(file, extname(file));
  const groups = splitAtBlanks(lines);
  const isFlat = groups.length <= 1;
  return groups.flatMap((group, g) =>
    group.map((line, turn) => {
      const id = isFlat ? `${stem}:${turn}` : `${stem}:${g}.${turn}`;
      return { id, group: isFlat ? id : `${stem}:${g}`, line: line.line, ...readSqlLine(line, file) };
    }),
  );
}

function asked(question: string | undefined): Pick<GoldQuery, 'question'> {
  return question === undefined ? {} : { question };
}

function readJsonLines(lines: readonly NumberedLine[], file: string): GoldQuery[] {
  return lines
    .filter((line) => !isBlank(line))
    .map(({ text, line }) => {
      const place = { file, line, id: '' };
      const {
        id,
        db_id: dbId,
        sql,
        query,
        group,
        question,
      } = checkRecord(recordSchema, parseJson(text, file, line), place, JSON_FIX);
      const gold = sql ?? query;
      if (gold === undefined) throw new InputFormatError('field "sql" is missing', { where: place, fix: JSON_FIX });
      return { id: String(id), group: group ?? String(id), line, dbId, sql: gold, ...asked(question) };
    });
}

const questionFormat = z.looseObject({
  id: z.union([z.string().min(1), z.int()]).optional(),
  db_id: z.string().min(1),
  query: z.string().min(1).optional(),
  sql: z.string().min(1).optional().catch(undefined),
  SQL: z.string().min(1).optional(),
  question: z.string().optional().catch(undefined),
});
const LIST_FIX = 'Each record needs db_id and its query, as in Spider’s dev.json.';

/**
 * A JSON list of questions with their gold queries, as data sets have them: Spider's dev.json, whose `sql` is a
 * structure.
 */
function readList(text: string, file: string): GoldQuery[] {
  const stem = basename(file, extname(file));
  return (parseJson(text, file) as readonly unknown[]).map((record, i) => {
    const place = { file, id: `record ${i}` };
    const { id, db_id: dbId, query, SQL, sql, question } = checkRecord(questionFormat, record, place, LIST_FIX);
    const gold = query ?? SQL ?? sql;
    if (gold === undefined) throw new InputFormatError('field "query" is missing', { where: place, fix: LIST_FIX });
    const own = id === undefined ? `${stem}:${i}` : String(id);
    return { id: own, group: own, dbId, sql: gold, ...asked(question) };
  });
}

function checkIds(queries: readonly GoldQuery[], file: string): void {
  const ids = new Set<string>();
  for (const { id } of queries) {
    if (ids.has(id))
      throw new InputFormatError('this id occurs twice', { where: { file, id }, fix: 'Give each its own.' });
    ids.add(id);
  }
}

function readQueries(lines: readonly NumberedLine[], file: string): GoldQuery[] {
  if (beginsWith(lines, '[')) return readList(lines.map(({ text }) => text).join('\n'), file);
  return areJsonLines(lines) ? readJsonLines(lines, file) : readSqlLines(lines, file);
}

/**
 * Reads gold queries: lines of SQL, a tab and the db_id, as Spider has them; blank lines separate the interactions of
 * CoSQL and SParC. Or JSON lines `{id, db_id, sql}`, where `query` may be written instead of `sql`, and `group` names
 * an interaction. Or a JSON list of questions, as data sets have them.
 * @throws InputFormatError naming the line
 */
export function readGoldQueries(file: string): readonly GoldQuery[] {
  const lines = readEvaluationLines(file);
  const queries = readQueries(lines, file);
  if (queries.length === 0) {
    throw new InputFormatError('the file holds no gold queries', { where: { file }, fix: FIX });
  }
  checkIds(queries, file);
  return queries;
}
