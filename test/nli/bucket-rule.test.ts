import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  ADD_MAX_ENTAILMENT,
  type BidirectionalScore,
  type BucketDecision,
  decideBucket,
  isBorderline,
  isTopical,
  type OpenBuckets,
  RPL_MIN_ENTAILMENT,
  type RuleStep,
  thresholdsFor,
} from '../../src/nli/bucket-rule.js';
import type { Reading } from '../../src/stage.js';

const PAPER = { rplMin: RPL_MIN_ENTAILMENT, addMax: ADD_MAX_ENTAILMENT };
const BOTH: OpenBuckets = { rpl: true, add: true };
const RPL_ONLY: OpenBuckets = { rpl: true, add: false };
const ADD_ONLY: OpenBuckets = { rpl: false, add: true };

function score(e1: number, e2: number | null, column = 'target'): BidirectionalScore {
  return { column, e1, e2 };
}

type Full = BidirectionalScore & { readonly e2: number };

interface Case {
  readonly target: Full;
  readonly others: readonly Full[];
  readonly open: OpenBuckets;
}

interface Run {
  readonly decision: BucketDecision;
  /** What was asked for, with what was known then. */
  readonly steps: readonly { step: RuleStep; target: BidirectionalScore; others: readonly BidirectionalScore[] }[];
}

/** Reveals the scores of a case one by one, as the rule asks for them. */
function settle({ target, others, open }: Case): Run {
  let seenTarget: BidirectionalScore = { ...target, e2: null };
  const seen: BidirectionalScore[] = [];
  const steps: Run['steps'][number][] = [];
  for (;;) {
    const step = decideBucket(seenTarget, seen, others.length - seen.length, open, PAPER);
    if (step.kind === 'decided') return { decision: step.decision, steps };
    steps.push({ step, target: seenTarget, others: [...seen] });
    if (step.kind === 'need-other') seen.push({ ...others[seen.length]!, e2: null });
    else if (step.of === 'target') seenTarget = target;
    else seen.push({ ...seen.pop()!, e2: others[seen.length]!.e2 });
  }
}

/** The rule as ADVETA states it, over all scores at once. */
function paperBucket({ target, others, open }: Case): BucketDecision['bucket'] {
  const lower = ({ e1, e2 }: Full): number => Math.min(e1, e2);
  const upper = ({ e1, e2 }: Full): number => Math.max(e1, e2);
  if (open.rpl && lower(target) >= PAPER.rplMin)
    return others.some((other) => lower(other) >= PAPER.rplMin) ? 'rejected' : 'RPL';
  if (open.add && upper(target) <= PAPER.addMax)
    return others.every((other) => upper(other) <= PAPER.addMax) ? 'ADD' : 'rejected';
  return 'rejected';
}

const probability = fc.oneof(
  fc.constantFrom(0, 0.44, 0.45, 0.4500001, 0.55, 0.6499999, 0.65, 0.66, 1),
  fc.double({ min: 0, max: 1, noNaN: true }),
);
const full = (column: string): fc.Arbitrary<Full> =>
  fc.record({ column: fc.constant(column), e1: probability, e2: probability });
const cases: fc.Arbitrary<Case> = fc.record({
  target: full('target'),
  others: fc.array(probability, { maxLength: 4 }).chain((e1s) => fc.tuple(...e1s.map((_, i) => full(`other ${i}`)))),
  open: fc.constantFrom(BOTH, RPL_ONLY, ADD_ONLY, { rpl: false, add: false }),
});
/** Low scores throughout, so that long comparisons come up. */
const lowCases: fc.Arbitrary<Case> = cases.map(({ target, others, open }) => ({
  target: { ...target, e1: target.e1 * 0.44, e2: target.e2 * 0.44 },
  others: others.map((other) => ({ ...other, e1: other.e1 * 0.46, e2: other.e2 * 0.46 })),
  open,
}));
/** Targets that are equivalent, so that rivals come up. */
const highCases: fc.Arbitrary<Case> = cases.map(({ target, others, open }) => ({
  target: { ...target, e1: 0.65 + target.e1 * 0.35, e2: 0.65 + target.e2 * 0.35 },
  others,
  open,
}));
const anyCase = fc.oneof(cases, lowCases, highCases);

describe('the thresholds of ADVETA §4.4', () => {
  test('are 0.65 and 0.45, not the notebook’s 0.75, 0.70, 0.50 and 0.40', () => {
    expect([RPL_MIN_ENTAILMENT, ADD_MAX_ENTAILMENT]).toEqual([0.65, 0.45]);
  });
});

describe('decideBucket', () => {
  test.each<[string, BidirectionalScore, BidirectionalScore[], number, OpenBuckets, string, string, string]>([
    ['both directions high', score(0.9, 0.8), [], 0, BOTH, 'RPL', 'entailment', 'target'],
    ['exactly the RPL threshold', score(0.65, 0.65), [], 0, BOTH, 'RPL', 'entailment', 'target'],
    ['a hair under it in e2', score(0.9, 0.6499), [], 0, BOTH, 'rejected', 'between-thresholds', 'target'],
    ['e1 between the thresholds', score(0.5, null), [], 3, BOTH, 'rejected', 'between-thresholds', 'target'],
    ['both directions low', score(0.1, 0.2), [], 0, BOTH, 'ADD', 'no-equivalence', 'target'],
    ['exactly the ADD threshold', score(0.45, 0.45), [], 0, BOTH, 'ADD', 'no-equivalence', 'target'],
    [
      'low one way, high the other: ADD is by max, not by min',
      score(0.1, 0.9),
      [],
      0,
      BOTH,
      'rejected',
      'between-thresholds',
      'target',
    ],
    ['a dictionary name that is no synonym', score(0.1, null), [], 2, RPL_ONLY, 'rejected', 'not-entailed', 'target'],
    [
      'a synonym where only ADD is open',
      score(0.9, null),
      [],
      2,
      ADD_ONLY,
      'rejected',
      'equivalent-to-target',
      'target',
    ],
    [
      'an equivalent rival',
      score(0.9, 0.9),
      [score(0.7, 0.7, 'rival')],
      1,
      BOTH,
      'rejected',
      'equivalent-to-other',
      'rival',
    ],
    [
      'a rival that is entailed one way only',
      score(0.9, 0.9),
      [score(0.9, 0.3, 'rival')],
      0,
      BOTH,
      'RPL',
      'entailment',
      'target',
    ],
    [
      'another column entails it',
      score(0.1, 0.1),
      [score(0.46, null, 'other')],
      1,
      BOTH,
      'rejected',
      'entailed-by-other',
      'other',
    ],
    [
      'it entails another column',
      score(0.1, 0.1),
      [score(0.1, 0.5, 'other')],
      0,
      BOTH,
      'rejected',
      'entailed-by-other',
      'other',
    ],
    [
      'low against every column: the highest is named',
      score(0.1, 0.1),
      [score(0.2, 0.4, 'other')],
      0,
      BOTH,
      'ADD',
      'no-equivalence',
      'other',
    ],
  ])('%s', (_, target, others, left, open, bucket, reason, column) => {
    expect(decideBucket(target, others, left, open, PAPER)).toMatchObject({
      kind: 'decided',
      decision: { bucket, reason, by: { column } },
    });
  });

  test.each([
    [0.64, 'listed'],
    [0.65, 'entailment'],
  ])('a name that the thesaurus lists says at %d whether the judge alone would have taken it', (low, reason) => {
    const decision = decideBucket(score(0.9, low), [], 0, BOTH, thresholdsFor(PAPER, 'name'));
    expect(decision).toMatchObject({ kind: 'decided', decision: { bucket: 'RPL', reason } });
  });

  test.each<[string, BidirectionalScore, BidirectionalScore[], number, RuleStep]>([
    ['e2 of the target after a high e1', score(0.9, null), [], 1, { kind: 'need-e2', of: 'target' }],
    ['e2 of the target after a low e1', score(0.1, null), [], 1, { kind: 'need-e2', of: 'target' }],
    ['the next rival', score(0.9, 0.9), [], 1, { kind: 'need-other' }],
    ['e2 of a rival only where e1 is high', score(0.9, 0.9), [score(0.8, null)], 0, { kind: 'need-e2', of: 'other' }],
    ['no e2 of a rival whose e1 is low', score(0.9, 0.9), [score(0.2, null)], 1, { kind: 'need-other' }],
    [
      'e2 of another column under the ADD threshold',
      score(0.1, 0.1),
      [score(0.1, null)],
      0,
      { kind: 'need-e2', of: 'other' },
    ],
  ])('asks for %s', (_, target, others, left, step) => {
    expect(decideBucket(target, others, left, BOTH, PAPER)).toEqual(step);
  });

  test('decides step by step what the paper’s rule says of all scores', () => {
    fc.assert(
      fc.property(anyCase, (one) => settle(one).decision.bucket === paperBucket(one)),
      { numRuns: 2000 },
    );
  });

  test('decides the same of partial scores as of all of them', () => {
    fc.assert(
      fc.property(anyCase, (one) => {
        const whole = decideBucket(one.target, one.others, 0, one.open, PAPER);
        expect(whole).toMatchObject({ kind: 'decided', decision: { bucket: settle(one).decision.bucket } });
      }),
      { numRuns: 2000 },
    );
  });

  test('is RPL only with min ≥ rplMin, ADD only with every max ≤ addMax, and never a closed bucket', () => {
    fc.assert(
      fc.property(anyCase, (one) => {
        const { decision } = settle(one);
        if (decision.bucket === 'RPL') {
          expect(Math.min(one.target.e1, one.target.e2)).toBeGreaterThanOrEqual(PAPER.rplMin);
          expect(one.open.rpl).toBe(true);
        }
        if (decision.bucket === 'ADD') {
          const highest = Math.max(...[one.target, ...one.others].flatMap(({ e1, e2 }) => [e1, e2]));
          expect(highest).toBeLessThanOrEqual(PAPER.addMax);
          expect(Math.max(decision.by.e1, decision.by.e2 ?? 0)).toBe(highest);
          expect(one.open.add).toBe(true);
        }
      }),
      { numRuns: 2000 },
    );
  });

  test('asks for no score that can’t change the bucket', () => {
    fc.assert(
      fc.property(anyCase, (one) => {
        for (const asked of settle(one).steps) expect(canMatter(one, asked)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });
});

/** Whether some completion of the unseen scores gives another bucket for another value of the asked one. */
function canMatter({ others, open }: Case, { step, target, others: seen }: Run['steps'][number]): boolean {
  const at = step.kind === 'need-other' ? seen.length : seen.length - 1;
  const complete = (asked: number, backward: number, later: number): BucketDecision['bucket'] => {
    const isTarget = step.kind === 'need-e2' && step.of === 'target';
    const fullTarget = { ...target, e2: target.e2 ?? asked };
    const fullOthers = others.map(({ column }, i) => {
      const known = seen[i];
      if (isTarget || i > at) return { column, e1: later, e2: later };
      if (known === undefined) return { column, e1: asked, e2: backward };
      // An e2 that was passed over can be anything; the rule has shown that it does not matter.
      return { column, e1: known.e1, e2: known.e2 ?? (i === at ? asked : 0) };
    });
    return paperBucket({ target: fullTarget, others: fullOthers, open });
  };
  return [0, 1].some((backward) =>
    [0, 1].some((later) => complete(0, backward, later) !== complete(1, backward, later)),
  );
}

describe('isBorderline', () => {
  test('looks at every score within the margin of either threshold', () => {
    const column = 'name';
    expect(
      isBorderline(
        [
          { column, e1: 0.9, e2: null },
          { column, e1: 0.64, e2: 0.1 },
        ],
        PAPER,
        0.02,
      ),
    ).toBe(true);
    expect(isBorderline([{ column, e1: 0.9, e2: 0.46 }], PAPER, 0.02)).toBe(true);
    expect(
      isBorderline(
        [
          { column, e1: 0.9, e2: null },
          { column, e1: 0.5, e2: 0.1 },
        ],
        PAPER,
        0.02,
      ),
    ).toBe(false);
    expect(isBorderline([], PAPER, 0.02)).toBe(false);
  });

  test('looks at how the candidate reads, where that is told and asked', () => {
    const reading = { replacement: 0.51, addition: 0.1, topic: 0.9 };
    const scores = [{ column: 'name', e1: 0.9, e2: 0.9, reading }];
    const asked = { ...PAPER, reading: { replacement: 0.5, addition: 0.5, topic: 0.5 } };
    expect(isBorderline(scores, asked, 0.02)).toBe(true);
    expect(isBorderline(scores, PAPER, 0.02)).toBe(false);
    expect(isBorderline([{ ...scores[0]!, reading: { ...reading, replacement: 0.6 } }], asked, 0.02)).toBe(false);
  });
});

describe('how readers would take a name', () => {
  const least = { replacement: 0.5, addition: 0.5, topic: 0.5 };
  const both = { rpl: true, add: true };
  const decide = (e: number, reading: Reading | null): RuleStep =>
    decideBucket({ column: 'name', e1: e, e2: e, reading }, [], 0, both, { ...PAPER, reading: least });

  test('closes a bucket that entailment opens, and opens none', () => {
    const right = { replacement: 0.6, addition: 0.6, topic: 0.6 };
    const odd = { replacement: 0.4, addition: 0.4, topic: 0.6 };
    expect(decide(0.9, right)).toMatchObject({ decision: { bucket: 'RPL' } });
    expect(decide(0.9, odd)).toMatchObject({ decision: { bucket: 'rejected', reason: 'reads-odd' } });
    expect(decide(0.1, right)).toMatchObject({ decision: { bucket: 'ADD' } });
    expect(decide(0.1, odd)).toMatchObject({ decision: { bucket: 'rejected', reason: 'reads-odd' } });
    expect(decide(0.5, right)).toMatchObject({ decision: { reason: 'between-thresholds' } });
  });

  test('is not asked of a judge that does not tell', () => {
    expect(decide(0.9, null)).toMatchObject({ decision: { bucket: 'RPL' } });
    expect(isTopical({ column: 'name', e1: 0, e2: 0 }, { ...PAPER, reading: least })).toBeNull();
    const reading = { replacement: 0, addition: 1, topic: 0.7 };
    expect(isTopical({ column: 'name', e1: 0, e2: 0, reading }, { ...PAPER, reading: least })).toBe(true);
    expect(isTopical({ column: 'name', e1: 0, e2: 0, reading }, PAPER)).toBeNull();
  });
});

describe('thresholdsFor', () => {
  test('asks its own reading of what a language model wrote for the table, where there is one', () => {
    const reading = { replacement: 0.5, addition: 0.5, topic: 0.5 };
    const readingOfProposed = { replacement: 0.3, addition: 0.2, topic: 0.5 };
    const thresholds = { rplMin: 0.8, addMax: 0.6, reading };
    expect(thresholdsFor({ ...thresholds, readingOfProposed }, 'table')).toMatchObject({
      rplMin: 0.8,
      reading: readingOfProposed,
    });
    expect(thresholdsFor(thresholds, 'table')).toEqual(thresholds);
  });

  test('asks less entailment of what the thesaurus lists, and the same distance of an addition', () => {
    const thresholds = { rplMin: 0.82, addMax: 0.63 };
    expect(thresholdsFor(thresholds)).toEqual(thresholds);
    expect(thresholdsFor(thresholds, 'name')).toMatchObject({ rivalMin: 0.82, addMax: 0.63 });
    expect(thresholdsFor(thresholds, 'name').rplMin).toBeCloseTo(0.4, 6);
    const decide = (own: number, other: number): RuleStep =>
      decideBucket(score(own, own), [score(other, other, 'other')], 0, RPL_ONLY, thresholdsFor(thresholds, 'name'));
    // Another column is equivalent from 0.82 on, as of all names, or where it is nearer than the target.
    expect(decide(0.9, 0.8)).toMatchObject({ decision: { bucket: 'RPL' } });
    expect(decide(0.9, 0.85)).toMatchObject({ decision: { reason: 'equivalent-to-other' } });
    expect(decide(0.7, 0.75)).toMatchObject({ decision: { reason: 'equivalent-to-other' } });
    expect(thresholdsFor({ rplMin: 0.1, addMax: 0 }, 'name').rplMin).toBe(0);
  });
});
