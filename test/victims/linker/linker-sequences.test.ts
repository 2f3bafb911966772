import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { columnKey, type Database } from '../../../src/schema/schema.js';
import { LinkerSequences } from '../../../src/victims/linker/linker-victim.js';

/** Words are tokens. */
const WORDS = {
  encode: (text: string): number[] => (text.match(/\[SEP\]|\w+|[^\w\s]/g) ?? []).map((_, i) => i),
  decode: (ids: readonly number[]): string => ids.map(() => 'w').join(' '),
};

function schemaOf(tables: readonly { readonly name: string; readonly columns: readonly string[] }[]): Database {
  return {
    id: 'some',
    tables: tables.map(({ name, columns }) => ({
      name,
      originalName: name,
      columns: columns.map((column) => ({ name: column, originalName: column, type: 'text' as const })),
    })),
    primaryKeys: [],
    foreignKeys: [],
  };
}

const SINGERS = schemaOf([
  { name: 'singer', columns: ['name', 'age'] },
  { name: 'song', columns: ['title'] },
]);

describe('a sequence of a linker', () => {
  it('is the question, then the tables with their columns; columns are found from its end', () => {
    expect(new LinkerSequences(WORDS, 512).of('Which, say?', SINGERS)).toEqual([
      {
        text: 'Which, say? [SEP] singer : name , age [SEP] song : title',
        tokens: 19,
        stretches: [{ table: 1, column: 0 }, null, { table: 0, column: 1 }, { table: 0, column: 0 }, null],
      },
    ]);
  });

  it('has no separators within names', () => {
    const schema = schemaOf([{ name: 'a: b', columns: ['time, s', 'x[SEP]y'] }]);
    const [sequence] = new LinkerSequences(WORDS, 512).of('q', schema);
    expect(sequence?.text).toBe('q [SEP] a  b : time  s , x y');
  });

  it('cuts a long question after sixty tokens', () => {
    const [sequence] = new LinkerSequences(WORDS, 512).of(Array(70).fill('why').join(' '), SINGERS);
    expect(sequence?.text.split(' [SEP] ')[0]?.split(' ')).toHaveLength(60);
  });

  it('has a stretch for a table without columns, which is no column', () => {
    const schema = schemaOf([
      { name: 'empty', columns: [] },
      { name: 'song', columns: ['title'] },
    ]);
    const [sequence] = new LinkerSequences(WORDS, 512).of('q', schema);
    expect(sequence?.stretches).toEqual([{ table: 1, column: 0 }, null, null, null]);
  });
});

describe('sequences of a schema of any size', () => {
  const word = fc.constantFrom('name', 'home town', 'a, b', 'x: y z', 'id');
  const table = fc.record({ name: word, columns: fc.array(word, { maxLength: 30 }) });

  it('have each column once, no more tokens than fit, and a stretch for each separator behind the question', () => {
    fc.assert(
      fc.property(
        fc.array(table, { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 20, max: 120 }),
        (tables, most) => {
          const schema = schemaOf(tables);
          const sequences = new LinkerSequences(WORDS, most).of('which one is it', schema);
          const found = sequences.flatMap(({ stretches }) =>
            stretches.flatMap((ref) => (ref === null ? [] : [columnKey(ref)])),
          );
          const all = tables.flatMap(({ columns }, t) => columns.map((_, c) => columnKey({ table: t, column: c })));
          expect([...found].sort()).toEqual([...all].sort());
          for (const { text, tokens, stretches } of sequences) {
            expect(tokens).toBeLessThanOrEqual(most);
            // The tokenizer puts one token at the beginning and one at the end.
            expect(WORDS.encode(text).length + 2).toBeLessThanOrEqual(tokens);
            expect(text.match(/\[SEP\]|[:,]/g)).toHaveLength(stretches.length);
          }
        },
      ),
    );
  });
});
