import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { AnnotatedSplit, NatSqlForm } from '../../formats/annotated-split.js';
import { itemAt, zip } from '../../present.js';
import type { ColumnRef, Database, Example } from '../../schema/schema.js';
import { refNamed, tableNamed } from '../../sql/schema-names.js';
import type { Clause, ClauseColumn, ClauseQuery, GroupClause } from '../clauses/clause.js';
import { columnsOf } from '../clauses/clause-parts.js';
import { ClauseRefusal } from '../clauses/clause-refusal.js';
import type { JoinKey } from '../clauses/join-keys.js';
import { clausesOfNatSql, type NatSqlClauses } from '../clauses/read-natsql.js';
import { natSqlOf } from '../clauses/write-natsql.js';
import { segmentsAt } from '../split/segment.js';
import type { AlignedQuestion, AlignedSegment, ClauseLink } from './aligned-question.js';

/** One record of Spider-SS's file; the records follow Spider's examples, whose places `rid` has. */
export const spiderSsRecord = z.looseObject({
  rid: z.int().optional(),
  db_id: z.string(),
  question_md5: z.string(),
  question_type: z.array(z.int()),
  match_link: z.array(z.array(z.union([z.int(), z.string()]))),
  NatSQL: z.string(),
  sql: z.looseObject({ groupBy: z.array(z.tuple([z.int(), z.int(), z.boolean()])) }),
});
export type SpiderSsRecord = z.infer<typeof spiderSsRecord>;

/** How Spider-SS's file writes texts apart; the one of the record's hash, or of its number of tokens, is right. */
const TOKENS: readonly RegExp[] = [/\w+|'s|[^\w\s]/gu, /\w+(?:'s)?|[^\w\s]/gu, /'?[\w.\-/]+|[^\w\s]/gu, /\S+/gu];

/** A word or mark of a question, and where it starts in it, in UTF-16 units. */
export interface PlacedWord {
  readonly text: string;
  readonly start: number;
}

/** Where people start sub-sentences, 0 first; whether their words were identified by hash, or by number alone. */
interface PeopleStarts {
  readonly starts: readonly number[];
  readonly certainty: 'hash' | 'count';
}

/** Spider-SS's hash of a question: of its tokens in lower case with blanks between. */
function md5Of(words: readonly PlacedWord[]): string {
  const text = words.map((word) => word.text.toLowerCase()).join(' ');
  return createHash('md5').update(text).digest('hex');
}

function wordsBy(pattern: RegExp, question: string): readonly PlacedWord[] {
  return [...question.matchAll(pattern)].map(({ 0: text, index }) => ({ text, start: index }));
}

/**
 * The sub-sentences as people split a question: from one label's first word to the next's; null where its words are not
 * those of the record.
 * @param others the question in words as others write it, tried before the patterns of the file
 */
export function peopleStarts(
  question: string,
  { question_md5, question_type: labels }: Pick<SpiderSsRecord, 'question_md5' | 'question_type'>,
  others: readonly (readonly PlacedWord[])[] = [],
): PeopleStarts | null {
  const forms = [...others, ...TOKENS.map((pattern) => wordsBy(pattern, question))];
  const known = forms.find((words) => md5Of(words) === question_md5);
  const words = known ?? forms.find(({ length }) => length === labels.length);
  if (words?.length !== labels.length) return null;
  const starts = words.flatMap(({ start }, i) => (i === 0 ? [0] : labels[i] === labels[i - 1] ? [] : [start]));
  return { starts, certainty: known === undefined ? 'count' : 'hash' };
}

/** The columns of Spider-SS's ids: each table's `*`, then its columns, from 0. */
function columnOfId(id: number, { tables }: Database): ClauseColumn | null {
  let first = 0;
  for (const [table, { columns }] of tables.entries()) {
    const column = id - first - 1;
    if (column < columns.length) return column < 0 ? null : { kind: 'column', table, column, copy: 0 };
    first += columns.length + 1;
  }
  return null;
}

/** The clauses that a record's NatSQL says, with those of its numbers. */
export function spiderSsClauses(record: SpiderSsRecord, database: Database, keys: readonly JoinKey[]): NatSqlClauses {
  const groups = record.sql.groupBy.map(([, id]) => columnOfId(id, database)).filter((column) => column !== null);
  return clausesOfNatSql(record.NatSQL, database, keys, groups);
}

const REWORDED = /^\s*(where|order by|group by)\b/iu;
const NAME = /(\w+)\.(\w+|\*)/u;

/** Index of the clause that a text of people's own stands for: of its kind and column, not linked by number. */
function rewordedClause(
  text: string,
  { clauses }: ClauseQuery,
  linked: ReadonlySet<number>,
  database: Database,
): number {
  const kind = REWORDED.exec(text)?.[1]?.toLowerCase();
  const [, table = '', column = ''] = NAME.exec(text) ?? [];
  const ref = refNamed(database, table, column);
  const has = (clause: Clause): boolean =>
    ref !== null && columnsOf(clause).some((own) => own.table === ref.table && own.column === ref.column);
  const index = tableNamed(database, table);
  return clauses.findIndex((clause, i) => {
    if (linked.has(i)) return false;
    if (kind === 'where')
      return clause.kind === 'related' ? clause.table === index : clause.kind === 'condition' && has(clause);
    if (kind === 'group by') return clause.kind === 'group';
    return kind === 'order by' && (clause.kind === 'order' || clause.kind === 'condition' || clause.kind === 'set');
  });
}

/**
 * Reads a record of Spider-SS: people's sub-sentences with their clauses, all of confidence 1.
 * @throws ClauseRefusal where its NatSQL has no clause form, or its tokens are not those of the question
 */
export function readSpiderSs(
  record: SpiderSsRecord,
  { id, question }: Example,
  database: Database,
  keys: readonly JoinKey[],
): AlignedQuestion {
  const found = peopleStarts(question, record);
  const segments = found === null ? null : segmentsAt(question, found.starts);
  if (segments?.length !== record.match_link.length)
    throw new ClauseRefusal('natsql', 'other tokens than the question', { where: { id } });
  const { query, parts } = spiderSsClauses(record, database, keys);
  const numbers = record.match_link.flat().filter((link) => typeof link === 'number');
  const linked = new Set(numbers.flatMap((part) => parts[part] ?? []));
  const aligned = zip(segments, record.match_link).map(([segment, own]): AlignedSegment => {
    const clauses = own.flatMap((link) => {
      if (typeof link === 'number') return parts[link] ?? [];
      const reworded = rewordedClause(link, query, linked, database);
      return reworded < 0 ? [] : [reworded];
    });
    const links = [...new Set(clauses)].map((clause): ClauseLink => ({ clause, confidence: 1, unmentioned: false }));
    const extra = own.flatMap((link) => (typeof link === 'string' ? extraOf(link, database) : []));
    return { ...segment, links, extra, confidence: 1 };
  });
  return { id, dbId: database.id, question, query, segments: aligned, confidence: 1 };
}

const EXTRA = /^\s*extra\s+([^.]+)\.(.+?)\s*$/iu;

/** The column of "extra singer.Name", whose own name may have blanks. */
function extraOf(link: string, database: Database): readonly ColumnRef[] {
  const [, table = '', column = ''] = EXTRA.exec(link) ?? [];
  const ref = refNamed(database, table, column);
  return ref === null ? [] : [ref];
}

/**
 * A query as a record of Spider-SS has it.
 * @throws ClauseRefusal where NatSQL has no form for the query, or its columns
 */
export function natSqlFormOf(query: ClauseQuery, database: Database): NatSqlForm {
  const groups = query.clauses.flatMap((clause) => (clause.kind === 'group' ? [groupUnit(clause, database)] : []));
  return { ...natSqlOf(query, database), groupBy: groups };
}

/**
 * A split question as a record of Spider-SS; `rid` is its example's place in the data set. Tokens are words and marks; a
 * segment's label is its place from 1, and one without clauses links to the number after the last. Of `sql` only the
 * group keys are written, and NO MENTIONED has no form.
 */
export function writeSpiderSs(split: Omit<AnnotatedSplit, 'natSql'>, natSql: NatSqlForm): SpiderSsRecord {
  const { dbId, position, question, segments } = split;
  const tokens = wordsBy(itemAt(TOKENS, 0), question);
  const match_link = segments.map(({ clauses, extra }) => {
    const linked = clauses.map(({ clause }) => itemAt(natSql.parts, clause));
    const texts = extra.map((column) => `extra ${column}`);
    return linked.length + texts.length === 0 ? [Math.max(...natSql.parts) + 1] : [...linked, ...texts];
  });
  return {
    rid: position,
    db_id: dbId,
    question_md5: md5Of(tokens),
    question_type: tokens.map((word) => 1 + segments.findLastIndex(({ start }) => start <= word.start)),
    match_link,
    NatSQL: natSql.text,
    sql: { groupBy: natSql.groupBy.map(([unit, column, distinct]) => [unit, column, distinct]) },
  };
}

function groupUnit({ value }: GroupClause, { tables }: Database): [number, number, boolean] {
  if (value.kind !== 'column') throw new ClauseRefusal('natsql', 'a group key that is no column');
  const before = tables.slice(0, value.table).reduce((sum, { columns }) => sum + columns.length + 1, 0);
  return [0, before + value.column + 1, false];
}
