import type { SquallRecord, SquallToken } from '../../../src/formats/squall/squall-files.js';

const field = (col: string, type: string, data: readonly unknown[]): object => ({ col, type, data });

/** A table in SQUALL's form, made by us: derived values, a list column, a header of two lines, one without words. */
export const TABLE = {
  headers: ['id', 'agg', 'year', 'name of\nthe inn', 'guests', 'dishes', '#!', 'year number'],
  types: ['id', 'agg', 'number', 'text', 'number(text)', 'text', 'text', 'text'],
  contents: [
    [field('id', 'INTEGER', [1, 2, 3])],
    [field('agg', 'INTEGER', [0, 0, 1])],
    [field('c1', 'TEXT', ['1990', '1995', null]), field('c1_number', 'INTEGER', [1990, 1995, null])],
    [field('c2', 'TEXT', ["the fox's den", 'red ox', 'total'])],
    [
      field('c3', 'TEXT', ['1,100 (full)', '7', '1107']),
      field('c3_number', 'REAL', [1100, 7.5, 1107]),
      field('c3_first', 'TEXT', ['1,100', '7', '1107']),
    ],
    [
      field('c4', 'TEXT', ['soup, stew', 'soup', null]),
      field('c4_list', 'LIST TEXT', [['soup', 'stew'], ['soup'], []]),
    ],
    [field('c5', 'TEXT', ['x', null, 'z'])],
    [field('c6', 'TEXT', ['a', 'b', 'c'])],
  ],
  is_list: Object.fromEntries(
    ['id', 'agg', 'c1', 'c1_number', 'c2', 'c3', 'c3_number', 'c3_first', 'c4', 'c4_list', 'c5', 'c6'].map((name) => [
      name,
      name === 'c4_list',
    ]),
  ),
};

const LITERAL = /^'.*'$/u;

/** Tokens of a query whose words are apart by spaces; underscores in literals are spaces. */
function tokensOf(sql: string): SquallToken[] {
  return sql.split(' ').map((word): SquallToken => {
    if (/^c\d+/u.test(word)) return ['Column', word, []];
    if (LITERAL.test(word)) return ['Literal.String', word.replaceAll('_', ' '), [1, 2]];
    return /^[\d,.]+$/u.test(word) && word !== ',' ? ['Literal.Number', word, [3]] : ['Keyword', word, []];
  });
}

/** A question in SQUALL's form. */
export function question(nt: string, sql: string, more: object = {}): SquallRecord {
  const nl = ['what', 'year', 'had', 'the', 'red', 'ox', '?'];
  return {
    nt,
    tbl: '204_590',
    columns: [
      ['year', ['year'], ['number'], 'number', '1990'],
      ['name of\nthe inn', ['name', 'of', 'the', 'inn'], [], 'text', "the fox's den"],
      ['guests', ['guests'], ['number', 'first'], 'number(text)', '7'],
      ['dishes', ['dishes'], ['list'], 'text', 'soup'],
      ['#!', ['#', '!'], [], 'text', 'x'],
      ['year number', ['year', 'number'], [], 'text', 'a'],
    ],
    nl,
    tgt: '1995',
    nl_pos: nl.map(() => 'NN'),
    nl_incolumns: [false, true, false, true, false, false, false],
    columns_innl: [true, true, false, false, false, true],
    nl_ralign: [
      ['None', null],
      ['Column', 'c1_number'],
      ...nl.slice(2).map((): [string, unknown] => ['Keyword', ['w']]),
    ],
    sql: tokensOf(sql),
    align: [[[1], [1]]],
    ...more,
  };
}

/** One table as WikiTableQuestions writes it. */
export const WTQ_TABLE = '"Year","The \\"Inn\\"","Note"\n"1990","Fox\\\\Den",""\n"1995","Red Ox","two\nlines"\n';
