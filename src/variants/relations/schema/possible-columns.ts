import type { CandidateDecision } from '../../../formats/artifacts/candidates.js';
import type { Dataset } from '../../../formats/dataset.js';
import { type Decisions, decisionsOf, type DecisionSource } from '../names/decisions.js';
import { decidedTables } from '../names/candidate-pool.js';
import { spacedName } from '../../../schema/name-identity.js';
import type { StageContext } from '../../../stage.js';
import type { AskedTable, PossibleColumn, PossibleColumns } from './column-insertion.js';

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

/** Columns that were decided on as additions. */
class DecidedColumns implements PossibleColumns {
  readonly fingerprint: string;
  readonly #source: DecisionSource;
  readonly #decisions: Decisions;
  #accepted: ReturnType<typeof acceptedAdditions> | null = null;

  constructor(source: DecisionSource) {
    this.#source = source;
    this.#decisions = decisionsOf(source);
    this.fingerprint = this.#decisions.fingerprint;
  }

  async of({ origin, table }: AskedTable, context: StageContext): Promise<readonly PossibleColumn[]> {
    this.#accepted ??= acceptedAdditions(await this.#decisions.of(context), this.#source.dataset.databases);
    return this.#accepted.get(tableKey(origin, table.originalName)) ?? [];
  }
}

/** Where possible columns come from: a graph where there is one, else decided candidates, else our own pipeline. */
export async function possibleColumns(
  from: DecisionSource & { readonly graph: string | null },
): Promise<PossibleColumns> {
  if (from.graph === null) return new DecidedColumns(from);
  const { KnowledgeGraph } = await import('./knowledge-graph.js');
  return new KnowledgeGraph({ url: from.graph });
}
