import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { command } from '../../../src/cli/consistency-compare-command.js';
import { ConfigError } from '../../../src/errors.js';
import { bandsOf, compareConsistency } from '../../../src/measure/compare/compare-consistency.js';
import {
  CAPABILITIES,
  loadConsistencyReport,
  loadErrorRates,
} from '../../../src/measure/consistency/consistency-report.js';
import {
  consistencyComparisonDocument,
  consistencyComparisonLines,
} from '../../../src/measure/compare/comparison-document.js';
import { parseFailAbove, requireKnownRelations, ruleFailures } from '../../../src/measure/consistency/fail-above.js';
import { consistencyHeadline } from '../../../src/measure/consistency/report/consistency-headline.js';
import { RELATION_IDS } from '../../../src/variants/relations/relations.js';
import { renderDocument } from '../../../src/report/document/render-document.js';
import { runOf } from '../../cli/run-of.js';
import { rejectionOf } from '../../error-of.js';
import { MUTANTS, temporaryFolder, writeMutants } from '../consistency/mutants-fixture.js';
import { syntheticConsistency } from '../consistency/synthetic-consistency.js';

describe('bandsOf', () => {
  it('is Formula 1: half a standard deviation around the average is neutral', () => {
    // Average 4, sample deviation 2: neutral from 3 to 5.
    expect(bandsOf([2, 4, 6], 'less')).toEqual({
      values: [2, 4, 6],
      average: 4,
      std: 2,
      bands: ['good', 'neutral', 'bad'],
    });
    expect(bandsOf([2, 4, 6], 'more').bands).toEqual(['bad', 'neutral', 'good']);
    expect(bandsOf([1, 1, 1], 'less').bands).toEqual(['neutral', 'neutral', 'neutral']);
  });

  it('tells nothing of two models, and nothing of what was not measured', () => {
    expect(bandsOf([0.1, 0.2], 'less').bands).toEqual([null, null]);
    expect(bandsOf([0.1, null, 0.3], 'less').bands).toEqual([null, null, null]);
    expect(bandsOf([0, null, 0.5, 1], 'less').bands).toEqual(['good', null, 'neutral', 'bad']);
    expect(bandsOf([null], 'less')).toEqual({ values: [null], average: null, std: null, bands: [null] });
  });

  it('turns around with the better side', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 3, maxLength: 9 }), (values) => {
        const turned = { good: 'bad', bad: 'good', neutral: 'neutral' } as const;
        const bands = bandsOf(values, 'less').bands.map((band) => (band === null ? null : turned[band]));
        expect(bandsOf(values, 'more').bands).toEqual(bands);
      }),
    );
  });
});

function catchError(action: () => void): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  return null;
}

const three = [0.02, 0.04, 0.06].map((rate, i) => ({ name: `run ${i}`, report: syntheticConsistency({ rate }) }));

describe('a model with nothing right on the originals', () => {
  const none = { ...syntheticConsistency({ rate: 0.01 }), accuracy: { exact: 0, execution: 0 } };

  it('is none of those that change the fewest answers', () => {
    const comparison = compareConsistency([{ name: 'mute', report: none }, ...three]);
    expect(consistencyComparisonDocument(comparison, '1').headline).toMatch(
      /^run 0 changes the fewest answers that must stay, .*; run 2 the most, .*; mute has no answer right on the originals/,
    );
  });

  it('is not measured alone', () => {
    expect(consistencyHeadline(none)).toMatch(
      /^Nothing can be measured: none of [\d,]+\u00a0answers on the original tables is right/,
    );
    expect(consistencyHeadline({ ...none, accuracy: { exact: 0, execution: 0.5 } })).not.toMatch(/^Nothing/);
  });
});

describe('compareConsistency', () => {
  it('gives rates and bands by relation and capability', () => {
    const comparison = compareConsistency(three);
    const prefix = comparison.relations.find(({ relation }) => relation === 'PI')!;
    expect(prefix.values).toEqual([0.02, 0.04, 0.06]);
    expect(prefix.bands).toEqual(['good', 'neutral', 'bad']);
    expect(comparison.relations.at(-1)!.relation).toBe('all');
    expect(comparison.capabilities).toHaveLength(CAPABILITIES.length);
    expect(comparison.capabilities[0]).toMatchObject({ id: 'question form', bands: ['good', 'neutral', 'bad'] });
    expect(comparison.robustness.bands).toEqual(['good', 'neutral', 'bad']);
    expect(comparison.accuracy.values).toEqual([0.5, 0.5, 0.5]);
    expect(comparison.warnings).toEqual([]);
  });

  it('warns of two models, other mutants and open questions', () => {
    const other = syntheticConsistency({ rate: 0.1 });
    const changed = {
      ...other,
      // The same seeds from other files are the same questions.
      dataset: { ...other.dataset, fingerprint: 'from the run' },
      mutants: { ...other.mutants!, fingerprint: 'other' },
      all: { ...other.all, open: 3 },
    };
    const { warnings, relations } = compareConsistency([three[0]!, { name: 'other', report: changed }]);
    expect(relations[0]!.bands).toEqual([null, null]);
    expect(warnings).toEqual([
      'good, neutral and bad are told of 3 models or more; there are 2',
      'the runs differ in the mutants: their figures are not about the same questions',
      'not all questions are answered in other',
    ]);
    expect(() => compareConsistency([three[0]!])).toThrow(ConfigError);
  });

  it('is shown as lines and as a page', () => {
    const comparison = compareConsistency(three);
    const document = consistencyComparisonDocument(comparison, '1');
    expect(document.headline).toBe('run 0 changes the fewest answers that must stay, 2.0%; run 2 the most, 6.0%');
    const lines = consistencyComparisonLines(document);
    expect(lines.find((line) => line.startsWith('PI'))).toMatch(
      /^PI \(Prefix Insertion\) +2\.0% \(good\) +4\.0% \(neutral\) +6\.0% \(bad\) +4\.0% \(± 2\.0\)$/,
    );
    const page = renderDocument(document);
    expect(page).toMatch(/<td class="num good keyed"[^>]*>\s*2\.0%<span class="sub">good<\/span>/);
    expect(page).not.toMatch(/NaN|undefined/);
  });
});

describe('ruleFailures', () => {
  it('names rates above their limit, and rates that are not there', () => {
    const report = syntheticConsistency({ rate: 0.05 });
    expect(ruleFailures(report, parseFailAbove(['PI=5', 'all=10']))).toEqual([]);
    expect(ruleFailures(report, parseFailAbove(['PI=4.9', 'XX=1']))).toEqual([
      'the rate of PI is 5.00%, above 4.9%',
      'the rate of XX was not measured, at most 1% are asked for',
    ]);
  });

  it.each(['PI', 'PI=', '=5', 'PI=x', 'PI=101'])('refuses %j', (text) => {
    expect(() => parseFailAbove([text])).toThrow(ConfigError);
  });
});

describe('requireKnownRelations', () => {
  it('takes the shipped relations, all, composed and those of the run’s mutants, and names them', () => {
    const own = { ...MUTANTS[0]!, id: 'dev:0~Polite.0', relations: ['Polite'] };
    const run = writeMutants(join(temporaryFolder(), 'mutants'), { mutants: [...MUTANTS, own], databases: false });
    const check = (...texts: string[]): void => requireKnownRelations(parseFailAbove(texts), run);
    expect(() => check('all=5', 'SS=20', 'composed=3', 'Polite=1')).not.toThrow();
    const error = catchError(() => check('all=5', 'XX=3'));
    expect(error).toBeInstanceOf(ConfigError);
    expect(error).toMatchObject({
      message: '--fail-above: there is no relation "XX"',
      fix: `Known: ${RELATION_IDS.join(', ')}, composed, kept, other-query, unanswerable, all, Polite.`,
    });
  });
});

describe('loadConsistencyReport', () => {
  it('reads the keys of version 0.1.0', () => {
    const report = syntheticConsistency({ rate: 0.05 });
    const old = JSON.stringify(report)
      .replaceAll('"dbId":', '"db_id":')
      .replaceAll('"errorType":', '"error_type":')
      .replaceAll('"shrunkFrom":', '"shrunk_from":')
      .replace('"shrinkQuestions":', '"shrink_questions":');
    expect(old).toContain('"shrunk_from":');
    const file = join(temporaryFolder(), 'report.json');
    writeFileSync(file, old);
    expect(loadConsistencyReport(file)).toEqual(report);
  });
});

describe('loadErrorRates', () => {
  const write = (report: object): string => {
    const file = join(temporaryFolder(), 'report.json');
    writeFileSync(file, JSON.stringify(report));
    return file;
  };

  it('reads the rates of a fold, 0 where nothing was judged', () => {
    const report = syntheticConsistency({ rate: 0.05, relations: ['PI', 'PR'] });
    const [prefix] = Object.values(report.relations);
    const settings = { ...report.settings, fold: { index: 1, of: 10, seed: 0 } };
    const relations = { ...report.relations, PR: { ...prefix, rate: null, judged: 0 } };
    expect([...loadErrorRates(write({ ...report, settings, relations }))]).toEqual([
      ['PI', 0.05],
      ['PR', 0],
    ]);
  });

  it('refuses rates of all examples, other reports and other versions', () => {
    const report = syntheticConsistency({ rate: 0.05 });
    expect(() => loadErrorRates(write(report))).toThrow('not of a fold that the model did not train on');
    expect(() => loadErrorRates(write({ format: 'perturbql-attack' }))).toThrow('not the report of a consistency run');
    expect(() => loadErrorRates(write({ ...report, version: 2 }))).toThrow('format version 2');
    expect(() => loadErrorRates(write({ ...report, clusters: null }))).toThrow('field "clusters" is wrong');
    expect(() => loadErrorRates(join(temporaryFolder(), 'none'))).toThrow('there is no report');
  });
});

describe('perturbql consistency compare', () => {
  it.each(['report.json', 'report.html'])('refuses to put its page in place of the %s of a run', async (name) => {
    const folders = ['a', 'b'].map((run) => {
      const folder = join(temporaryFolder(), run);
      mkdirSync(folder);
      writeFileSync(join(folder, 'report.json'), JSON.stringify(syntheticConsistency({ rate: 0.05 })));
      return folder;
    });
    const out = join(folders[1] ?? '', name);
    const error = await rejectionOf(ConfigError, () => runOf(command)({ out }, ...folders));
    expect(error.message).toBe(`option --out: ${out} belongs to a run that is compared`);
    expect(loadConsistencyReport(folders[1] ?? '').format).toBe('perturbql-consistency');
  });
});
