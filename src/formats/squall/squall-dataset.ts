import { renderIdentifier, renderString, SQLITE } from '../../sql/dialect.js';
import {
  findSquallTable,
  readSquallTable,
  type SquallRecord,
  squallRecordSchema,
  type SquallTableFile,
  type SquallToken,
} from './squall-files.js';
import { type SquallPlace, type SquallSchema, toSqliteTables, toSquallSchema } from './squall-schema.js';
import { mustGet, zip } from '../../present.js';
import { InputFormatError } from '../../errors.js';
import { fileSha256, sha256Of } from '../../run/sha256.js';
import { type Dataset, type DatasetExample, NO_SQL, type PathsWith, type SkippedExample } from '../dataset.js';
import { checkRecord, loadJsonArray } from '../json-file.js';
import { readEach, readUsable } from '../usable-records.js';
import { sqliteFileIn } from '../sqlite-tables.js';

/** A query, or why SQUALL's tokens give none. */
type SquallQuery = { readonly query: string } | { readonly reason: string };

/** SQUALL's evaluator reads this word as the number 2014, the year when the questions were asked. */
const PRESENT = ['present_ref', '2014'] as const;

/**
 * The SELECT that each token belongs to, by number; null outside of any. A parenthesis belongs to the SELECT around it,
 * and so does what is in it until another SELECT begins.
 */
function selectsOf(tokens: readonly SquallToken[]): readonly (number | null)[] {
  const outer: (number | null)[] = [];
  let [current, count]: [number | null, number] = [null, 0];
  return tokens.map(([type, text]) => {
    if (type === 'Keyword' && text === '(') outer.push(current);
    if (type === 'Keyword' && text === 'select') current = count++;
    const own = current;
    if (type === 'Keyword' && text === ')' && outer.length > 0) current = outer.pop() ?? null;
    return own;
  });
}

/** Undoes the quoting of a literal, in SQL's form or in Python's. */
function literalText(text: string): string {
  const quote = text[0];
  if (text.length < 2 || (quote !== "'" && quote !== '"') || text.at(-1) !== quote) return text;
  return text
    .slice(1, -1)
    .replace(/\\(['"\\])/gu, '$1')
    .replaceAll(quote + quote, quote);
}

function renderNumber(text: string): string | null {
  const plain = text.replaceAll(',', '').trim();
  return /^-?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/iu.test(plain) ? plain : null;
}

/** A token as SQL; null where it is nothing that we know. */
function renderToken([type, text]: SquallToken, places: ReadonlyMap<string, SquallPlace>): string | null {
  if (type === 'Column') {
    const place = places.get(text);
    return place === undefined ? null : renderIdentifier(place.identifier);
  }
  if (type === 'Keyword') return text === PRESENT[0] ? PRESENT[1] : text;
  if (type === 'Literal.String') return renderString(literalText(text));
  return type === 'Literal.Number' ? renderNumber(text) : null;
}

/** Tables of list columns by the SELECT that uses them; SQUALL leaves their joins to its evaluator. */
function listTables(
  tokens: readonly SquallToken[],
  selects: readonly (number | null)[],
  places: ReadonlyMap<string, SquallPlace>,
): ReadonlyMap<number | null, ReadonlySet<string>> {
  const needed = new Map<number | null, Set<string>>();
  for (const [[type, text], select] of zip(tokens, selects)) {
    const table = type === 'Column' ? places.get(text)?.listTable : null;
    if (typeof table === 'string') needed.set(select, (needed.get(select) ?? new Set()).add(table));
  }
  return needed;
}

const isWord = (token: SquallToken | undefined, word: string): boolean =>
  token !== undefined && token[0] === 'Keyword' && token[1] === word;

/**
 * SQUALL's tokens as SQL on our names: columns by their headers, literals quoted, `present_ref` as 2014, and the joins
 * that list columns need, as SQUALL's evaluator adds them. Its conditions on `agg` and NULL are not added: the query
 * is the one that was annotated.
 */
function renderSquallQuery(tokens: readonly SquallToken[], places: ReadonlyMap<string, SquallPlace>): SquallQuery {
  const selects = selectsOf(tokens);
  const needed = new Map(listTables(tokens, selects, places));
  const words: string[] = [];
  for (const [i, [token, select]] of zip(tokens, selects).entries()) {
    const text = renderToken(token, places);
    if (text === null)
      return { reason: `token ${i} of its SQL, ${JSON.stringify(token[1])}, is not known in the table` };
    words.push(text);
    const tables = needed.get(select);
    if (tables === undefined || !isWord(token, 'w') || !isWord(tokens[i - 1], 'from')) continue;
    for (const table of tables) words.push(`join ${table} on id = ${table}.m_id`);
    needed.delete(select);
  }
  return needed.size === 0
    ? { query: words.join(' ') }
    : { reason: 'a list column is used in a SELECT without "from w"' };
}

/** A table with its schema; its rows are read again when they are needed. */
export interface SquallSource extends SquallSchema {
  readonly source: SquallTableFile;
  /** Number of columns under a header. */
  readonly headers: number;
}

export interface SquallDataset extends Dataset {
  /** By table id, which is the database id. */
  readonly sources: ReadonlyMap<string, SquallSource>;
}

export interface SquallExample extends DatasetExample {
  readonly record: SquallRecord;
}

function recordReader(file: string): (json: unknown, index: number) => SquallRecord {
  const seen = new Set<string>();
  const fix = 'Take the file from SQUALL’s own release (data/squall.json, or a split of it).';
  return (json, index) => {
    const { nt } = checkRecord(squallRecordSchema, json, { file, id: `question ${index}` }, fix);
    if (seen.has(nt)) throw new InputFormatError('this nt occurs twice', { where: { file, id: nt }, fix });
    seen.add(nt);
    // As it is in the file: zod's copy has its own order of fields.
    return json as SquallRecord;
  };
}

function loadSource(folder: string, tbl: string): SquallSource {
  const source = findSquallTable(folder, tbl);
  const table = readSquallTable(source);
  return { ...toSquallSchema(tbl, table), source, headers: table.headers.length - 2 };
}

interface Sources {
  readonly sources: ReadonlyMap<string, SquallSource>;
  readonly skipped: readonly SkippedExample[];
}

/**
 * The tables that questions ask for; one that can't be used takes its questions with it, and no others.
 * @throws InputFormatError where none can be used
 */
function loadSources(folder: string, records: readonly SquallRecord[]): Sources {
  const { kept, skipped } = readEach(
    new Set(records.map(({ tbl }) => tbl)),
    (tbl) => [tbl, loadSource(folder, tbl)] as const,
    ({ message: reason }, tbl) => ({ id: tbl, reason }),
  );
  return { sources: new Map(kept), skipped };
}

/** Why a column is not there, where a table of WikiTableQuestions is the cause. */
const WTQ_REASON = 'WikiTableQuestions’ CSV has no derived columns; give SQUALL’s tables/json as --tables';

function toExample(record: SquallRecord, { source, places, headers }: SquallSource): SquallExample | SkippedExample {
  const { nt: id, tbl, nl, sql = [], columns } = record;
  if (sql.length === 0) return { id, reason: NO_SQL };
  if (columns.length !== headers) {
    return { id, reason: `it lists ${columns.length} columns, its table has ${headers}` };
  }
  const rendered = renderSquallQuery(sql, places);
  if ('query' in rendered) return { id, group: id, dbId: tbl, question: nl.join(' '), query: rendered.query, record };
  return { id, reason: source.kind === 'csv' ? `${rendered.reason}: ${WTQ_REASON}` : rendered.reason };
}

/** A SQLite file of a table under the names of our schema. */
function sqliteOf(dataset: ReadonlyMap<string, SquallSource>, dbId: string, scratch: string): string | null {
  const found = dataset.get(dbId);
  if (found === undefined) return null;
  const nameOf = ({ col }: { readonly col: string }): string =>
    mustGet(found.places.get(col), 'found.places.get(col)').identifier;
  return sqliteFileIn(scratch, dbId, () => toSqliteTables(readSquallTable(found.source), nameOf));
}

/** @throws InputFormatError for WikiTableQuestions' own questions, which are the only ones in such a file */
function requireSquall(file: string): void {
  if (!/\.tsv$/iu.test(file)) return;
  throw new InputFormatError('this is WikiTableQuestions’ own file, which has answers and no SQL', {
    where: { file },
    fix: 'Name SQUALL’s questions of the same tables, squall.json or a split of it (--examples).',
  });
}

/**
 * SQUALL: questions of WikiTableQuestions with SQL as tokens. `--examples` is `squall.json` or a split; `--tables` is
 * SQUALL's `tables/json`, or WikiTableQuestions' `csv`, which only serves queries without derived columns. Each table
 * is a database of its own, its columns named by their headers.
 * @throws InputFormatError when a file is not what SQUALL's format promises, or a table is absent
 */
export function loadSquallDataset({ tables, examples: questions }: PathsWith<'tables' | 'examples'>): SquallDataset {
  requireSquall(questions);
  const { kept: records, skipped } = readUsable(
    loadJsonArray(questions, 'questions', 'nt'),
    questions,
    recordReader(questions),
  );
  const { sources, skipped: skippedSchemas } = loadSources(tables, records);
  const all = records.map((record): SquallExample | SkippedExample => {
    const source = sources.get(record.tbl);
    return source === undefined
      ? { id: record.nt, reason: `its table ${record.tbl} is left out` }
      : toExample(record, source);
  });
  const examples = all.filter((one): one is SquallExample => 'query' in one);
  return {
    format: 'squall',
    dialect: SQLITE,
    databases: new Map([...sources].map(([tbl, { database }]) => [tbl, database])),
    size: examples.length,
    skipped: [...skipped, ...all.filter((one): one is SkippedExample => 'reason' in one)],
    skippedSchemas,
    fingerprints: {
      tables: sha256Of(JSON.stringify([...sources].map(([tbl, { source }]) => [tbl, fileSha256(source.file)]))),
      examples: fileSha256(questions),
    },
    sources,
    examples: () => examples,
    sampleValues: ({ id }) => mustGet(sources.get(id), 'sources.get(id)').samples,
    hasRows: (dbId) => sources.has(dbId),
    sqliteFile: (dbId, scratch) => sqliteOf(sources, dbId, scratch),
  };
}
