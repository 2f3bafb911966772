import { describe, expect, it } from 'vitest';
import { drawReading, type NameSource, renderList } from '../../bench/reading/reading-list.js';
import { agreementOf, parseAnswers, readingFigures } from '../../bench/reading/reading-scores.js';
import { InputFormatError } from '../../src/errors.js';
import type { Database } from '../../src/schema/schema.js';
import { decision, HOME_COUNTRY } from '../variants/relations/names/garden-schema.js';

const { db_id: dbId, table, column } = decision(HOME_COUNTRY, 'x');
const DATABASE: Database = {
  id: dbId,
  tables: [
    {
      name: table,
      originalName: table,
      columns: [column, 'height'].map((name) => ({ name, originalName: name, type: 'text' as const })),
    },
  ],
  primaryKeys: [],
  foreignKeys: [],
};
const SOURCES: readonly NameSource[] = [
  { id: 'ours', decisions: [decision(HOME_COUNTRY, 'origin'), decision(HOME_COUNTRY, 'climate', { bucket: 'ADD' })] },
  { id: 'theirs', decisions: [decision(HOME_COUNTRY, 'origin'), decision(HOME_COUNTRY, 'homeland')] },
];
const drawn = drawReading([DATABASE], SOURCES, { columns: 2, names: 3, seed: 1 });
const idOf = (name: string): number => drawn.items.find((item) => item.name === name)!.id;
const answers = (homeland: string): string =>
  [`${idOf('origin')}\ty`, `${idOf('homeland')}\t${homeland}`, `${idOf('climate')}\ty\tf`].join('\n');

describe('bench:reading', () => {
  it('draws names of several sources, each read once, and tells readers no source', () => {
    expect(drawn.items.map(({ name, sources }) => [name, sources]).sort()).toEqual([
      ['climate', ['ours']],
      ['homeland', ['theirs']],
      ['origin', ['ours', 'theirs']],
    ]);
    expect(drawReading([DATABASE], SOURCES, { columns: 2, names: 3, seed: 1 })).toEqual(drawn);
    const list = renderList(drawn, [DATABASE]);
    expect(list.split('\n')[1]).toBe(`columns: ${column}, height`);
    expect(list).toContain(`${idOf('climate')}\tADD\t${column}\tclimate\n`);
    expect(list).not.toMatch(/ours|theirs/);
  });

  it('scores what readers say, by source and bucket', () => {
    const readers = ['y', 'n'].map((homeland) => parseAnswers(answers(homeland), 'r.tsv', drawn.items));
    expect(agreementOf(readers[0]!, readers[1]!, drawn.items).same).toBeCloseTo(66.7, 1);
    const { rows } = readingFigures('reading', 'About.', drawn, readers);
    expect(rows['theirs-rpl']).toMatchObject({ names: 2, perColumn: 1, without: 50, yes: '100, 50', accepted: 0.75 });
    expect(rows['ours-add']).toMatchObject({ names: 1, yes: '100, 100', topic: '0, 0', both: '0, 0' });
    expect(rows['theirs-add']).toEqual({ names: 0, perColumn: 0 });
  });

  it('names the line that is no answer, and the item that has none', () => {
    const read = (text: string): unknown => parseAnswers(text, 'r.tsv', drawn.items);
    expect(() => read(`${idOf('origin')}\tmaybe`)).toThrow(InputFormatError);
    expect(() => read(answers('y').replace('\tf', ''))).toThrow(/no answer to an item/);
    expect(() => read(answers('y').split('\n').slice(1).join('\n'))).toThrow(`item ${idOf('origin')} has no answer`);
  });
});
