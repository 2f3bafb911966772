import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BankSource } from '../../src/bank/bank-source.js';
import { ColumnBank } from '../../src/bank/column-bank.js';
import { IndexMismatchError } from '../../src/errors.js';
import type { Candidate } from '../../src/stage.js';
import { createContext, createTarget } from '../dictionary/dictionary-fixture.js';
import { HashingEmbedder } from '../retriever/hashing-embedder.js';
import { writeBank } from './bank-fixture.js';

const LISTS = `# field: db
@ turtle
carapace width | carapace breadth | shell breadth ~ carapace length, carapace height
weight | body mass | turtle weight ~ weight unit, scale id
capture date | date caught | catch date ~ release date, capture method
`;
const embedder = new HashingEmbedder();

async function propose(columns: readonly string[], column = 0, lists = LISTS): Promise<readonly Candidate[]> {
  const bank = new ColumnBank(embedder, await writeBank(lists, embedder));
  const source = new BankSource({ bank, embedder, similarity: () => null, keep: 12 });
  const target = createTarget('turtle', columns);
  const [candidates] = await source.propose([{ target, column }], createContext());
  return candidates!;
}
const named = (candidates: readonly Candidate[], bucket: 'RPL' | 'ADD'): readonly string[] =>
  candidates.filter(({ proposedFor }) => proposedFor === bucket).map(({ name }) => name);

describe('BankSource', () => {
  it('proposes what replaces a column that says the same, and what is listed next to it', async () => {
    const candidates = await propose(['capture date', 'weight', 'carapace width']);
    expect(named(candidates, 'RPL')).toEqual(expect.arrayContaining(['date caught', 'catch date']));
    expect(candidates.find(({ name }) => name === 'release date')).toMatchObject({
      source: 'bank',
      proposedFor: 'ADD',
      isNextTo: true,
      origin: { table: 'bank/db', title: 'turtle', column: 'capture date', type: 'time' },
    });
  });

  it('turns what is listed of a column that shares words', async () => {
    const candidates = await propose(['plastron width', 'weight', 'capture date']);
    expect(named(candidates, 'RPL')).toContain('plastron breadth');
    expect(named(candidates, 'ADD')).toEqual(expect.arrayContaining(['plastron length', 'plastron height']));
  });

  it('says the target’s rows where a name says those of its own table', async () => {
    const lists = LISTS.replace('@ turtle', '@ lizard').replace('turtle weight', 'lizard weight');
    expect(named(await propose(['weight', 'capture date', 'carapace width'], 0, lists), 'RPL')).toContain(
      'turtle weight',
    );
  });

  it('proposes no name that the table has', async () => {
    const candidates = await propose(['capture date', 'Release Dates', 'catch date']);
    expect(candidates.map(({ name }) => name)).not.toEqual(expect.arrayContaining(['release date']));
    expect(candidates.map(({ name }) => name)).not.toEqual(expect.arrayContaining(['catch date']));
  });
});

describe('ColumnBank', () => {
  it('finds names by the encoder, best first', async () => {
    const bank = new ColumnBank(embedder, await writeBank(LISTS, embedder));
    const [vector] = await embedder.embed(['plastron width'], new AbortController().signal);
    const nearness = bank.nameCosines(vector!);
    const [first] = nearness.nearest(3);
    expect(first).toEqual({ name: 'carapace width', cosine: nearness.of('carapace width') });
    expect(nearness.of('no column')).toBe(-1);
    expect(bank.entriesOf('body mass').map(({ name }) => name)).toEqual(['weight']);
  });

  it('refuses a changed file, and another encoder', async () => {
    const folder = await writeBank(LISTS, embedder);
    expect(() => new ColumnBank(new HashingEmbedder(32, 'other'), folder)).toThrow(IndexMismatchError);
    appendFileSync(join(folder, 'columns.txt'), 'more | names\n');
    expect(() => new ColumnBank(embedder, folder)).toThrow(/sha256/);
    expect(() => new ColumnBank(embedder, join(folder, 'none'))).toThrow(/manifest/);
  });
});
