import { meanOf, sampleDeviation } from '../../report/statistics/mean.js';
import { ConfigError } from '../../errors.js';
import type { ReportedInterval } from '../../report/figures.js';
import { type ComparedRun, differingSettings } from './compared-runs.js';
import {
  CAPABILITIES,
  type Capability,
  type ConsistencyReport,
  expectedIn,
  figuresExpecting,
} from '../consistency/consistency-report.js';
import { EXPECTED_ANSWERS, type ExpectedAnswer } from '../../variants/relations/relation.js';
import { hasRight } from '../nothing-right.js';

/** How a model stands among others (MT-TEQL §5.4, Formula 1). */
type Band = 'good' | 'neutral' | 'bad';

/** Models from which a band says something. */
const FEWEST_MODELS = 3;
/** Standard deviations around the average that are neutral (Formula 1). */
const WIDTH = 0.5;

export interface Banded {
  /** One value per model; null where it was not measured. */
  readonly values: readonly (number | null)[];
  readonly average: number | null;
  /** Sample standard deviation (n − 1); null of fewer than two values. */
  readonly std: number | null;
  /** Null where there is no value, or too few of them. */
  readonly bands: readonly (Band | null)[];
}

/**
 * Bands of values around their average: neutral within half a standard deviation, its ends included; `better` says which
 * side is good. The paper says "standard error" and means deviations; ours is the sample's.
 */
export function bandsOf(values: readonly (number | null)[], better: 'less' | 'more'): Banded {
  const known = values.filter((value) => value !== null);
  const average = known.length === 0 ? null : meanOf(known);
  const std = average === null ? null : sampleDeviation(known);
  if (average === null || std === null || known.length < FEWEST_MODELS) {
    return { values, average, std, bands: values.map(() => null) };
  }
  const bandOf = (value: number): Band => {
    if (Math.abs(value - average) <= WIDTH * std) return 'neutral';
    return value < average === (better === 'less') ? 'good' : 'bad';
  };
  return { values, average, std, bands: values.map((value) => (value === null ? null : bandOf(value))) };
}

/** Consistency runs of several models side by side; plain JSON. */
export interface ConsistencyComparison {
  readonly runs: readonly {
    readonly name: string;
    readonly victim: ConsistencyReport['victim'];
    readonly cases: number;
    /** Of the mutants whose answer must stay; null where there are none. */
    readonly rate: number | null;
    readonly interval: ReportedInterval | null;
    /** False where no answer on the originals is right: then how many change tells nothing. */
    readonly hasRight: boolean;
  }[];
  /**
   * Error rates by relation (MT-TEQL Table 7); then those of all mutants whose answer must stay (`kept`), be another or
   * be refused, where there is more than one kind; `all` last.
   */
  readonly relations: readonly (Banded & { readonly relation: string })[];
  /** Mean rates by capability (MT-TEQL Table 11). */
  readonly capabilities: readonly (Banded & Pick<Capability, 'id' | 'category' | 'relations'>)[];
  /** The mean of a model's capabilities; its accuracy on the seeds by exact match. */
  readonly robustness: Banded;
  readonly accuracy: Banded;
  readonly warnings: readonly string[];
}

type Reports = readonly ConsistencyReport[];

function meanRate({ capabilities }: ConsistencyReport): number | null {
  const rates = capabilities.flatMap(({ rate }) => rate ?? []);
  return rates.length === 0 ? null : meanOf(rates);
}

function compareRelations(reports: Reports): ConsistencyComparison['relations'] {
  const names = [...new Set(reports.flatMap(({ relations }) => Object.keys(relations)))];
  const rates = (relation: string): (number | null)[] => reports.map((one) => one.relations[relation]?.rate ?? null);
  const apart = EXPECTED_ANSWERS.filter((expected) => reports.some((report) => expectedIn(report).includes(expected)));
  const together = (expected: ExpectedAnswer): (number | null)[] =>
    reports.map(({ all }) => figuresExpecting(all, expected)?.rate ?? null);
  return [
    ...names.map((relation) => ({ relation, ...bandsOf(rates(relation), 'less') })),
    // Where the answer of all must stay, `all` says the same.
    ...(apart.length < 2
      ? []
      : apart.map((expected) => ({ relation: expected, ...bandsOf(together(expected), 'less') }))),
    {
      relation: 'all',
      ...bandsOf(
        reports.map(({ all }) => all.rate),
        'less',
      ),
    },
  ];
}

/**
 * The differences between runs that change what was asked or how it was judged. Not the data set's fingerprint: it is
 * of the files that seeds were read from, which are others if the run of the mutants holds the same seeds.
 */
const SAME: readonly { readonly what: string; readonly read: (report: ConsistencyReport) => unknown }[] = [
  { what: 'the mutants', read: ({ mutants }) => mutants?.fingerprint ?? null },
  { what: 'the fold', read: ({ settings }) => settings.fold },
  { what: 'the comparison of values', read: ({ settings }) => settings.values },
  { what: 'the metrics', read: ({ settings }) => settings.metrics },
];

function warningsOf(runs: readonly ComparedRun<ConsistencyReport>[]): readonly string[] {
  const open = runs.filter(({ report }) => report.all.open > 0).map(({ name }) => name);
  return [
    ...(runs.length < FEWEST_MODELS
      ? [`good, neutral and bad are told of ${FEWEST_MODELS} models or more; there are ${runs.length}`]
      : []),
    ...differingSettings(SAME, runs).map(
      ({ what }) => `the runs differ in ${what}: their figures are not about the same questions`,
    ),
    ...(open.length > 0 ? [`not all questions are answered in ${open.join(', ')}`] : []),
  ];
}

/**
 * Sets consistency runs of several models side by side, with the paper's bands where there are three or more.
 * @throws ConfigError for fewer than two
 */
export function compareConsistency(runs: readonly ComparedRun<ConsistencyReport>[]): ConsistencyComparison {
  if (runs.length < 2) throw new ConfigError('there is nothing to compare', { fix: 'Name two runs or more.' });
  const reports = runs.map(({ report }) => report);
  const ratesOf = (id: string): (number | null)[] =>
    reports.map(({ capabilities }) => capabilities.find((one) => one.id === id)?.rate ?? null);
  return {
    runs: runs.map(({ name, report }) => {
      const { rate = null, interval = null } = figuresExpecting(report.all, 'kept') ?? {};
      return {
        name,
        victim: report.victim,
        cases: report.mutants?.cases ?? 0,
        rate,
        interval,
        hasRight: hasRight(report),
      };
    }),
    relations: compareRelations(reports),
    capabilities: CAPABILITIES.map((capability) => ({ ...capability, ...bandsOf(ratesOf(capability.id), 'less') })),
    robustness: bandsOf(reports.map(meanRate), 'less'),
    accuracy: bandsOf(
      reports.map(({ accuracy }) => accuracy.exact),
      'more',
    ),
    warnings: warningsOf(runs),
  };
}
