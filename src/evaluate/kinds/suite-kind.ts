import { countNoun, formatCount } from '../../counts.js';
import { openSuite } from '../../testsuite/suite/open-suite.js';
import { HARDNESS_LEVELS } from '../exact/hardness.js';
import { UNDECIDED } from '../execution/execution-tasks.js';
import {
  type EarlierVerdicts,
  type Judged,
  pairMetricKind,
  type PairScores,
  pairScores,
  requiredPath,
} from '../metric-kind.js';
import { PLUG_LIMIT } from '../plug-values.js';
import { ratio, scoreRow } from '../report/score-lines.js';
import type { Counterexample } from '../suite/counterexample.js';
import { checkSuite, suiteIdentity, SuiteMatch } from '../suite/suite-match.js';
import type { SuiteVerdict } from '../suite/suite-task.js';
import { type ErrorRates, errorRates, RIVAL_METRICS, type RivalMetric } from '../summary/accuracy.js';

export interface SuiteScores extends PairScores {
  /** Pairs whose gold the suite was not distilled for: they are judged on all databases of their schema. */
  readonly notDistilled: number;
  /** Pairs whose gold has no result on some of its databases within the limits: these are left out. */
  readonly withoutGold: number;
  /** As in `ExecutionScores`. */
  readonly cut: number;
  readonly undecided: number;
  /** Of the other metrics that were asked for: how often they say otherwise than the suite. */
  readonly errors: Readonly<Partial<Record<RivalMetric, ErrorRates>>>;
}

/** The fields of verdict files for a pair on a suite. */
export interface SuiteFields {
  /** Databases that it was executed on. */
  readonly databases: number;
  /** Where it is wrong, the first of them on which the results differ. */
  readonly differsOn?: string;
  /** Where it was asked for. */
  readonly counterexample?: Counterexample;
}

function suiteScores(judged: Judged<SuiteVerdict>, earlier: EarlierVerdicts): SuiteScores {
  const { verdicts, hardness } = judged;
  const count = (isMeant: (verdict: SuiteVerdict) => boolean): number => verdicts.filter(isMeant).length;
  const errors = RIVAL_METRICS.flatMap((metric) => {
    const rival = earlier[metric];
    return rival === undefined ? [] : [[metric, errorRates(rival, verdicts, hardness)] as const];
  });
  return {
    ...pairScores(judged),
    notDistilled: count(({ isDistilled }) => !isDistilled),
    withoutGold: count(({ withoutGold, outcome }) => withoutGold > 0 && outcome !== 'bad-gold'),
    cut: count(({ isCut }) => isCut),
    undecided: count(({ reason }) => reason === UNDECIDED),
    errors: Object.fromEntries(errors),
  };
}

function errorTable(title: string, { all, hardness }: ErrorRates): string[] {
  const levels = [
    all,
    ...HARDNESS_LEVELS.map((level) => hardness[level]),
    ...(hardness.unknown === undefined ? [] : [hardness.unknown]),
  ];
  return [
    scoreRow(
      `${title}: false +`,
      levels.map(({ falsePositiveRate }) => ratio(falsePositiveRate)),
    ),
    scoreRow(
      `${title}: false -`,
      levels.map(({ falseNegativeRate }) => ratio(falseNegativeRate)),
    ),
  ];
}

/**
 * Test-suite accuracy. Gold equals itself wherever it has a result: a pass of its own would only open all once more.
 */
export const SUITE = pairMetricKind({
  heading: 'test-suite accuracy',
  checksGold: false,
  open: ({ suite: path, pairs, rules: { plug, ...settings }, jobs, explains }) => {
    const suite = openSuite(requiredPath(path, 'suite', ['suite']));
    const databases = new Set(pairs.map(({ database }) => database));
    checkSuite(suite, databases);
    const metric = new SuiteMatch({
      suite,
      settings: { ...settings, plugLimit: plug ? PLUG_LIMIT : 1 },
      jobs,
      explains,
    });
    return {
      metric,
      mode: metric.mode,
      inputs: () => ({ suite: suiteIdentity(suite, databases) }),
      scores: suiteScores,
      close: () => metric.close(),
    };
  },
  fieldsOf: ({ databases, differsOn, counterexample }): SuiteFields => ({
    databases,
    ...(differsOn !== null && { differsOn }),
    ...(counterexample !== null && { counterexample }),
  }),
  lines: ({ errors, notDistilled, withoutGold, cut, undecided, pairs }) => {
    const note = (count: number, text: string): string[] =>
      count === 0 ? [] : [`  ${text}: ${formatCount(count)} of ${formatCount(pairs)}`];
    return [
      ...RIVAL_METRICS.flatMap((metric) => (errors[metric] === undefined ? [] : errorTable(metric, errors[metric]))),
      ...note(notDistilled, 'gold that the suite was not distilled for, judged on all databases of its schema'),
      ...note(withoutGold, 'gold without a result on some databases, which are left out'),
      ...note(cut, 'not all ways to plug values tried'),
      ...note(undecided, 'undecided, counted as wrong'),
    ];
  },
  details: ({ suite }) => [
    `  suite ${suite.path}: ${countNoun(suite.databases, 'database')} of ${countNoun(suite.schemas, 'schema')}, ${suite.sha256}`,
  ],
});
