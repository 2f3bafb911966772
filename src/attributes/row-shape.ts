import type { Table } from '../schema/schema.js';
import type { TargetTable } from '../stage.js';
import { FILING_WORDS } from './filing-words.js';
import { columnNameKey, wordsOf } from '../schema/name-identity.js';

/** Words of columns that count or relate what a row sums up, the abbreviations of published files among them. */
const FIGURE_WORDS = new Set(
  (
    'count counts cnt number num total totals tot percent percentage pct per rate ratio proportion share average avg ' +
    'mean median index sum'
  ).split(' '),
);
/** Words of columns that say for which time a figure holds. */
const PERIOD_WORDS = new Set('year quarter month week semester season period'.split(' '));
const PERIOD_MODIFIERS = new Set('school fiscal academic calendar reporting report'.split(' '));

/** What is looked at in the field: when, and where. */
const OCCASION_WORDS = new Set('event visit survey session trip sample observation inspection'.split(' '));
const PLACE_WORDS = new Set('location site plot station point transect zone'.split(' '));

/** The words of each column that is an id. */
function idsOf({ columns }: Table): readonly (readonly string[])[] {
  return columns.map(({ name }) => wordsOf(name)).filter((words) => words.at(-1) === 'id');
}

/** Whether at least two columns, and all but one, are ids: of what the rows link. */
export function isLinkTable(table: Table): boolean {
  const ids = idsOf(table).length;
  return ids >= 2 && ids >= table.columns.length - 1;
}

/**
 * Whether rows are published figures: at least two columns count or relate something, and one says for which year or
 * other period they hold, or a third of them do, four or more. What counts is "number of seats", not a "house number".
 */
export function isStatistics({ columns }: Table): boolean {
  const named = columns.map(({ name }) => wordsOf(name));
  const figures = named.filter((words) => words.at(-1) !== 'number' && words.some((word) => FIGURE_WORDS.has(word)));
  const hasManyFigures = figures.length >= Math.max(4, columns.length / 3);
  return hasManyFigures || (figures.length >= 2 && named.some(saysPeriod));
}

/** "Year" and "school year", but no "open year". */
function saysPeriod(words: readonly string[]): boolean {
  return PERIOD_WORDS.has(words.at(-1) ?? '') && words.slice(0, -1).every((word) => PERIOD_MODIFIERS.has(word));
}

/**
 * Whether rows say what things of another table were like at a time: "player attributes" with a date, next to "player".
 * Such a row has what was measured then; what a player has once stands with the players.
 */
export function isSnapshot({ table, siblings = [] }: TargetTable, entity: string): boolean {
  const isFiled = FILING_WORDS.has(wordsOf(table.name).at(-1) ?? '');
  const isDated = table.columns.some(
    ({ name, type }) => type === 'time' || saysPeriod(wordsOf(name)) || /\bdate$/.test(name),
  );
  return isFiled && isDated && siblings.some(({ name }) => columnNameKey(name) === columnNameKey(entity));
}

/** Last words of columns that only tell one value from another. */
const LABEL_WORDS = new Set('id code key name description text label title value'.split(' '));

/** Whether rows are values that other tables refer to: a key, and what it stands for, in two columns or three. */
export function isLookup({ name, columns }: Table): boolean {
  const labels = columns.filter((one) => LABEL_WORDS.has(wordsOf(one.name).at(-1) ?? '') || saysTable(one.name, name));
  return columns.length > 1 && columns.length <= 3 && labels.length === columns.length;
}

/** Whether a column is called as its table is: "behavior" of "tlu behavior". */
function saysTable(column: string, table: string): boolean {
  return ` ${columnNameKey(table)}`.endsWith(` ${columnNameKey(column)}`);
}

/** Whether rows were recorded in the field: keys say at which occasion, and at which place. */
export function isFieldRecord(table: Table): boolean {
  const ids = idsOf(table);
  return [OCCASION_WORDS, PLACE_WORDS].every((kind) => ids.some((words) => kind.has(words.at(-2) ?? '')));
}
