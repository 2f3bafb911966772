import type { CandidateDecision } from '../../../formats/artifacts/candidates.js';
import type { Dataset } from '../../../formats/dataset.js';
import { decidedTables } from '../names/decisions-by-column.js';
import { planTables } from '../../candidates/plan-tables.js';
import { runPipeline } from '../../../pipeline.js';
import { createStages } from '../../../create-stages.js';
import type { StageResources } from '../../../recipes/stage-resources.js';
import { spacedName } from '../../../schema/name-identity.js';
import type { StageContext } from '../../../stage.js';
import type { AskedTable, PossibleColumn, PossibleColumns } from './possible-column.js';

/** Tables by their original name, which a changed schema keeps. */
const tableKey = (database: string, table: string): string => JSON.stringify([database, table]);

/** Additions that the judge let pass (ADVETA §4.4), by table. */
function acceptedAdditions(
  decisions: Iterable<CandidateDecision>,
  databases: Dataset['databases'],
): ReadonlyMap<string, readonly PossibleColumn[]> {
  const accepted = new Map<string, { readonly column: PossibleColumn; readonly association: number }[]>();
  for (const decision of decisions) {
    const { bucket, candidate, origin, association } = decision;
    const database = databases.get(decision.db_id);
    if (bucket !== 'ADD' || database === undefined) continue;
    const column = { name: candidate, type: origin?.type ?? ('text' as const) };
    for (const t of decidedTables(database, decision)) {
      const key = tableKey(database.id, database.tables[t]?.originalName ?? '');
      const list = accepted.get(key) ?? [];
      accepted.set(key, [...list, { column, association: association ?? 0 }]);
    }
  }
  return new Map(
    [...accepted].map(([key, list]) => {
      const distinct = new Map(
        list.sort((a, b) => b.association - a.association).map(({ column }) => [spacedName(column.name), column]),
      );
      return [key, [...distinct.values()]];
    }),
  );
}

/** Columns from a `candidates.jsonl`. */
class DecidedColumns implements PossibleColumns {
  readonly fingerprint = 'decided';
  readonly #accepted: ReadonlyMap<string, readonly PossibleColumn[]>;

  constructor(decisions: Iterable<CandidateDecision>, databases: Dataset['databases']) {
    this.#accepted = acceptedAdditions(decisions, databases);
  }

  of({ origin, table }: AskedTable): Promise<readonly PossibleColumn[]> {
    return Promise.resolve(this.#accepted.get(tableKey(origin, table.originalName)) ?? []);
  }
}

/** Columns that our own retriever finds and our judge lets pass; all tables of the data set are decided at once. */
class JudgedColumns implements PossibleColumns {
  readonly fingerprint: string;
  readonly #stages: StageResources;
  readonly #dataset: Dataset;
  #decided: Promise<DecidedColumns> | null = null;

  constructor(stages: StageResources, dataset: Dataset) {
    this.#stages = stages;
    this.#dataset = dataset;
    const { settings, recipe } = stages;
    this.fingerprint = `judged: ${JSON.stringify([recipe.id, settings, stages.judgeFingerprint])}`;
  }

  async of(asked: AskedTable, context: StageContext): Promise<readonly PossibleColumn[]> {
    this.#decided ??= this.#decide(context);
    return (await this.#decided).of(asked);
  }

  async #decide(context: StageContext): Promise<DecidedColumns> {
    const { tasks } = planTables(this.#dataset, 'mentioned');
    const decisions: CandidateDecision[] = [];
    let done = 0;
    for await (const result of runPipeline(tasks, await createStages(this.#stages), context)) {
      decisions.push(...result.decisions);
      context.emit({ kind: 'progress', stage: 'tables decided', done: ++done, total: tasks.length });
    }
    return new DecidedColumns(decisions, this.#dataset.databases);
  }
}

/** Where possible columns come from: a graph where there is one, else decided candidates, else our own pipeline. */
export async function possibleColumns(from: {
  readonly stages: StageResources;
  readonly dataset: Dataset;
  readonly graph: string | null;
  readonly candidates: readonly CandidateDecision[] | null;
}): Promise<PossibleColumns> {
  if (from.graph !== null) {
    const { KnowledgeGraph } = await import('./knowledge-graph.js');
    return new KnowledgeGraph({ url: from.graph });
  }
  const { stages, dataset, candidates } = from;
  return candidates === null ? new JudgedColumns(stages, dataset) : new DecidedColumns(candidates, dataset.databases);
}
