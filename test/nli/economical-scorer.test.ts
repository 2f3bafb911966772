import { describe, expect, test } from 'vitest';
import { EconomicalScorer, type ScoreStore } from '../../src/nli/entailment-scorer.js';
import type { EntailmentPair, EntailmentScore, EntailmentScorer } from '../../src/stage.js';
import { createContext, FakeScorer, scoreOf } from './nli-fixture.js';

const pair = (premise: string, hypothesis: string): EntailmentPair => ({ premise, hypothesis });
const A = pair('a', 'x');
const B = pair('b', 'x');
const C = pair('c', 'x');
const byPremise = ({ premise }: EntailmentPair): number => ({ a: 0.1, b: 0.2, c: 0.3 })[premise] ?? 0.9;

class MemoryStore implements ScoreStore {
  readonly scores = new Map<string, EntailmentScore>();
  get(one: EntailmentPair): EntailmentScore | null {
    return this.scores.get(JSON.stringify(one)) ?? null;
  }
  put(one: EntailmentPair, score: EntailmentScore): void {
    this.scores.set(JSON.stringify(one), score);
  }
}

describe('EconomicalScorer', () => {
  test('gives the inner scorer’s scores in order, also for an empty list', async () => {
    const scorer = new EconomicalScorer(new FakeScorer(byPremise), null);
    expect(await scorer.score([B, A, B], createContext())).toEqual([scoreOf(0.2), scoreOf(0.1), scoreOf(0.2)]);
    expect(await scorer.score([], createContext())).toEqual([]);
  });

  test('scores a pair once per run: twice in a batch, twice in flight, and again later (the notebook scores RPL, then ADD)', async () => {
    const inner = new FakeScorer(byPremise);
    const scorer = new EconomicalScorer(inner, null);
    const context = createContext();
    await Promise.all([scorer.score([A, A], context), scorer.score([A, B], context)]);
    await scorer.score([B, A], context);
    expect(inner.asked).toEqual([A, B]);
    expect(scorer.counts).toEqual({ asked: 6, inferred: 2, cached: 0 });
  });

  test('keeps the two directions of a pair apart, and pairs whose texts join alike', async () => {
    const inner = new FakeScorer(byPremise);
    await new EconomicalScorer(inner, null).score(
      [pair('a', 'b'), pair('b', 'a'), pair('a b', ''), pair('a', ' b')],
      createContext(),
    );
    expect(inner.asked).toHaveLength(4);
  });

  test('sends as many together as the scorer takes, and keeps what was scored when another batch fails', async () => {
    const inner = Object.assign(new FakeScorer(byPremise), { batchSize: 2 });
    const failing: EntailmentScorer = {
      id: 'failing',
      fingerprint: 'failing',
      batchSize: 2,
      score: (pairs, context) =>
        pairs[0] === C ? Promise.reject(new Error('no answer')) : inner.score(pairs, context),
    };
    const store = new MemoryStore();
    const scorer = new EconomicalScorer(failing, store);
    await expect(scorer.score([A, B, C], createContext())).rejects.toThrow('no answer');
    expect([store.get(A), store.get(B), store.get(C)]).toEqual([scoreOf(0.1), scoreOf(0.2), null]);
    await new EconomicalScorer(inner, null).score([A, B, C], createContext());
    expect(inner.batches).toEqual([2, 2, 1]);
  });

  test('sends what is asked in one turn of the event loop together', async () => {
    const inner = new FakeScorer(byPremise);
    const scorer = new EconomicalScorer(inner, null);
    const context = createContext();
    await Promise.all([
      scorer.score([A], context),
      Promise.resolve().then(() => scorer.score([B], context)),
      scorer.score([C], context),
    ]);
    expect(inner.batches).toEqual([3]);
    await scorer.score([pair('d', 'x')], context);
    expect(inner.batches).toEqual([3, 1]);
  });

  test('answers from the store, and puts there what it scored', async () => {
    const store = new MemoryStore();
    store.put(A, scoreOf(0.7));
    const inner = new FakeScorer(byPremise);
    const scorer = new EconomicalScorer(inner, store);
    expect(await scorer.score([A, B, A], createContext())).toEqual([scoreOf(0.7), scoreOf(0.2), scoreOf(0.7)]);
    expect(inner.asked).toEqual([B]);
    expect(scorer.counts).toEqual({ asked: 3, inferred: 1, cached: 1 });
    expect(store.get(B)).toEqual(scoreOf(0.2));
    expect(await new EconomicalScorer(new FakeScorer(() => Number.NaN), store).score([B], createContext())).toEqual([
      scoreOf(0.2),
    ]);
  });

  test('gives an error to every waiter, and asks again afterwards', async () => {
    let broken = true;
    const inner = new FakeScorer((one) => {
      if (broken) throw new Error('no session');
      return byPremise(one);
    });
    const store = new MemoryStore();
    const scorer = new EconomicalScorer(inner, store);
    const context = createContext();
    const waiters = await Promise.allSettled([
      scorer.score([A], context),
      scorer.score([A, B], context),
      scorer.score([C], context),
    ]);
    expect(waiters.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(store.scores.size).toBe(0);
    broken = false;
    expect(await scorer.score([A, C], context)).toEqual([scoreOf(0.1), scoreOf(0.3)]);
  });

  test('remembers 50,000 pairs, so that memory stays flat in long runs: what it forgot comes from the store', async () => {
    const store = new MemoryStore();
    const inner = new FakeScorer(byPremise);
    const scorer = new EconomicalScorer(inner, store);
    const context = createContext();
    const last = Array.from({ length: 50_000 }, (_, i) => pair('a', String(i)));
    for (const asked of [[A], last, [A], last.slice(-1)]) await scorer.score(asked, context);
    expect(inner.asked).toHaveLength(50_001);
    expect(scorer.counts).toEqual({ asked: 50_003, inferred: 50_001, cached: 1 });
  });

  test('passes an abort on', async () => {
    const scorer = new EconomicalScorer(new FakeScorer(byPremise), null);
    await expect(
      scorer.score([A], createContext(1, AbortSignal.abort(new Error('stopped by the test')))),
    ).rejects.toThrow('stopped by the test');
  });

  test('has the inner scorer’s fingerprint, and disposes it', async () => {
    let disposed = 0;
    const inner = Object.assign(new FakeScorer(byPremise), { dispose: async () => void disposed++ });
    const scorer = new EconomicalScorer(inner, null);
    expect(scorer.fingerprint).toBe(inner.fingerprint);
    await scorer.dispose();
    expect(disposed).toBe(1);
    await expect(new EconomicalScorer(new FakeScorer(byPremise), null).dispose()).resolves.toBeUndefined();
  });
});
