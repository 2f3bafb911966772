import { z } from 'zod';
import { compareText } from '../../present.js';
import { groupBy } from '../../run/group-by.js';
import { RELATION_IDS, type RelationId, RELATIONS } from '../../variants/relations/relations.js';
import { reportedInterval } from '../../report/statistics/bootstrap.js';
import { HARDNESS_LEVELS, UNKNOWN_HARDNESS } from '../../evaluate/exact/hardness.js';
import { count, reportedDataset, reportedUsage, reportedVictim, share } from '../asked-report.js';
import { recompositionReport } from '../compositions/recomposition-report.js';
import { EXPECTED_ANSWERS, type ExpectedAnswer } from '../../variants/relations/relation.js';
import { CHANGES, ERROR_TYPES } from './clusters/query-change.js';
import { QUERY_FEATURES } from '../../sql/query-features.js';
import { ANSWER_METRICS } from '../../victims/scoring.js';
import { mutantFailure, pairedFlips } from '../mutants/mutant-report.js';
import { loadReport } from '../../report/stored-report.js';
import { ConfigError } from '../../errors.js';
import type { ErrorRates } from '../../variants/mutate/sampling/sampling.js';

/** Capabilities that a model needs to stay consistent, as the relations name them. */
type CapabilityId = (typeof RELATIONS)[RelationId]['capability'];

export interface Capability {
  readonly id: CapabilityId;
  /** The paper's two categories (MT-TEQL §5.4). */
  readonly category: 'linguistic' | 'structural';
  readonly relations: readonly RelationId[];
}

/**
 * Which relations a capability shows in. The paper puts its relations into seven capabilities (Table 11), but the map
 * is in a picture whose names are not in the text: this one is ours; the last of its seven is of unanswerable
 * questions, which the paper has not.
 */
export const CAPABILITIES: readonly Capability[] = Array.from(
  groupBy(RELATION_IDS, (id) => RELATIONS[id].capability),
  ([id, relations]) => ({ id, category: categoryOf(relations), relations }),
);

const CAPABILITY_IDS = CAPABILITIES.map(({ id }) => id);

function categoryOf(relations: readonly RelationId[]): Capability['category'] {
  return relations.every((id) => RELATIONS[id].target === 'utterance') ? 'linguistic' : 'structural';
}

/** How often predictions are not as the relation expects: changed though they must not, wrong, or not refused. */
const rate = z.object({
  /** Mutants that can be told: both questions answered, and the comparison possible. */
  judged: count,
  inconsistent: count,
  /**
   * `inconsistent / judged`; where the answer must stay the paper's error rate (MT-TEQL §5). Null where nothing was
   * judged.
   */
  rate: share.nullable(),
});

/** Right answers by one metric, over the same mutants: `seeds` is that of each mutant's seed. */
const accuracy = z.object({
  cases: count,
  seeds: share,
  mutants: share,
  /** Right on the seed and wrong on the mutant, and the other way round. */
  broken: count,
  mended: count,
});

/** The figures for mutants that ask for the same kind of answer. */
const expectedFigures = rate.extend({
  cases: count,
  /** Distinct seeds among them. */
  seeds: count,
  /** Without an answer for a reason that may pass, on one side at least. */
  open: count,
  interval: reportedInterval.nullable(),
  /** By either metric alone; `rate` above takes the one that the relation's expectation asks for. */
  by: z.object({ exact: rate, execution: rate }),
  accuracy: z.object({ exact: accuracy.nullable(), execution: accuracy.nullable() }),
});

/** The figures for some mutants. */
const consistencyFigures = expectedFigures.extend({
  /**
   * The same apart for mutants whose answer must stay (`kept`: the paper's error rate), for those that ask something
   * else (`inconsistent`: wrong) and for those that nothing answers (`inconsistent`: not refused); each only where
   * there are some. Absent from runs of earlier versions.
   */
  expected: z.partialRecord(z.enum(EXPECTED_ANSWERS), expectedFigures).exactOptional(),
});

/** A cell of the heat map: the mutants of a relation whose seed's gold has a feature. */
const cell = rate.extend({ relation: z.string(), key: z.string(), cases: count });

const capability = z.object({
  id: z.enum(CAPABILITY_IDS),
  /** Mean of the rates of its relations, each alike; null where none was judged. */
  rate: share.nullable(),
  relations: z.array(z.string()),
});

/** Failures of one relation with one kind of change between the two predictions. */
const cluster = z.object({
  /** Names of composed relations are joined: "CRm+PI". */
  relation: z.string(),
  changes: z.array(z.enum(CHANGES)),
  /** In the words of MT-TEQL's Table 8; the map is ours. */
  errorType: z.enum(ERROR_TYPES),
  failures: count,
  seeds: count,
  databases: count,
  /** The smallest of them. */
  example: mutantFailure,
  /** Some more, the smaller first; absent where there are none, and from runs of earlier versions. */
  others: z.array(mutantFailure).exactOptional(),
});

/** `report.json` of `perturbql consistency`: all that its page shows. */
export const consistencyReport = z.object({
  format: z.literal('perturbql-consistency'),
  version: z.literal(1),
  perturbql: z.string(),
  victim: reportedVictim,
  dataset: reportedDataset.extend({
    seeds: count,
    /** Seeds whose gold is unknown; absent where all have one. */
    withoutGold: count.exactOptional(),
  }),
  /**
   * The mutants: how many, on how many schemas of their own, and the sha256 of their file; null where none were asked.
   */
  mutants: z.object({ cases: count, schemas: count, fingerprint: z.string() }).nullable(),
  settings: z.object({
    /** True if literals count in exact match. */
    values: z.enum(['ignored', 'compared']),
    /** Name and version of each metric's mode. */
    metrics: z.partialRecord(z.enum(ANSWER_METRICS), z.string()),
    fold: z.object({ index: z.int(), of: z.int(), seed: z.int() }).nullable(),
    seed: z.int(),
    /** Most further questions that shrinking may ask. */
    shrinkQuestions: count,
  }),
  /** Accuracy on the seeds themselves, each once; null where nothing was measured. */
  accuracy: z.object({ exact: share.nullable(), execution: share.nullable() }),
  /** All mutants, whatever answer they ask for; `all.expected.kept` has those whose answer must stay. */
  all: consistencyFigures,
  /**
   * By relation, under the paper's abbreviations: PI, PR, …; all mutants of several relations together as `composed`.
   */
  relations: z.record(z.string(), consistencyFigures),
  /** By relation and level; absent from runs of earlier versions. */
  paired: z.array(pairedFlips).readonly().exactOptional(),
  /** The heat map: by relation and feature of the seed's gold, and by relation and its hardness. */
  features: z.array(cell.extend({ key: z.enum(QUERY_FEATURES) })),
  hardness: z.array(cell.extend({ key: z.enum([...HARDNESS_LEVELS, UNKNOWN_HARDNESS]) })),
  capabilities: z.array(capability),
  /** Composed questions and their parents, where they were asked. */
  compositions: recompositionReport.exactOptional(),
  /** Most failures first. */
  clusters: z.array(cluster),
  /** The cost of the victim, for seeds, mutants and shrinking together. */
  usage: reportedUsage.extend({ shrinking: count, failures: z.record(z.string(), count) }),
  /** Notes for readers of the figures. */
  warnings: z.array(z.string()),
});

export type ConsistencyReport = z.infer<typeof consistencyReport>;
export type ExpectedFigures = z.infer<typeof expectedFigures>;
export type ConsistencyFigures = z.infer<typeof consistencyFigures>;
export type ConsistencyRate = z.infer<typeof rate>;
export type ConsistencyCell = z.infer<typeof cell>;
export type ReportedAccuracy = z.infer<typeof accuracy>;
export type FailureCluster = z.infer<typeof cluster>;

/** Reads the report of a consistency run. @throws InputFormatError as `loadReport` */
export function loadConsistencyReport(path: string): ConsistencyReport {
  return loadReport(path, {
    command: 'consistency',
    what: 'a consistency run',
    format: consistencyReport.shape.format.value,
    version: consistencyReport.shape.version.value,
    schema: consistencyReport,
    oldKeys: {
      db_id: 'dbId',
      error_type: 'errorType',
      shrink_questions: 'shrinkQuestions',
      shrunk_from: 'shrunkFrom',
    },
    again: 'Run `perturbql consistency`',
  });
}

/**
 * The error rates by relation that adaptive sampling goes by (MT-TEQL §4): of a consistency run's folder or report, over
 * a fold that the model did not train on.
 * @throws InputFormatError when there is no such report
 * @throws ConfigError when it is of all examples: a model errs little where it has learned
 */
export function loadErrorRates(path: string): ErrorRates {
  const { relations, settings } = loadConsistencyReport(path);
  if (settings.fold === null) {
    throw new ConfigError('these rates are of all examples, not of a fold that the model did not train on', {
      where: { file: path },
      fix: 'Run `perturbql consistency` with --fold 1/10 on mutants of the training examples, and name that run.',
    });
  }
  return new Map(Object.entries(relations).map(([relation, { rate }]) => [relation, rate ?? 0]));
}

/**
 * The figures of those mutants whose answer must stay, or be another, or be refused; null where there are none. Runs of
 * earlier versions do not say which are: all then count as those whose answer must stay.
 */
export function figuresExpecting(figures: ConsistencyFigures, expected: ExpectedAnswer): ExpectedFigures | null {
  if (figures.expected === undefined) return expected === 'kept' ? figures : null;
  return figures.expected[expected] ?? null;
}

/** The same by relation, without those that have no such mutants. */
function relationsExpecting(
  { relations }: Pick<ConsistencyReport, 'relations'>,
  expected: ExpectedAnswer,
): readonly (readonly [relation: string, figures: ExpectedFigures])[] {
  return Object.entries(relations).flatMap(([relation, figures]) => {
    const own = figuresExpecting(figures, expected);
    return own === null ? [] : [[relation, own] as const];
  });
}

/** Lists the answers expected of some mutants of a run, in the order of its tables. */
export function expectedIn({ all }: Pick<ConsistencyReport, 'all'>): readonly ExpectedAnswer[] {
  return EXPECTED_ANSWERS.filter((expected) => figuresExpecting(all, expected) !== null);
}

/** A relation with what was found of its mutants that ask for one kind of answer. */
export interface RankedRelation {
  readonly relation: string;
  readonly figures: ExpectedFigures;
}

export interface RankedRelations {
  /** Those under which some answer is not as expected, the highest rate first. */
  readonly harmful: readonly RankedRelation[];
  /** Those under which every answer is as expected. */
  readonly calm: readonly RankedRelation[];
  /** Those of which nothing could be judged. */
  readonly untold: readonly RankedRelation[];
}

/** Relations by the harm that they do. */
export function rankRelations(report: ConsistencyReport, expected: ExpectedAnswer): RankedRelations {
  const all = relationsExpecting(report, expected).map(([relation, figures]) => ({ relation, figures }));
  const harm = ({ figures }: RankedRelation): number => figures.rate ?? 0;
  return {
    harmful: all
      .filter(({ figures }) => figures.inconsistent > 0)
      .sort(
        (a, b) =>
          harm(b) - harm(a) || b.figures.inconsistent - a.figures.inconsistent || compareText(a.relation, b.relation),
      ),
    calm: all.filter(({ figures }) => figures.judged > 0 && figures.inconsistent === 0),
    untold: all.filter(({ figures }) => figures.judged === 0),
  };
}
