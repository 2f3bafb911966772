import { PerturbqlError } from '../../errors.js';
import type { CandidateDecision } from '../../formats/artifacts/candidates.js';
import { spellingKey } from '../../schema/name-identity.js';
import { CandidatePool, type PerturbationKind } from '../../variants/relations/names/candidate-pool.js';
import type { ColumnChange } from '../../variants/relations/names/draw-perturbation.js';
import { groupBy } from '../../run/group-by.js';
import { drawSchema, type PerturbOptions, rewriteFor } from '../../variants/relations/names/draw-schema.js';
import { createRng } from '../../seeded-rng.js';
import type { SqlDialect } from '../../sql/dialect.js';
import type { AttackSample } from './attack-options.js';
import { type AttackGroup, originalTables, tablesKey, type TableSet } from './table-set.js';

/** Columns that a perturbation changes together, and what else they could be called. */
export interface ChangedColumns {
  readonly changes: readonly ColumnChange[];
  /** Candidates other than the one taken, each name once. */
  readonly alternatives: readonly CandidateDecision[];
}

/** Perturbs the tables of groups: every column that the gold mentions and no other (ADVETA §5.2). */
export class TablePerturber {
  readonly #pool: CandidatePool;
  readonly #dialect: SqlDialect;
  readonly #options: PerturbOptions & { readonly sample: AttackSample };

  constructor(
    decisions: readonly CandidateDecision[],
    dialect: SqlDialect,
    options: PerturbOptions & { readonly sample: AttackSample },
  ) {
    this.#pool = new CandidatePool(decisions);
    this.#dialect = dialect;
    this.#options = options;
  }

  /**
   * Tables with a candidate drawn at random for each mentioned column; a column without any stays, and so do the tables
   * where no mentioned column has one.
   * @throws SqlRewriteError when a gold query can't be rewritten with the same meaning
   */
  draw(group: AttackGroup, kind: PerturbationKind, seed: number): Promise<TableSet> {
    return this.#perturb(group, kind, seed, this.#pool);
  }

  /** As `draw`, with the given candidates and no others; null where they can't be taken. */
  async choose(
    group: AttackGroup,
    kind: PerturbationKind,
    seed: number,
    decisions: readonly CandidateDecision[],
  ): Promise<TableSet | null> {
    try {
      const tables = await this.#perturb(group, kind, seed, new CandidatePool(decisions));
      const taken = new Set(tables.changes.map(({ decision }) => decision));
      return taken.size === decisions.length ? tables : null;
    } catch (error) {
      if (error instanceof PerturbqlError) return null;
      throw error;
    }
  }

  /** The columns of a perturbation, those that share a new name together, with the candidates that were not taken. */
  columnsOf({ database }: AttackGroup, kind: PerturbationKind, { changes }: TableSet): readonly ChangedColumns[] {
    return [...groupBy(changes, ({ decision }) => decision).values()].map((together) => {
      const taken = spellingKey(together[0].decision.candidate);
      const all = together.flatMap(({ ref }) => this.#pool.of(database, ref, kind));
      const byName = new Map(all.map((decision) => [spellingKey(decision.candidate), decision]));
      byName.delete(taken);
      return { changes: together, alternatives: [...byName.values()] };
    });
  }

  async #perturb(group: AttackGroup, kind: PerturbationKind, seed: number, pool: CandidatePool): Promise<TableSet> {
    const { database, examples, mention, id } = group;
    const request = {
      ...this.#options,
      database,
      mention,
      kind,
      number: 1,
      columns: 'mentioned',
      pool,
      // New names of one table differ by spelling; whether they mean the same is not asked, as in ADVETA §5.2.
      areEquivalent: () => Promise.resolve(false),
    } as const;
    const drawn = await drawSchema(request, createRng(seed, `${id}:${kind}`));
    if (drawn === null || drawn.unmentioned) return originalTables(group);
    const { schema, columns, changes } = drawn;
    // Turns are asked together, one after another: without one of them the rest would be other questions.
    const rewrite = rewriteFor({ ...request, dialect: this.#dialect }, drawn);
    const queries = examples.map(({ query }) => rewrite(query));
    return { schema, columns, changes, queries, key: tablesKey(schema) };
  }
}
