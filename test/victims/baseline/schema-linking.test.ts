import { describe, expect, it } from 'vitest';
import { SchemaLinker } from '../../../src/victims/baseline/schema-linking.js';
import { BIKE_CELLS, BIKES } from './baseline-fixture.js';

const linker = new SchemaLinker(BIKES, BIKE_CELLS);
const shares = (question: string) => {
  const { columns, schema } = linker.link(question);
  return Object.fromEntries(
    columns.flatMap((mentions, at) => {
      const { table, column } = schema.columns[at]!.ref;
      const share = mentions[0]?.share;
      return share === undefined
        ? []
        : [[`${BIKES.tables[table]!.name}.${BIKES.tables[table]!.columns[column]!.name}`, share]];
    }),
  );
};

describe('links of a question to a schema', () => {
  it('finds names in other forms of their words', () => {
    expect(shares('Give the weights and brands.')).toEqual({ 'bike.brand': 1, 'bike.weight': 1 });
  });

  it('says what share of a name is there, within a few words', () => {
    expect(shares('In which town?')).toEqual({ 'rider.home town': 0.5 });
    expect(shares('the town that is home')['rider.home town']).toBe(1);
  });

  it('does not link a synonym', () => {
    expect(shares('What is the mass?')).toEqual({});
  });

  it('finds tables', () => {
    const { tables } = linker.link('How many bikes do riders own?');
    expect(tables.map((mentions) => mentions[0]?.share)).toEqual([1, 1]);
  });

  it.each([
    ['riders called "Ada"', [['text', 'Ada']]],
    ['riders older than 30', [['number', '30']]],
    ['the three oldest riders', [['number', '3']]],
    ['riders from port ellen', [['text', 'Port Ellen']]],
    [
      'Does anyone come from Las Palmas or Oslo?',
      [
        ['text', 'Las Palmas'],
        ['text', 'Oslo'],
      ],
    ],
    ['Show all. List them', []],
  ])('takes values from %j', (question, values) => {
    expect(linker.link(question).values.map(({ kind, text }) => [kind, text])).toEqual(values);
  });

  it('knows the column of a cell', () => {
    const { values, schema } = linker.link('riders from Port Ellen');
    expect(values[0]!.columns.map((at) => schema.columns[at]!.ref)).toEqual([{ table: 0, column: 3 }]);
  });

  it('puts placeholders for names and values', () => {
    const { tokens } = linker.link('What is the age of the rider from "Bergen"?');
    expect(tokens.map(({ text }) => text).filter((text) => /^[A-Z]+$/.test(text))).toEqual(['COL', 'TAB', 'VAL']);
  });
});
