import type { AnnotatedSplit, NatSqlForm } from '../../formats/annotated-split.js';
import { zip } from '../../present.js';
import { columnAt, type ColumnRef, type Database, type Example } from '../../schema/schema.js';
import { foldName } from '../../sql/dialect.js';
import { clauseText } from '../clauses/write-clauses.js';
import type { ClauseQuery } from '../clauses/clause.js';
import { ClauseRefusal } from '../clauses/clause-refusal.js';
import type { JoinKey } from '../clauses/join-keys.js';
import { clausesOf } from '../clauses/read-clauses.js';
import { segmentsAt } from '../split/segment.js';
import type { AlignedQuestion, AlignedSegment, ClauseLink } from './aligned-question.js';
import { natSqlFormOf } from './spider-ss.js';

/** "singer.Name": a column by its original names. */
function columnText(ref: ColumnRef, database: Database): string {
  return `${database.tables[ref.table]?.originalName ?? ''}.${columnAt(database, ref).originalName}`;
}

function columnOf(text: string, { tables }: Database): ColumnRef | null {
  for (const [table, { originalName, columns }] of tables.entries()) {
    const column = columns.findIndex((own) => foldName(`${originalName}.${own.originalName}`) === foldName(text));
    if (column >= 0) return { table, column };
  }
  return null;
}

function natSqlOrNull(query: ClauseQuery, database: Database): NatSqlForm | null {
  try {
    return natSqlFormOf(query, database);
  } catch (error) {
    if (error instanceof ClauseRefusal) return null;
    throw error;
  }
}

/**
 * An aligned question as it is proposed to people; `position` is the example's place in its data set, `query` its gold.
 */
export function annotatedSplitOf(
  { id, question, query: { clauses }, query, segments }: AlignedQuestion,
  database: Database,
  { position, gold }: { readonly position: number; readonly gold: string },
): AnnotatedSplit {
  return {
    id,
    dbId: database.id,
    position,
    question,
    query: gold,
    clauses: clauses.map((clause) => clauseText(clause, database)),
    segments: segments.map(({ start, links, extra }) => ({
      start,
      clauses: links.map(({ clause, unmentioned }) => ({ clause, unmentioned })),
      extra: extra.map((ref) => columnText(ref, database)),
    })),
    natSql: natSqlOrNull(query, database),
  };
}

/**
 * Reads people's decisions about a question, aligned with its current gold query, all of confidence 1; returns the
 * reason if question or gold query are no longer those that people saw.
 * @throws ClauseRefusal if the gold query has no clause form
 */
export function readAnnotatedSplit(
  { question: seen, clauses, segments }: AnnotatedSplit,
  { id, question, query: gold }: Example,
  database: Database,
  keys: readonly JoinKey[],
): AlignedQuestion | { readonly reason: string } {
  if (seen !== question) return { reason: 'its question was annotated in other words' };
  const query = clausesOf(gold, database, keys);
  const texts = query.clauses.map((clause) => clauseText(clause, database));
  if (texts.join('\n') !== clauses.join('\n')) return { reason: 'its gold was annotated with other clauses' };
  const starts = segments.map(({ start }) => start);
  const aligned = zip(segmentsAt(question, starts), segments).map(([segment, own]): AlignedSegment => {
    const links = own.clauses.map((said): ClauseLink => ({ ...said, confidence: 1 }));
    const extra = own.extra.map((text) => columnOf(text, database)).filter((ref) => ref !== null);
    return { ...segment, links, extra, confidence: 1 };
  });
  return { id, dbId: database.id, question, query, segments: aligned, confidence: 1 };
}
