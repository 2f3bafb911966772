import pLimit from 'p-limit';
import type { NameAcceptability } from './bank/name-acceptability.js';
import { ColumnDecider, type DecisionStages } from './column-decider.js';
import type { CandidateDecision } from './formats/artifacts/candidates.js';
import { JudgmentLog, type RecordedJudgment } from './llm/judgment.js';
import { recordNames, type RecordedNames } from './llm/proposed-names.js';
import { keepAdditions } from './naturalness/addition-rule.js';
import { columnNameKey } from './schema/name-identity.js';
import {
  type Candidate,
  type CandidateSource,
  type CandidateSourceKind,
  sourceTraits,
  type StageContext,
  type TargetColumn,
  targetColumn,
  type TargetTable,
  type TpePredictor,
} from './stage.js';
import { itemAt, zip } from './present.js';

/** Tables worked on at a time: enough to keep the inference sessions busy, few enough to stay flat in memory. */
const TABLES_AT_ONCE = 4;
/** Columns of a table worked on at a time: wide tables would else stand still until all their candidates are screened. */
const COLUMNS_AT_ONCE = 32;

/** The count that each decided column is reported under, and the step that people see. */
export const COLUMNS_DECIDED = 'columns decided';

/** The stages that a recipe is made of, ready to run. */
export interface CtaStages extends DecisionStages {
  readonly sources: Readonly<Partial<Record<CandidateSourceKind, CandidateSource>>>;
  readonly tpe: TpePredictor;
  /** Estimates how readers would take names, for recipes that ask it. */
  readonly acceptability: Pick<NameAcceptability, 'fingerprint' | 'ofTable'> | null;
  /** Whether results have what the judge said of each pair; left out = no. */
  readonly recordsJudgments?: boolean;
}

/** A table and the positions of the columns to be perturbed: the unit of work and of resume. */
export interface TableTask {
  readonly id: string;
  readonly target: TargetTable;
  readonly columns: readonly number[];
}

export interface TableResult {
  readonly id: string;
  readonly primaryEntity: string;
  readonly decisions: readonly CandidateDecision[];
  /** A language model's proposals, if one was asked. */
  readonly proposed?: readonly RecordedNames[];
  /** A language model's judgments, if one made any. */
  readonly judged?: readonly RecordedJudgment[];
}

/**
 * ADVETA's Figure 2: retrieve, rerank, add dictionary words, judge, sort into buckets. Yields one result per task, in
 * task order; each depends on its task, the stages and the seed alone.
 */
export async function* runPipeline(
  tasks: readonly TableTask[],
  stages: CtaStages,
  context: StageContext,
): AsyncGenerator<TableResult> {
  const limit = pLimit(TABLES_AT_ONCE);
  const started: Promise<TableResult>[] = [];
  const start = (task: TableTask): Promise<TableResult> => {
    const result = decideTable(task, stages, context);
    started.push(result);
    return result;
  };
  const running = tasks.map((task) => limit(() => start(task)));
  // A failure is thrown where its turn comes; until then it must not count as unhandled.
  for (const result of running) result.catch(() => limit.clearQueue());
  try {
    for (const result of running) yield await result;
  } finally {
    // Whoever stops reading early wants no further tables.
    limit.clearQueue();
    // Nor may those under way outlive the stages, which the caller disposes of next.
    await Promise.allSettled(started);
  }
}

async function decideTable(task: TableTask, stages: CtaStages, context: StageContext): Promise<TableResult> {
  context.signal.throwIfAborted();
  const primaryEntity = itemAt(await stages.tpe.predict([task.target], context), 0);
  const columns = task.columns.map((column): TargetColumn => ({ target: task.target, column }));
  const proposals = zip(columns, await propose(columns, stages, context));
  const estimates = await stages.acceptability?.ofTable(task.target, context);
  const log = new JudgmentLog();
  const asked = stages.recordsJudgments === true ? { ...stages, judge: stages.judge.telling(log.add) } : stages;
  const limit = pLimit(COLUMNS_AT_ONCE);
  const decide = async (column: TargetColumn, proposed: Proposals): Promise<readonly CandidateDecision[]> => {
    const estimate = estimates?.(targetColumn(column)) ?? null;
    const decider = new ColumnDecider(column, primaryEntity, asked, context, estimate);
    const decided = await decider.decide(distinctCandidates(proposed));
    context.emit({ kind: 'count', name: COLUMNS_DECIDED, by: 1 });
    return decided;
  };
  const running = proposals.map(([column, proposed]) => limit(() => decide(column, proposed)));
  // After a failure no further column is begun.
  const decisions = await Promise.all(running).finally(() => limit.clearQueue());
  const proposed = proposals.flatMap(([column, ofSources]) =>
    [...ofSources]
      .filter(([kind]) => sourceTraits(kind).knownBy === 'model')
      .map(([, names]) => recordNames(column, names)),
  );
  const kept = stages.keepsUnassociated ? decisions : keepAssociated(decisions);
  const { judgments: judged } = log;
  return {
    id: task.id,
    primaryEntity,
    decisions: kept.flat(),
    ...(proposed.length === 0 ? {} : { proposed }),
    ...(judged.length === 0 ? {} : { judged }),
  };
}

/** Of the additions of a table those that go with their columns (ADVETA §2.3); the others become rejections. */
function keepAssociated(
  decisions: readonly (readonly CandidateDecision[])[],
): readonly (readonly CandidateDecision[])[] {
  const added = decisions.flatMap((ofColumn, column) =>
    // What was drawn by its rank goes with nothing that the judge could tell.
    ofColumn.filter(({ goes_with: kind }) => kind !== undefined).map((decision) => ({ decision, column })),
  );
  const kept = keepAdditions(
    added.map(({ decision: { candidate, association, goes_with: kind }, column }) => {
      return { name: candidate, column, association: association ?? 0, isTopical: kind === 'column' };
    }),
  );
  const dropped = new Set(added.filter((_, i) => !kept[i]).map(({ decision }) => decision));
  return decisions.map((ofColumn) =>
    ofColumn.map((decision) => {
      if (!dropped.has(decision)) return decision;
      const { goes_with, acceptability, ...rest } = decision;
      return { ...rest, bucket: 'rejected', reason: 'unassociated' };
    }),
  );
}

type Proposals = ReadonlyMap<CandidateSourceKind, readonly Candidate[]>;

/** Every source that the recipe names proposes once for all columns of the table. */
async function propose(
  columns: readonly TargetColumn[],
  stages: CtaStages,
  context: StageContext,
): Promise<readonly Proposals[]> {
  const kinds = [...new Set([...stages.recipe.rpl.sources, ...stages.recipe.add.sources])];
  const proposed = await Promise.all(
    kinds.map(async (kind) => [kind, (await stages.sources[kind]?.propose(columns, context)) ?? []] as const),
  );
  return columns.map((_, c) => new Map(proposed.map(([kind, names]) => [kind, itemAt(names, c)])));
}

/**
 * A name that several sources propose is one candidate: that of the first, open to whatever bucket any of them means,
 * with a dictionary's support for it. A retrieved one that a source has, too, which knows what rows are, comes from
 * there: it is the row's own.
 */
function distinctCandidates(proposals: Proposals): readonly Candidate[] {
  const distinct = new Map<string, Candidate>();
  for (const candidate of [...proposals.values()].flat()) {
    const key = columnNameKey(candidate.name);
    const first = distinct.get(key);
    distinct.set(key, first === undefined ? candidate : joinCandidates(first, candidate));
  }
  return [...distinct.values()];
}

/** Buckets that a candidate is meant for. */
function meantFor({ source, proposedFor }: Candidate): 'RPL' | 'ADD' | 'both' {
  return proposedFor ?? sourceTraits(source).bucket ?? 'both';
}

function joinCandidates(first: Candidate, second: Candidate): Candidate {
  const { proposedFor, ...open } = first;
  const isSame = meantFor(first) === meantFor(second);
  const joined = isSame ? first : open;
  const { knownBy } = sourceTraits(second.source);
  if (knownBy === 'row' && sourceTraits(first.source).knownBy === 'retrieval') {
    const { origin, isNextTo = false } = second;
    return { ...joined, origin, isNextTo };
  }
  if (knownBy !== 'dictionary') return joined;
  const listedFor = first.listedFor ?? second.listedFor;
  return { ...joined, inDictionary: true, ...(listedFor === undefined ? {} : { listedFor }) };
}
