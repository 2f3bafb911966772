import type { CorpusTable, TargetTable } from '../stage.js';

/** Changes whenever the texts below do: vectors of other texts are not comparable with them. */
export const TABLE_CONTEXT_VERSION = 1;

/** Budgets in characters; together about the 256 tokens that the encoder reads. */
const TITLE_LENGTH = 120;
const COLUMNS_LENGTH = 320;
const VALUES_LENGTH = 200;
const QUESTIONS_LENGTH = 560;
const VALUE_LENGTH = 30;
const VALUES_PER_COLUMN = 2;

function clip(text: string, length: number): string {
  return text.replace(/\s+/gu, ' ').trim().slice(0, length).trim();
}

/** As many of the items as fit, in order; a first item that is too long is cut. */
function joinWithin(items: readonly string[], length: number): string {
  const kept: string[] = [];
  let used = 0;
  for (const item of items) {
    if (used + item.length > length) break;
    kept.push(item);
    used += item.length + 2;
  }
  return kept.length === 0 ? clip(items[0] ?? '', length) : kept.join(', ');
}

function distinct(items: readonly string[]): string[] {
  return [...new Set(items.map((item) => item.replace(/\s+/gu, ' ').trim()))].filter((item) => item !== '');
}

/** Values row-wise (first of each column, then second of each), so that every column has its say before the cut. */
function renderValues(valuesByColumn: readonly (readonly string[])[]): string {
  const short = valuesByColumn.map((values) => distinct(values).filter((value) => value.length <= VALUE_LENGTH));
  const rows = Array.from({ length: VALUES_PER_COLUMN }, (_, row) => short.flatMap((values) => values[row] ?? []));
  return joinWithin(distinct(rows.flat()), VALUES_LENGTH);
}

function renderParts(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' | ');
}

/** Positions 0 to count - 1 so that every beginning of the list is spread over the whole: 0, 4, 2, 6, 1, 5, 3, 7. */
function spreadOrder(count: number): number[] {
  const bits = Math.ceil(Math.log2(Math.max(2, count)));
  const reversed = Array.from({ length: 2 ** bits }, (_, position) => {
    let value = 0;
    for (let bit = 0; bit < bits; bit++) value |= ((position >> bit) & 1) << (bits - 1 - bit);
    return value;
  });
  return reversed.filter((position) => position < count);
}

/** Questions that fit into `length` characters, spread over all of them and in their own order. */
function chooseQuestions(questions: readonly string[], length: number): string {
  const all = distinct(questions);
  const chosen: number[] = [];
  let used = 0;
  for (const position of spreadOrder(all.length)) {
    const size = (all[position]?.length ?? 0) + 1;
    if (used + size > length) continue;
    chosen.push(position);
    used += size;
  }
  if (chosen.length === 0) return clip(all[0] ?? '', length);
  return chosen
    .sort((a, b) => a - b)
    .map((position) => all[position])
    .join(' ');
}

/** A database id names the domain ("concert_singer"), unless it is a number or a key such as "1-10006830-1". */
function domainOf(target: TargetTable): string {
  const words = target.dbId.replace(/[_\s]+/gu, ' ').trim();
  return /^[\p{L} ]+\d?$/u.test(words) && words.toLowerCase() !== target.table.name.toLowerCase() ? words : '';
}

/**
 * The text that stands for a corpus table: `title | columns | sample values`, at most about 650 characters.
 * `"List of operas | title, composer, year | Tosca, Puccini, 1900"`.
 */
export function renderCorpusTable(table: CorpusTable): string {
  const values = table.columns.map((_, column) => table.rows.map((row) => row[column] ?? ''));
  return renderParts([
    clip(table.title, TITLE_LENGTH),
    joinWithin(table.columns, COLUMNS_LENGTH),
    renderValues(values),
  ]);
}

/**
 * The retrieval query of a table: the questions asked of it (ADVETA §4.1), with title, columns and sample values, at
 * most about 1,200 characters. Of many questions those are taken that lie spread over the list, so that one part of a
 * data set does not decide alone. Empty parts are left out; an empty target gives an empty text.
 */
export function renderTargetQuery(target: TargetTable): string {
  const title = [domainOf(target), target.table.name].filter((part) => part !== '').join(': ');
  return renderParts([
    clip(title, TITLE_LENGTH),
    joinWithin(
      target.table.columns.map((column) => column.name),
      COLUMNS_LENGTH,
    ),
    renderValues(target.values),
    chooseQuestions(target.questions, QUESTIONS_LENGTH),
  ]);
}

/** A table in words: domain, name and columns; what names are compared with where no question or value may count. */
export function tableText(domain: string, name: string, columns: readonly { readonly name: string }[]): string {
  return `${domain.replaceAll('_', ' ')}: ${name} | ${columns.map((column) => column.name).join(', ')}`;
}
