import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  CSV,
  guardFormula,
  headerEnd,
  parseCsv,
  renderCsvRecord,
  sniffCsvDialect,
  type CsvDialect,
} from '../../src/formats/csv-text.js';
import { faultOf } from './format-fixture.js';

const WTQ: CsvDialect = { ...CSV, escape: '\\' };

describe('sniffCsvDialect', () => {
  it.each([
    ['a,b\n1,2\n', ','],
    ['a;b\n1,5;2,5\n', ';'],
    ['a\tb, c\n1\t2\n', '\t'],
    ['a|b\n1|2\n', '|'],
    ['"a;b;c",d\n1,2\n', ','],
    ['alone\n1\n2\n', ','],
    ['name;note\nx;"a,b,c"\ny;"d,e,f"\n', ';'],
  ])('tells the delimiter of %j', (text, delimiter) => {
    expect(sniffCsvDialect(text, 'x.csv').delimiter).toBe(delimiter);
  });

  it('takes .tsv as it is called, and keeps line ends', () => {
    expect(sniffCsvDialect('a,b\r\n', 'x.tsv')).toEqual({ delimiter: '\t', escape: '"', newline: '\r\n' });
    expect(sniffCsvDialect('a;"b\nc"\r1;2\r', 'x.csv')).toEqual({ delimiter: ';', escape: '"', newline: '\r' });
  });
});

describe('parseCsv', () => {
  it('fills short records, leaves out empty lines and the byte order mark', () => {
    expect(parseCsv('\uFEFFa,b\n\n1\n"x\ny",2\n', 'x.csv', CSV)).toEqual([
      ['a', 'b'],
      ['1', ''],
      ['x\ny', '2'],
    ]);
  });

  it.each([
    ['\n, then \r\n', 'a,b\n1,x\r\n2,y\r\n'],
    ['\r\n, then \n', 'a,b\r\n1,x\n2,y\n'],
    ['\r alone', 'a,b\r1,x\r2,y\r'],
  ])('ends records at %j', (_, text) => {
    expect(parseCsv(text, 'x.csv', CSV)).toEqual([
      ['a', 'b'],
      ['1', 'x'],
      ['2', 'y'],
    ]);
  });

  it('names the line of a record with too many cells, and of broken quoting', () => {
    expect(faultOf(() => parseCsv('a,b\n1,2\n1,2,3\n', 'x.csv', CSV)).where).toEqual({ file: 'x.csv', line: 3 });
    expect(faultOf(() => parseCsv('a,b\n1,"2" x\n', 'x.csv', CSV)).where).toEqual({ file: 'x.csv', line: 2 });
  });

  it.each([
    CSV,
    { ...CSV, delimiter: ';', newline: '\r\n' } as const,
    { ...CSV, newline: '\r' } as const,
    { ...CSV, delimiter: '\t' },
    WTQ,
  ])('reads what is written: %j', (dialect) => {
    const cell = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom('"', '\\', ',', ';', '\n', '\r', ' ', 'a') }));
    const records = fc
      .integer({ min: 1, max: 4 })
      .chain((width) =>
        fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 4 }),
      );
    fc.assert(
      fc.property(records, (rows) => {
        const text = rows.map((row) => renderCsvRecord(row, dialect)).join('');
        expect(parseCsv(text, 'x.csv', dialect)).toEqual(rows);
        expect(headerEnd(text, dialect)).toBe(renderCsvRecord(rows[0]!, dialect).length);
      }),
    );
  });
});

describe('headerEnd', () => {
  it.each([
    ['a,b\n1,2\n', CSV, 4],
    ['\uFEFF\r\na\r\n1\r\n', CSV, 6],
    ['\t\n\t\n', { ...CSV, delimiter: '\t' }, 2],
    ['  \n1\n', CSV, 3],
    ['\r"a\nb"\r1\r', { ...CSV, newline: '\r' } as const, 7],
  ])('ends the first record of %j', (text, dialect, end) => {
    expect(headerEnd(text, dialect)).toBe(end);
  });
});

describe('guardFormula', () => {
  it.each([
    ['=cmd()', "'=cmd()"],
    ['@x', "'@x"],
    ['+49 30', "'+49 30"],
    ['-', "'-"],
    ['-5', '-5'],
    ['+1.5e3', '+1.5e3'],
    ['a=b', 'a=b'],
    ['', ''],
  ])('%j → %j', (cell, guarded) => {
    expect(guardFormula(cell)).toBe(guarded);
  });
});
