import { createStages } from '../../../create-stages.js';
import type { CandidateDecision } from '../../../formats/artifacts/candidates.js';
import type { Dataset } from '../../../formats/dataset.js';
import { runPipeline, type TableTask } from '../../../pipeline.js';
import type { StageResources } from '../../../recipes/stage-resources.js';
import type { StageContext } from '../../../stage.js';
import { planTables } from '../../candidates/plan-tables.js';

/** What relations take names from. */
export interface DecisionSource {
  readonly stages: StageResources;
  readonly dataset: Dataset;
  /** Decisions of an earlier run of `perturbql candidates`; null = our own retriever and judge decide. */
  readonly candidates?: readonly CandidateDecision[] | null;
}

/** Names that were decided on for the columns of a data set. */
export interface Decisions {
  readonly fingerprint: string;
  /** Columns that are decided on when it is first asked. */
  readonly columnCount: () => number;
  of(context: StageContext): Promise<readonly CandidateDecision[]>;
}

/** Decisions by the resources that they are made with: relations of one run ask for the same. */
const known = new WeakMap<StageResources, Decisions>();

/** The decisions that are given, else those on all tables of the data set, made at once when they are first asked for. */
export function decisionsOf({ stages, dataset, candidates = null }: DecisionSource): Decisions {
  if (candidates !== null) {
    return { fingerprint: 'decided', columnCount: () => 0, of: () => Promise.resolve(candidates) };
  }
  const { settings, recipe, judgeFingerprint } = stages;
  let decided: Promise<readonly CandidateDecision[]> | null = null;
  let planned: readonly TableTask[] | null = null;
  const tasks = (): readonly TableTask[] => (planned ??= planTables(dataset, 'mentioned').tasks);
  const made = known.get(stages) ?? {
    fingerprint: `judged: ${JSON.stringify([recipe.id, settings, judgeFingerprint])}`,
    columnCount: () => tasks().reduce((sum, { columns }) => sum + columns.length, 0),
    of: (context: StageContext) => (decided ??= decide(stages, tasks(), context)),
  };
  known.set(stages, made);
  return made;
}

/** Columns that the relations made with these resources will decide on; 0 where they have decisions, or ask for none. */
export function columnsToDecide(stages: StageResources): number {
  return known.get(stages)?.columnCount() ?? 0;
}

async function decide(
  stages: StageResources,
  tasks: readonly TableTask[],
  context: StageContext,
): Promise<readonly CandidateDecision[]> {
  const decisions: CandidateDecision[] = [];
  let done = 0;
  for await (const result of runPipeline(tasks, await createStages(stages), context)) {
    decisions.push(...result.decisions);
    context.emit({ kind: 'progress', stage: 'tables decided', done: ++done, total: tasks.length });
  }
  return decisions;
}
