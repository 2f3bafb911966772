import { type ColumnRef, columnKey, type Database } from '../../schema/schema.js';
import type { Clause, ClauseQuery } from '../clauses/clause.js';
import { columnsOf } from '../clauses/clause-parts.js';
import type { SchemaMentions } from './schema-mentions.js';
import type { ScoredSegment } from './segment-score.js';

/** Words that say how to order, and nothing of what by. */
const ORDERING =
  /^(?:in|the|of|by|from|to|and|a|an|is|are|with|order|ordered|sorted|sort|ascending|descending|increasing|decreasing|reverse|alphabetical|alphabetically|lexicographical|highest|lowest|largest|smallest|most|least|top|first|last|high|low|please|them|it|results?)$/u;
/** A column is mentioned from this share of its name on. */
const MENTIONED = 0.5;

/** Whether a segment orders without a word of the column that it orders by: NO MENTIONED (Spider-SS §2.3). */
export function isUnmentioned(clause: Clause, { words }: ScoredSegment, mentions: SchemaMentions): boolean {
  if (clause.kind !== 'order' || columnsOf(clause).length === 0) return false;
  // "in" implies a city elsewhere; of "in alphabetical order" that says nothing.
  const isMentioned = columnsOf(clause).some((ref) => mentions.column(ref, words, '') >= MENTIONED);
  return !isMentioned && words.every((word) => ORDERING.test(word.text));
}

/** The columns that a segment names in full and the query has in a clause of another segment, or not at all. */
export function extraColumns(
  { words }: ScoredSegment,
  query: ClauseQuery,
  database: Database,
  mentions: SchemaMentions,
): readonly ColumnRef[] {
  const tables = new Set(query.clauses.flatMap((clause) => columnsOf(clause).map(({ table }) => table)));
  const refs = database.tables.flatMap(({ columns }, table) =>
    tables.has(table) ? columns.map((_, column): ColumnRef => ({ table, column })) : [],
  );
  const said = refs.filter((ref) => mentions.column(ref, words, '') === 1);
  const used = new Set(query.clauses.flatMap((clause) => columnsOf(clause).map(columnKey)));
  const ordered = said.filter((ref) => used.has(columnKey(ref)));
  return (ordered.length > 0 ? ordered : said).slice(0, 1);
}
