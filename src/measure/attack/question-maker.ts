import type { DatasetExample } from '../../formats/dataset.js';
import type { InteractionPart } from '../../formats/interaction-dataset.js';
import type { Dataset } from '../../formats/dataset.js';
import type { PlannedQuestion } from './attack-plan.js';
import type { PerturbedRows } from './perturbed-rows.js';
import type { AttackGroup, TableSet } from './table-set.js';
import type { VictimQuestion } from '../../victims/victim.js';

/** Formats whose examples are turns: what a turn asks depends on those before it. */
const INTERACTIVE = new Set(['cosql', 'sparc']);

/** The words of the turns up to this one, a line each. */
function wordsSoFar({ record }: DatasetExample): readonly string[] | null {
  const { interaction, turn } = record as InteractionPart;
  if (turn === 'final') return null;
  return interaction.interaction.slice(0, turn + 1).map(({ utterance }) => utterance);
}

export interface QuestionMakerOptions {
  readonly dataset: Dataset;
  readonly rows: PerturbedRows;
  /** True if a turn of an interaction comes with those before it. */
  readonly withContext: boolean;
}

/** Makes what a victim is asked of examples and tables. */
export class QuestionMaker {
  readonly #options: QuestionMakerOptions;

  constructor(options: QuestionMakerOptions) {
    this.#options = options;
  }

  make(id: string, example: DatasetExample, { database }: AttackGroup, tables: TableSet): VictimQuestion {
    const { dataset, rows } = this.#options;
    const isOriginal = tables.changes.length === 0;
    return {
      id,
      question: this.#wordsOf(example),
      dbId: example.dbId,
      // Victims keep what they make of a schema as long as there is the schema: perturbed ones come and go.
      schema: isOriginal ? tables.schema : { ...tables.schema },
      dialect: dataset.dialect,
      databaseFile: isOriginal ? rows.originals.fileOf(database.id) : null,
      samples: rows.samplesOf(database, tables),
      types: rows.typesOf(database, tables),
      sourceOf: (sql) => rows.sourceOf(database, tables, [sql]),
    };
  }

  /** The question of a plan. */
  ofPlan({ id, example, group, tables }: PlannedQuestion): VictimQuestion {
    return this.make(id, example, group, tables);
  }

  /** The question of a mutant: a turn's comes with the turns before its example. */
  ofMutant(asked: VictimQuestion, example: DatasetExample): VictimQuestion {
    return { ...asked, question: this.#wordsOf(example, asked.question) };
  }

  #wordsOf(example: DatasetExample, reworded: string | null = null): string {
    const { dataset, withContext } = this.#options;
    const words = withContext && INTERACTIVE.has(dataset.format) ? wordsSoFar(example) : null;
    if (words === null) return reworded ?? example.question;
    return (reworded === null ? words : words.with(-1, reworded)).join('\n');
  }
}
