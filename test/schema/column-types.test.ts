import { expect, test } from 'vitest';
import { knownColumnType } from '../../src/schema/column-types.js';

test.each([
  ['character varying(20)', 'text'],
  ['NVARCHAR2(10 CHAR)', 'text'],
  ['ntext', 'text'],
  ['uniqueidentifier', 'text'],
  ['INT UNSIGNED', 'number'],
  ['NUMBER(10, 2)', 'number'],
  ['double precision', 'number'],
  ['smallmoney', 'number'],
  ['timestamp(6) with time zone', 'time'],
  ['datetimeoffset', 'time'],
  ['interval', 'time'],
  ['year', 'time'],
  ['bit', 'boolean'],
  ['bool', 'boolean'],
  ['varbinary(max)', 'others'],
  ['integer[]', 'others'],
  ['point', 'others'],
  ['UNSIGNED BIG INT', 'number'],
  ['my_integer', 'number'],
  ['wibble', null],
  ['', null],
])('%s is %s', (declared, type) => {
  expect(knownColumnType(declared)).toBe(type);
});
