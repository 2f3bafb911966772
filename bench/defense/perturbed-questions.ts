import { CandidatePool, type PerturbationKind } from '../../src/variants/relations/names/candidate-pool.js';
import type { ColumnChoice } from '../../src/variants/augment/variant-plan.js';
import { drawPerturbation } from '../../src/variants/relations/names/draw-perturbation.js';
import { changedSchema, placeAdditions } from '../../src/variants/relations/names/perturbed-schema.js';
import type { CandidateDecision } from '../../src/formats/artifacts/candidates.js';
import type { DatasetExample } from '../../src/formats/dataset.js';
import { itemAt, mustGet } from '../../src/present.js';
import { isPerturbable, perturbableAmong } from '../../src/schema/column-family.js';
import type { ColumnRef, Database } from '../../src/schema/schema.js';
import { mentionedColumns, resolveColumns } from '../../src/sql/resolver.js';
import { createRng } from '../../src/seeded-rng.js';
import { goldColumns, type LabeledQuestion } from '../../src/formats/exports/linker-export.js';

/** What a test set perturbs. */
export interface Perturbation {
  readonly kind: PerturbationKind;
  readonly columns: ColumnChoice;
  readonly seed: number;
}

const everyColumn = ({ tables }: Database): readonly ColumnRef[] =>
  tables.flatMap(({ columns }, table) =>
    columns.flatMap((one, column) => (isPerturbable(one) ? [{ table, column }] : [])),
  );

/** Draws names for questions, as an attack does: a column without candidates stays as it is. */
export class QuestionPerturber {
  readonly #pool: CandidatePool;

  constructor(decisions: readonly CandidateDecision[]) {
    this.#pool = new CandidatePool(decisions);
  }

  /** The questions whose gold can be read, each on tables of its own. */
  async perturb(
    examples: Iterable<DatasetExample>,
    databases: ReadonlyMap<string, Database>,
    perturbation: Perturbation,
  ): Promise<readonly LabeledQuestion[]> {
    const questions: LabeledQuestion[] = [];
    for (const { id, question, query, dbId } of examples) {
      const database = mustGet(databases.get(dbId), 'databases.get(dbId)');
      const gold = goldColumns(query, database);
      if (gold !== null) questions.push({ question, ...(await this.#draw(database, id, query, gold, perturbation)) });
    }
    return questions;
  }

  async #draw(
    database: Database,
    id: string,
    query: string,
    gold: readonly ColumnRef[],
    { kind, columns, seed }: Perturbation,
  ): Promise<Pick<LabeledQuestion, 'database' | 'gold'>> {
    const rng = createRng(seed, `${id}:${kind}`);
    const mentioned = perturbableAmong(database, mentionedColumns(resolveColumns(query, database)));
    const drawn = await drawPerturbation(
      {
        database,
        kind,
        pool: this.#pool,
        sample: 'random',
        linkedKeys: 'same',
        abbreviate: 'never',
        columns: columns === 'all' ? everyColumn(database) : mentioned,
        // Whether new names mean the same is not asked, as in ADVETA §5.2.
        areEquivalent: async () => false,
      },
      rng,
    );
    const insertions = kind === 'RPL' ? [] : placeAdditions(database, drawn.changes, rng);
    const perturbed = changedSchema(database, database.id, drawn.changes, insertions);
    const moved = ({ table, column }: ColumnRef): ColumnRef => ({
      table,
      column: itemAt(perturbed.columns, table).indexOf(column),
    });
    return { database: perturbed.schema, gold: gold.map(moved) };
  }
}
