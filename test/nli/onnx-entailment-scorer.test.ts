import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { NLI_LABELS } from '../../src/inference/model-manifest.js';
import { locateModel } from '../../src/inference/model-store.js';
import { EconomicalScorer, OnnxEntailmentScorer, toEntailmentScore } from '../../src/nli/entailment-scorer.js';
import { renderStatement } from '../../src/nli/statement.js';
import { ScoreCache } from '../../src/run/score-cache.js';
import { createRng, shuffled } from '../../src/seeded-rng.js';
import type { EntailmentPair, EntailmentScore } from '../../src/stage.js';
import { createContext } from './nli-fixture.js';

describe('toEntailmentScore', () => {
  const logits = fc.array(fc.float({ noNaN: true, noDefaultInfinity: true, min: -50, max: 50 }), {
    minLength: 3,
    maxLength: 3,
  });
  const orders = fc.shuffledSubarray([...NLI_LABELS], { minLength: 3 });

  test('is one distribution over the three labels (the notebook takes minima of each class)', () => {
    fc.assert(
      fc.property(logits, orders, (values, labels) => {
        const score = toEntailmentScore(Float32Array.from(values), labels);
        expect(score.entailment + score.neutral + score.contradiction).toBeCloseTo(1, 12);
      }),
    );
  });

  test('tells how readers would take the name by what follows the labels, in the manifest’s order', () => {
    const outputs = Float32Array.from([0, 0, 0, -50, 0, 50]);
    const { reading } = toEntailmentScore(outputs, NLI_LABELS, ['topic', 'addition', 'replacement']);
    expect(reading!.replacement).toBeCloseTo(1, 12);
    expect(reading!.addition).toBe(0.5);
    expect(reading!.topic).toBeCloseTo(0, 12);
    expect(toEntailmentScore(outputs.subarray(0, 3), NLI_LABELS).reading).toBeNull();
  });

  test('reads the label order from the manifest: the same logits under another order are the same score', () => {
    fc.assert(
      fc.property(logits, orders, (values, labels) => {
        const moved = labels.map((label) => values[NLI_LABELS.indexOf(label)]!);
        const [before, after] = [
          toEntailmentScore(Float32Array.from(values), NLI_LABELS),
          toEntailmentScore(Float32Array.from(moved), labels),
        ];
        expect(after.entailmentLogit).toBe(before.entailmentLogit);
        for (const label of NLI_LABELS) expect(after[label]).toBeCloseTo(before[label], 12);
      }),
    );
    expect(
      toEntailmentScore(Float32Array.of(9, 0, 0), ['entailment', 'neutral', 'contradiction']).entailment,
    ).toBeGreaterThan(0.99);
    expect(toEntailmentScore(Float32Array.of(9, 0, 0), NLI_LABELS).contradiction).toBeGreaterThan(0.99);
  });

  test('does not overflow', () => {
    expect(toEntailmentScore(Float32Array.of(1e30, 0, -1e30), NLI_LABELS)).toMatchObject({
      contradiction: 1,
      neutral: 0,
      entailment: 0,
    });
  });
});

const NAMES = ['name', 'title', 'age', 'number of years', 'home town', 'birthplace', 'salary', 'wage'];
/** 56 ordered pairs of differing lengths, so that batches would have padding. */
const PAIRS: readonly EntailmentPair[] = NAMES.flatMap((a) =>
  NAMES.filter((b) => b !== a).map((b) => ({
    premise: renderStatement('student', a, 'text'),
    hypothesis: renderStatement('student', b, 'text'),
  })),
);

describe('OnnxEntailmentScorer on the embedded model', () => {
  const model = locateModel('nli');
  const one = new OnnxEntailmentScorer(model, 1);
  const two = new OnnxEntailmentScorer(model, 2);
  const context = createContext();
  let whole: readonly EntailmentScore[];
  beforeAll(async () => {
    whole = await two.score(PAIRS, context);
  });
  afterAll(() => Promise.all([one.dispose(), two.dispose()]));

  test('gives one score per pair in order, each a distribution, as the model’s own judgment', () => {
    expect(whole).toHaveLength(PAIRS.length);
    for (const { entailment, neutral, contradiction } of whole) {
      expect(entailment + neutral + contradiction).toBeCloseTo(1, 9);
      expect(Math.min(entailment, neutral, contradiction)).toBeGreaterThanOrEqual(0);
    }
    const of = (a: string, b: string): number =>
      whole[
        PAIRS.findIndex(({ premise, hypothesis }) => premise.includes(` ${a} (`) && hypothesis.includes(` ${b} (`))
      ]!.entailment;
    expect(of('salary', 'wage')).toBeGreaterThan(of('salary', 'home town'));
  });

  test('gives the same bytes alone, shuffled, with one worker, and resumed from a cache', async () => {
    const order = shuffled([...PAIRS.keys()], createRng(7, 'pairs'));
    const mixed = await one.score(
      order.map((i) => PAIRS[i]!),
      context,
    );
    expect(order.map((i) => whole[i])).toEqual(mixed);

    const alone: EntailmentScore[] = [];
    for (const pair of PAIRS) alone.push((await two.score([pair], context))[0]!);
    expect(JSON.stringify(alone)).toBe(JSON.stringify(whole));

    const folder = mkdtempSync(join(tmpdir(), 'perturbql-scores-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const warn = (message: string): void => expect.fail(message);
    const first = new ScoreCache(folder, model.sha256, warn);
    await new EconomicalScorer(two, first).score(PAIRS.slice(0, 20), context);
    first.close();
    const second = new ScoreCache(folder, model.sha256, warn);
    const resumed = new EconomicalScorer(one, second);
    expect(JSON.stringify(await resumed.score(PAIRS, context))).toBe(JSON.stringify(whole));
    expect(resumed.counts).toEqual({ asked: 56, inferred: 36, cached: 20 });
    second.close();
  });

  test('takes empty texts, emoji and texts over the model’s limit', async () => {
    const long = 'word '.repeat(500);
    const scores = await one.score(
      [
        { premise: '', hypothesis: '' },
        { premise: '🙂', hypothesis: '!!!' },
        { premise: long, hypothesis: long },
      ],
      context,
    );
    for (const { entailment } of scores) expect(entailment).toBeGreaterThanOrEqual(0);
  });

  test('stops when aborted, before and while it scores, and serves others on', async () => {
    const before = AbortSignal.abort(new Error('stopped before'));
    await expect(one.score(PAIRS, createContext(1, before))).rejects.toThrow('stopped before');
    const controller = new AbortController();
    const stopped = one.score(PAIRS, createContext(1, controller.signal));
    const other = one.score(PAIRS.slice(0, 3), context);
    setImmediate(() => controller.abort(new Error('stopped midway')));
    await expect(stopped).rejects.toThrow('stopped midway');
    expect(await other).toEqual(whole.slice(0, 3));
  });

  test('starts again after dispose; a score under way is refused, not left hanging', async () => {
    const scorer = new OnnxEntailmentScorer(model, 1);
    await scorer.score(PAIRS.slice(0, 1), context);
    // More than one message to the worker holds: what it has begun it may finish.
    const underWay = scorer.score(Array.from({ length: 6 }, () => PAIRS).flat(), context);
    const refused = expect(underWay).rejects.toThrow(/stopped/);
    await new Promise((resolve) => setImmediate(resolve));
    await scorer.dispose();
    await refused;
    expect(await scorer.score(PAIRS.slice(0, 2), context)).toEqual(whole.slice(0, 2));
    await scorer.dispose();
    await scorer.dispose();
  });
});
