import { createHash } from 'node:crypto';
import { z } from 'zod';
import { elementAt } from '../../present.js';
import type { ColumnRef, Database, Example } from '../../schema/schema.js';
import { refNamed } from '../../sql/schema-names.js';
import type { Clause, ClauseColumn, ClauseQuery } from '../clauses/clause.js';
import { columnsOf } from '../clauses/clause-parts.js';
import { ClauseRefusal } from '../clauses/clause-refusal.js';
import type { JoinKey } from '../clauses/join-keys.js';
import { clausesOfNatSql, type NatSqlClauses } from '../clauses/read-natsql.js';
import type { Segment } from '../split/segment.js';
import type { AlignedQuestion, AlignedSegment, ClauseLink } from './aligned-question.js';

/** One record of Spider-SS's file; the records follow Spider's examples. */
export const spiderSsRecord = z.looseObject({
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

function tokensOf(
  question: string,
  { question_md5, question_type }: SpiderSsRecord,
): readonly RegExpExecArray[] | null {
  const tried = TOKENS.map((pattern) => [...question.matchAll(pattern)]);
  const hash = (tokens: readonly RegExpExecArray[]): string =>
    createHash('md5')
      .update(tokens.map(([token]) => token.toLowerCase()).join(' '))
      .digest('hex');
  const known = tried.find((tokens) => hash(tokens) === question_md5);
  return known ?? tried.find((tokens) => tokens.length === question_type.length) ?? null;
}

/** The sub-sentences as people split a question: from one label's first token to the next's; null where tokens differ. */
export function spiderSsSegments(question: string, record: SpiderSsRecord): readonly Segment[] | null {
  const tokens = tokensOf(question, record);
  const types = record.question_type;
  if (tokens?.length !== types.length) return null;
  const starts = tokens.flatMap(({ index }, i) => (i === 0 ? [0] : types[i] === types[i - 1] ? [] : [index]));
  return starts.map((start, i) => {
    const end = starts[i + 1] ?? question.length;
    return { text: question.slice(start, end), start, end };
  });
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
  const index = database.tables.findIndex(({ originalName }) => originalName.toLowerCase() === table.toLowerCase());
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
  const segments = spiderSsSegments(question, record);
  if (segments?.length !== record.match_link.length)
    throw new ClauseRefusal('natsql', 'other tokens than the question', { where: { id } });
  const { query, parts } = spiderSsClauses(record, database, keys);
  const numbers = record.match_link.flat().filter((link) => typeof link === 'number');
  const linked = new Set(numbers.flatMap((part) => parts[part] ?? []));
  const aligned = segments.map((segment, s): AlignedSegment => {
    const own = elementAt(record.match_link, s);
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

function extraOf(link: string, database: Database): readonly ColumnRef[] {
  const [, table = '', column = ''] = /^\s*extra\b/iu.test(link) ? (NAME.exec(link) ?? []) : [];
  const ref = refNamed(database, table, column);
  return ref === null ? [] : [ref];
}
