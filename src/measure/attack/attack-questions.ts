import type { Dataset, DatasetExample } from '../../formats/dataset.js';
import type { InteractionPart } from '../../formats/interaction-dataset.js';
import type { LazyQuestion } from '../../victims/answer-cache.js';
import type { VictimQuestion } from '../../victims/victim.js';
import { recomposedQuestions } from '../compositions/load-recompositions.js';
import { firstMutants, type MutantDraw } from '../mutants/draw-mutants.js';
import { type MutantSubject, SubjectStore } from '../mutants/subject-store.js';
import {
  type AttackInputs,
  type AttackPlan,
  exampleOfQuestion,
  type PlannedQuestion,
  plannedQuestions,
} from './attack-plan.js';
import type { PerturbedRows } from './perturbed-rows.js';
import type { AttackGroup, TableSet } from './table-set.js';

/** Formats whose examples are turns: what a turn asks depends on those before it. */
const INTERACTIVE = new Set(['cosql', 'sparc']);

/** The words of the turns up to this one, a line each. */
function wordsSoFar({ record }: DatasetExample): readonly string[] | null {
  const { interaction, turn } = record as InteractionPart;
  if (turn === 'final') return null;
  return interaction.interaction.slice(0, turn + 1).map(({ utterance }) => utterance);
}

/** A question of an attack under a condition. */
export interface AttackQuestion extends LazyQuestion {
  /** Id of the example that it is made of. */
  readonly example: string;
  /** `original`, RPL or ADD; of a mutant its relation, of a composition its rule. */
  readonly condition: string;
  readonly seed: number | null;
  /** Id of the first question of its example with the same tables; its own where it is that one. */
  readonly repeats: string;
  readonly dbId: string;
  /** The example on its tables; null of mutants and compositions. */
  readonly planned: PlannedQuestion | null;
  /** True of a composition, or a question that one was made of. */
  readonly isComposed: boolean;
}

/** Makes what a victim is asked of examples and tables, of mutants and of compositions. */
export class QuestionMaker {
  readonly subjects: SubjectStore;
  readonly #dataset: Dataset;
  readonly #rows: PerturbedRows;
  readonly #withContext: boolean;

  /** `withContext`: a turn of an interaction comes with those before it. */
  constructor(inputs: AttackInputs, rows: PerturbedRows, withContext: boolean) {
    this.subjects = new SubjectStore(inputs, rows.originals);
    this.#dataset = inputs.dataset;
    this.#rows = rows;
    this.#withContext = withContext;
  }

  /** All questions of a plan: examples on their tables, then mutants, then compositions with their parents. */
  *all(plan: AttackPlan): Generator<AttackQuestion> {
    for (const planned of plannedQuestions(plan)) {
      const { id, example, group, tables } = planned;
      const make = (): VictimQuestion => this.onTables(id, example, group, tables);
      yield { ...planned, example: example.id, dbId: example.dbId, make, planned, isComposed: false };
    }
    for (const draw of firstMutants(plan.mutants)) {
      const { relation, seed, group, order } = draw;
      const [{ id, db_id: dbId }] = order;
      const { make } = this.ofMutant(draw, order[0]);
      yield {
        id,
        make,
        example: group.seed.id,
        condition: relation,
        seed,
        repeats: id,
        dbId,
        planned: null,
        isComposed: false,
      };
    }
    const cases = plan.inputs.compositions?.cases ?? [];
    const composed = new Map(cases.map(({ composition }) => [composition.id, composition]));
    for (const subject of recomposedQuestions(cases)) {
      const { id, db_id: dbId } = subject;
      const { source: example = exampleOfQuestion(id), kind: condition = 'original' } = composed.get(id) ?? {};
      const make = (): VictimQuestion => this.subjects.questionOf(subject);
      yield { id, make, example, condition, seed: null, repeats: id, dbId, planned: null, isComposed: true };
    }
  }

  /** The question of an example on some tables. */
  onTables(id: string, example: DatasetExample, { database }: AttackGroup, tables: TableSet): VictimQuestion {
    const rows = this.#rows;
    const isOriginal = tables.changes.length === 0;
    return {
      id,
      question: this.#wordsOf(example),
      dbId: example.dbId,
      // Victims keep what they make of a schema as long as there is the schema: perturbed ones come and go.
      schema: isOriginal ? tables.schema : { ...tables.schema },
      dialect: this.#dataset.dialect,
      databaseFile: isOriginal ? rows.originals.fileOf(database.id) : null,
      samples: rows.samplesOf(database, tables),
      types: rows.typesOf(database, tables),
      sourceOf: (sql) => rows.sourceOf(database, tables, [sql]),
    };
  }

  /** The question of a mutant: a turn's comes with the turns before its example. */
  ofMutant({ group: { example } }: Pick<MutantDraw, 'group'>, mutant: MutantSubject): LazyQuestion {
    const make = (): VictimQuestion => {
      const asked = this.subjects.questionOf(mutant);
      return { ...asked, question: this.#wordsOf(example, asked.question) };
    };
    return { id: mutant.id, make };
  }

  #wordsOf(example: DatasetExample, reworded: string | null = null): string {
    const words = this.#withContext && INTERACTIVE.has(this.#dataset.format) ? wordsSoFar(example) : null;
    if (words === null) return reworded ?? example.question;
    return (reworded === null ? words : words.with(-1, reworded)).join('\n');
  }
}
