import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AttackReport } from '../../../src/measure/attack/attack-report.js';
import { compareRuns, type RunComparison } from '../../../src/measure/compare/compare-runs.js';
import { namesOfRuns } from '../../../src/measure/compare/compared-runs.js';
import { compareDocument, compareLines } from '../../../src/measure/compare/compare-document.js';
import type { CasesSection } from '../../../src/report/document/case.js';
import type { ReportDocument } from '../../../src/report/document/document.js';
import { renderDocument } from '../../../src/report/document/render-document.js';
import { syntheticReport } from '../attack/report/synthetic-report.js';

const SMALL = { examples: 24, databases: 3, seeds: [0, 1, 2] };
const first = syntheticReport(SMALL);
const second = syntheticReport({ ...SMALL, seed: 1, right: { original: 0.7, RPL: 0.6, ADD: 0.4 } });
const compare = (ours: AttackReport, theirs: AttackReport): RunComparison =>
  compareRuns([
    { name: 'A', report: ours },
    { name: 'B', report: theirs },
  ]);

describe('namesOfRuns', () => {
  it.each([
    [
      ['/tmp/runs/first', '/tmp/runs/second/'],
      ['first', 'second'],
    ],
    [
      ['a/RUN', 'b/RUN'],
      ['a/RUN', 'b/RUN'],
    ],
    [
      ['/x/a/report.json', '/x/b/report.json'],
      ['a/report.json', 'b/report.json'],
    ],
    [
      ['RUN', 'RUN'],
      ['RUN', 'RUN'],
    ],
    [
      ['RUN', 'old/RUN'],
      ['RUN', 'old/RUN'],
    ],
  ])('tells %j apart', (paths, names) => expect(namesOfRuns(paths)).toEqual(names));
});

describe('a run with nothing right on the original tables', () => {
  const right = { original: 0, RPL: 0, ADD: 0 };
  const none = syntheticReport({ ...SMALL, right, metrics: ['exact'] });
  const headlineOf = (ours: AttackReport, theirs: AttackReport): string =>
    compareDocument(
      compare(ours, theirs),
      [
        { name: 'A', report: ours },
        { name: 'B', report: theirs },
      ],
      '1',
    ).headline;

  it.each([
    [none, none, 'neither run has any answer right'],
    [none, second, 'the first run has no answer right'],
    [first, none, 'the second run has no answer right'],
  ])('is not compared', (ours, theirs, which) => {
    expect(headlineOf(ours, theirs)).toBe(
      `Nothing can be compared: ${which} on the original tables. Look at what the model says: answers.jsonl`,
    );
  });
});

describe('compareRuns', () => {
  it('finds nothing between a run and itself', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 1, max: 8 }), (seed, examples) => {
        const report = syntheticReport({ examples, databases: 2, seeds: [0, 3], seed });
        const { differences, warnings, matches, scores, byHardness, drops } = compare(report, report);
        expect([differences, warnings]).toEqual([[], []]);
        for (const match of matches)
          expect(match).toMatchObject({ onlyFirst: 0, onlySecond: 0, otherwisePerturbed: 0 });
        for (const { difference, mcNemar } of [...scores, ...byHardness]) {
          expect(difference).toMatchObject({ mean: 0 });
          expect([0, null]).toContain(difference!.low);
          expect(difference!.high).toBe(difference!.low);
          expect(mcNemar).toMatchObject({ onlyFirst: 0, onlySecond: 0, p: 1 });
        }
        for (const { difference } of drops) expect(difference).toMatchObject({ mean: 0, high: difference!.low });
      }),
      { numRuns: 8 },
    );
  });

  it('is the same the other way round', () => {
    const [there, back] = [compare(first, second), compare(second, first)];
    there.scores.forEach((score, i) => {
      const other = back.scores[i]!;
      expect(other.cases).toBe(score.cases);
      expect(other.mcNemar).toMatchObject({
        onlyFirst: score.mcNemar.onlySecond,
        onlySecond: score.mcNemar.onlyFirst,
        p: score.mcNemar.p,
      });
      expect(other.difference!.mean).toBeCloseTo(-score.difference!.mean, 12);
      expect(other.difference!.low).toBeCloseTo(-score.difference!.high!, 12);
    });
    expect(back.drops.map(({ first }) => first)).toEqual(there.drops.map(({ second }) => second));
    expect(back.matches).toEqual(there.matches);
  });

  it('counts right answers as the reports do', () => {
    const { scores, drops } = compare(first, second);
    for (const report of [first, second]) {
      for (const { metric, condition, accuracy, drop } of report.scores) {
        const side = report === first ? 'first' : 'second';
        const score = scores.find((one) => one.metric === metric && one.condition === condition)!;
        expect(score[side]).toBeCloseTo(accuracy, 10);
        const lost = drops.find((one) => one.metric === metric && one.condition === condition);
        if (drop !== null) expect(lost![side]).toBeCloseTo(drop.absolute, 10);
      }
    }
  });

  it('joins by example, kind and seed, in whatever order the cases stand, and names the rest', () => {
    const part: AttackReport = {
      ...second,
      settings: { ...second.settings, seeds: [1, 2, 7] },
      cases: second.cases
        .slice(4)
        .reverse()
        .map((one) => ({ ...one, perturbed: one.perturbed.map((v) => (v.seed === 0 ? { ...v, seed: 7 } : v)) })),
    };
    const { matches, warnings, differences } = compare(first, part);
    expect(matches).toEqual([
      { condition: 'original', both: 20, onlyFirst: 4, onlySecond: 0, otherwisePerturbed: 0 },
      { condition: 'RPL', both: 40, onlyFirst: 32, onlySecond: 20, otherwisePerturbed: 0 },
      { condition: 'ADD', both: 40, onlyFirst: 32, onlySecond: 20, otherwisePerturbed: 0 },
    ]);
    expect(warnings).toContainEqual(expect.stringMatching(/not asked the same questions: they differ in seeds/));
    expect(warnings).toContainEqual(
      expect.stringMatching(/RPL: 40 cases .* 32 of the first alone and 20 of the second/),
    );
    expect(differences).toContainEqual({ what: 'seeds', first: '0, 1, 2', second: '1, 2, 7', questions: true });
  });

  it('does not take another question under the same id for the same example', () => {
    const other = { ...second, cases: second.cases.map((one) => ({ ...one, question: `${one.question} Sorted.` })) };
    const { scores, warnings } = compare(first, other);
    expect(scores).toEqual([]);
    expect(warnings[0]).toContain('no case in common');
    const document = documentOf(first, other);
    expect(compareLines(document).join('\n')).not.toContain('NaN');
    expect(renderDocument(document)).toContain('Two runs without a case in common');
  });

  it('tells cases whose tables were perturbed otherwise', () => {
    const [one, ...rest] = second.cases;
    const [variant, ...variants] = one!.perturbed;
    const changes = variant!.changes.map((change) => ({ ...change, candidate: 'something else' }));
    const other = { ...second, cases: [{ ...one!, perturbed: [{ ...variant!, changes }, ...variants] }, ...rest] };
    const { matches, warnings } = compare(first, other);
    expect(matches.map(({ otherwisePerturbed }) => otherwisePerturbed)).toEqual([0, 1, 0]);
    expect(warnings).toEqual([expect.stringContaining('RPL: 1 of 72 cases were perturbed in another way')]);
  });

  it('says which run has questions without an answer that count as wrong', () => {
    const [one, ...rest] = second.cases;
    const [variant, ...variants] = one!.perturbed;
    const late = { ...variant!, predicted: null, failure: 'timeout' as const, exact: 'empty' as const };
    const refused = { ...one!.original, predicted: null, failure: 'refused' as const, exact: 'empty' as const };
    const open = { ...second, cases: [{ ...one!, original: refused, perturbed: [late, ...variants] }, ...rest] };
    const warning =
      'B is not complete: 1 of its cases has no answer because of transient failures, and counts as wrong.';
    expect(compare(first, open).warnings).toEqual([warning]);
    expect(compare(open, first).warnings).toEqual([warning.replace('B', 'A')]);
  });

  it('takes candidates under another path for another place, not for other questions', () => {
    const moved = { ...first, settings: { ...first.settings, candidates: `/data/${first.settings.candidates}` } };
    const { differences, warnings } = compare(first, moved);
    expect(differences.map(({ what, questions }) => [what, questions])).toEqual([['candidates', false]]);
    expect(warnings).toEqual([]);
  });

  it('compares only what both measured', () => {
    const exact = syntheticReport({ ...SMALL, metrics: ['exact'] });
    const { scores, differences } = compare(first, exact);
    expect(new Set(scores.map(({ metric }) => metric))).toEqual(new Set(['exact']));
    expect(differences.map(({ what }) => what)).toEqual(['mode of execution accuracy', 'databases']);
  });

  it('draws the turns of an interaction together', () => {
    const withTurns = (report: AttackReport): AttackReport => ({
      ...report,
      cases: report.cases.map((one, i) => ({ ...one, interaction: `talk ${i % 4}` })),
    });
    const { scores } = compare(withTurns(first), withTurns(second));
    // Four interactions are too few to tell, however many turns they have.
    for (const { difference } of scores) expect(difference).toMatchObject({ low: null, high: null });
  });

  it('is plain JSON, the same each time', () => {
    const once = compare(first, second);
    expect(JSON.parse(JSON.stringify(once))).toEqual(once);
    expect(JSON.stringify(compare(first, second))).toBe(JSON.stringify(once));
  });
});

/** A comparison as a document. */
function documentOf(one: AttackReport, other: AttackReport, version = '1'): ReportDocument {
  const runs = [
    { name: 'A', report: one },
    { name: 'B', report: other },
  ] as const;
  return compareDocument(compareRuns(runs), runs, version);
}

describe('a comparison for people', () => {
  const comparison = compare(first, second);

  it('says what differs clearly once, with its unit', () => {
    const low = syntheticReport({ ...SMALL, databases: 8, right: { original: 0.1, RPL: 0.1, ADD: 0.1 } });
    const high = syntheticReport({ ...SMALL, databases: 8, seed: 1, right: { original: 0.9, RPL: 0.9, ADD: 0.9 } });
    expect(documentOf(low, high).headline).toMatch(
      /^The second run’s exact match is [\d.]+ points higher on the original tables, [\d.]+ higher under RPL, and [\d.]+ higher under ADD$/,
    );
  });

  it('says what the intervals are drawn over', () => {
    const drawn = 'by bootstrap over examples, the turns of an interaction together';
    expect(compareLines(documentOf(first, second))).toContain(`intervals ${drawn}`);
    expect(renderDocument(documentOf(first, second)).replaceAll(/\s+/g, ' ')).toContain(drawn);
  });

  it('says which units are too few where there is no interval', () => {
    const few = documentOf(syntheticReport({ examples: 3 }), syntheticReport({ examples: 3, seed: 1 }));
    expect(renderDocument(few)).toContain('fewer than 5 examples: no interval');
  });

  it('shows of two long fingerprints what differs', () => {
    const withArguments = (digits: string): AttackReport => {
      const fingerprint = `command-2:py,arguments=${digits.repeat(16)},prompt=${'0'.repeat(64)}`;
      return { ...first, victim: { ...first.victim, fingerprint } };
    };
    const lines = compareLines(documentOf(withArguments('12ab'), withArguments('34cd')));
    expect(lines.find((line) => line.startsWith('victim’s fingerprint'))).toMatch(
      /…arguments=12ab12ab12ab,… +…arguments=34cd34cd34cd,…$/,
    );
  });

  it('lists each metric and condition with its test', () => {
    const lines = compareLines(documentOf(first, second));
    const row = lines.find((line) => line.startsWith('Exact match, RPL'))!;
    const { first: ours, second: theirs, mcNemar } = comparison.scores[1]!;
    expect(row).toContain((100 * ours).toFixed(1));
    expect(row).toContain((100 * theirs).toFixed(1));
    expect(row).toMatch(new RegExp(` ${mcNemar.onlyFirst} +${mcNemar.onlySecond} `));
  });

  it('has what both answered as cases, those that turned wrong first open', () => {
    const section = documentOf(first, second).chapters[0]!.sections[0] as CasesSection;
    const { mcNemar } = comparison.scores[1]!;
    const broken = section.cases.filter(({ facets, status }) => facets['condition'] === 'RPL' && status === 'broken');
    expect(broken).toHaveLength(mcNemar.onlyFirst);
    expect(section.cases.find(({ id }) => id === section.open)!.status).toBe('broken');
  });

  it('has the same figures on its page, which loads nothing', () => {
    const page = renderDocument(documentOf(first, second, '9.9.9'));
    expect(page.replace(/<script.*?<\/script>/gs, '')).not.toMatch(/https?:\/\/|\b(src|srcset)=|@import|url\(/);
    expect(page).toContain((100 * comparison.scores[1]!.second).toFixed(1));
    expect(page).toContain('perturbql 9.9.9');
    expect(page).not.toContain('NaN');
  });
});
