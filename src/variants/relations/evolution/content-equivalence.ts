import { escapeRegExp } from '../query/question-phrases.js';
import { columnKey } from '../../../schema/schema.js';
import { foldName, renderString, type SqlDialect } from '../../../sql/dialect.js';
import type { RowReader } from '../../databases/row-reader.js';
import type { GoldUse } from '../schema/gold-use.js';
import type { QuestionMode } from '../relation.js';
import { describeColumn } from '../schema/identifiers.js';
import { type DraftColumn, changeTable, rowsOfColumn, type SchemaDraft } from '../schema/schema-draft.js';
import { type GoldlessCase, originOf, type SchemaRelation } from '../schema/schema-relation.js';
import { followValues, resultsWith, type Spelling, spellingsOf } from './value-follower.js';
import { evolutionRelation, type SchemaEvolution } from './evolution-relation.js';
import { FEWEST_ROWS_OF_A_VALUE, type ReadColumn, readColumns } from './recoding.js';
import type { ValueMapping } from '../../../formats/artifacts/mutants.js';

/** Most values of a column that is a category. */
const MOST_VALUES = 60;

/**
 * A question that names values of a gold's constants as the database spells them now; whole words, letter by letter.
 */
function withValues(question: string, { words }: GoldUse, spelling: Spelling): string {
  const named = [...spelling].filter(([before]) => words.has(foldName(before)));
  if (named.length === 0) return question;
  const byText = new Map(named.map(([before, now]) => [before.toLowerCase(), now]));
  const longestFirst = named.map(([before]) => before).sort((a, b) => b.length - a.length);
  const pattern = new RegExp(`(?<![\\p{L}\\d])(?:${longestFirst.map(escapeRegExp).join('|')})(?![\\p{L}\\d])`, 'giu');
  // A single letter is a value only as it is spelled: "a" is an article.
  return question.replaceAll(pattern, (text) => {
    const isValue = text.length > 1 || spelling.has(text);
    return isValue ? (byText.get(text.toLowerCase()) ?? text) : text;
  });
}

function respelled(draft: SchemaDraft, { ref }: ReadColumn, spelling: Spelling): SchemaDraft {
  const branches = Array.from(spelling, ([before, now]) => `WHEN ${renderString(before)} THEN ${renderString(now)}`);
  const respell = (old: DraftColumn): DraftColumn => {
    return { ...old, sql: `CASE ${old.sql} ${branches.join(' ')} END`, declaredType: 'TEXT' };
  };
  return changeTable(draft, ref.table, (table) => ({
    ...table,
    columns: table.columns.map((old, c) => (c === ref.column ? respell(old) : old)),
  }));
}

function evolutionOf(
  read: ReadColumn,
  name: string,
  spelling: Spelling,
  question: QuestionMode,
  dialect: SqlDialect,
): SchemaEvolution {
  const { ref } = read;
  const column = describeColumn(read);
  const [[before, now] = ['', '']] = spelling;
  return {
    key: `${columnKey(ref)}:${name}`,
    level: name,
    detail: `values of ${column} in ${name}: ${before} is ${now}`,
    change: (draft) => respelled(draft, read, spelling),
    follow: (gold) => followValues(gold, ref, spelling, dialect),
    ...(question === 'follow' ? { reword: (text, gold) => withValues(text, gold, spelling) } : {}),
    mapping: (gold): readonly ValueMapping[] => [
      { column, now: [column], restored: null, values: [...spelling], results: resultsWith(gold, ref, dialect) },
    ],
  };
}

/** Rows that have a value in a column. */
function rowsWith(rows: RowReader, one: GoldlessCase, { ref }: ReadColumn): number {
  const { sql, from } = rowsOfColumn(one, ref);
  return Number(rows.rowsOf(originOf(one), `SELECT count(${sql}) FROM ${from}`)?.[0]?.[0] ?? 0);
}

/** Other spellings of a column's values; none of a column that is no category of texts. */
function evolutionsOf(
  rows: RowReader,
  one: GoldlessCase,
  read: ReadColumn,
  question: QuestionMode,
  dialect: SqlDialect,
): readonly SchemaEvolution[] {
  const texts = read.values.filter((value) => typeof value === 'string');
  if (read.isNumeric || texts.length < read.values.length || texts.length > MOST_VALUES) return [];
  if (rowsWith(rows, one, read) < FEWEST_ROWS_OF_A_VALUE * texts.length) return [];
  return spellingsOf(texts).map(([name, spelling]) => evolutionOf(read, name, spelling, question, dialect));
}

/**
 * Content Equivalence: the values of a category are spelled otherwise, in short or long forms, in capitals or small
 * letters; constants of gold queries go with them, and the question stays, or has the new words, too. Where a gold
 * returns the column, its rows have the new values.
 */
export function contentEquivalence(rows: RowReader, question: QuestionMode, dialect: SqlDialect): SchemaRelation {
  return evolutionRelation({
    id: 'CEq',
    version: 1,
    ...(question === 'same' ? {} : { parts: `question ${question}` }),
    dialect,
    changes: (one) => {
      const columns = readColumns(rows, one, dialect);
      if (columns === null) return { reason: 'no-rows-to-read' };
      return columns.flatMap((read) => evolutionsOf(rows, one, read, question, dialect));
    },
  });
}
