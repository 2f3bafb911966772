import { describe, expect, it } from 'vitest';
import { BaselineVictim } from '../../../src/victims/baseline/create-baseline.js';
import { SQLITE } from '../../../src/sql/dialect.js';
import { BIKE_CELLS, BIKE_EXAMPLES, BIKES } from './baseline-fixture.js';

const options = { examples: BIKE_EXAMPLES, dialect: SQLITE, leftOut: () => [] };
const { signal } = new AbortController();
const question = (id: string, text: string) => ({
  id,
  question: text,
  dbId: BIKES.id,
  schema: BIKES,
  dialect: SQLITE,
  databaseFile: null,
  samples: BIKE_CELLS,
});

describe('BaselineVictim', () => {
  it('answers with SQL', async () => {
    const answer = await new BaselineVictim(options).answer(question('q', 'How many bikes are there?'), { signal });
    expect(answer).toMatchObject({ id: 'q', sql: 'SELECT count(*) FROM bike', failure: null });
  });

  it('says so where it has no SQL', async () => {
    const empty = {
      ...question('q', 'How many bikes?'),
      schema: { ...BIKES, tables: [], primaryKeys: [], foreignKeys: [] },
    };
    expect(await new BaselineVictim(options).answer(empty, { signal })).toMatchObject({
      sql: null,
      failure: { kind: 'no-sql' },
    });
  });

  it('leaves out the example of a question', async () => {
    const victim = new BaselineVictim({ ...options, leftOut: (id) => [id.replace(/__rpl$/, '')] });
    const { id, question: text, query } = BIKE_EXAMPLES[5]!;
    const known = await new BaselineVictim(options).answer(question(id, text), { signal });
    expect(known.sql).toBe(query);
    const left = await victim.answer(question(`${id}__rpl`, text), { signal });
    expect(left.sql).not.toBe(query);
  });

  it('has a fingerprint of its examples', () => {
    const other = new BaselineVictim({ ...options, examples: BIKE_EXAMPLES.slice(1) });
    expect(new BaselineVictim(options).fingerprint).toBe(new BaselineVictim(options).fingerprint);
    expect(other.fingerprint).not.toBe(new BaselineVictim(options).fingerprint);
  });

  it('stops when aborted', async () => {
    const aborted = AbortSignal.abort(new Error('stop'));
    await expect(new BaselineVictim(options).answer(question('q', 'How many?'), { signal: aborted })).rejects.toThrow(
      'stop',
    );
  });
});
