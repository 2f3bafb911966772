import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ATTACK_CONDITIONS, type AttackReport } from '../../../../src/measure/attack/attack-report.js';
import { parseFailBelow, thresholdFailures } from '../../../../src/measure/attack/report/fail-below.js';
import { ConfigError } from '../../../../src/errors.js';
import { syntheticReport } from './synthetic-report.js';
import { ANSWER_METRICS } from '../../../../src/victims/scoring.js';

const report = syntheticReport({ examples: 12, databases: 3, seeds: [0, 1] });

/** The report with one accuracy set. */
function withAccuracy(metric: string, condition: string, accuracy: number): AttackReport {
  const scores = report.scores.map((score) =>
    score.metric === metric && score.condition === condition ? { ...score, accuracy } : score,
  );
  return { ...report, scores };
}

describe('parseFailBelow', () => {
  it('reads a condition and a limit, of exact match unless a metric is named', () => {
    expect(parseFailBelow(['rpl=30', 'original=60.5', 'Execution.ADD=25%'])).toEqual([
      { text: 'rpl=30', metric: 'exact', condition: 'RPL', percent: 30 },
      { text: 'original=60.5', metric: 'exact', condition: 'original', percent: 60.5 },
      { text: 'Execution.ADD=25%', metric: 'execution', condition: 'ADD', percent: 25 },
    ]);
    expect(parseFailBelow([])).toEqual([]);
  });

  it.each(['', 'rpl', 'rpl=', 'rpl=x', 'rpl=-1', 'rpl=1e1', 'rpl>30', 'dev=30', 'linking.rpl=30', 'rpl=30,add=20'])(
    'refuses %j',
    (text) => {
      expect(() => parseFailBelow([text])).toThrow(ConfigError);
      expect(() => parseFailBelow([text])).toThrow(/is not of the form \[metric\.\]condition=percent/);
    },
  );

  it('refuses what can never hold, and two limits for one accuracy', () => {
    expect(() => parseFailBelow(['rpl=101'])).toThrow(/more than 100%/);
    expect(() => parseFailBelow(['rpl=30', 'exact.RPL=40'])).toThrow(/exact\.RPL=40 sets a second limit/);
  });
});

describe('thresholdFailures', () => {
  it('passes an accuracy that equals its limit, whatever binary fractions make of it', () => {
    const hundredths = fc.integer({ min: 0, max: 100 });
    fc.assert(
      fc.property(
        hundredths,
        fc.constantFrom(...ANSWER_METRICS),
        fc.constantFrom(...ATTACK_CONDITIONS),
        (n, ...key) => {
          const rules = parseFailBelow([`${key.join('.')}=${n}`]);
          expect(thresholdFailures(withAccuracy(...key, n / 100), rules)).toEqual([]);
          if (n > 0) expect(thresholdFailures(withAccuracy(...key, n / 100 - 0.001), rules)).toHaveLength(1);
        },
      ),
    );
  });

  it('says what is below what, with as many decimals as distinguish them', () => {
    const [rule] = parseFailBelow(['rpl=30']);
    expect(thresholdFailures(withAccuracy('exact', 'RPL', 0.2761), [rule!])).toEqual([
      { rule, accuracy: 0.2761, message: 'exact match under RPL is 27.6%, below 30%' },
    ]);
    expect(thresholdFailures(withAccuracy('exact', 'RPL', 0.29996), [rule!])[0]?.message).toContain('is 29.996%');
  });

  it('fails a rule for what was not measured', () => {
    const unmeasured = { ...report, scores: report.scores.filter(({ metric }) => metric === 'exact') };
    const [failure] = thresholdFailures(unmeasured, parseFailBelow(['execution.add=0']));
    expect(failure).toMatchObject({ accuracy: null, message: expect.stringContaining('was not measured') as string });
  });
});
