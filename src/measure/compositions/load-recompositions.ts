import { formatCount } from '../../counts.js';
import type { ComposedExample } from '../../formats/artifacts/compositions.js';
import type { ComposeOutput } from '../../compositional/compose/compose-output.js';
import { InputFormatError } from '../../errors.js';
import type { DatasetExample } from '../../formats/dataset.js';
import { itemAt } from '../../present.js';
import { groupBy } from '../../run/group-by.js';
import { seedSubject, type Subject } from '../mutants/subject-store.js';

/** A composition with the two questions that it was made of. */
export interface RecomposedCase {
  readonly composition: ComposedExample;
  readonly child: Subject;
  readonly parents: readonly [base: Subject, element: Subject];
}

/** How the questions of a composed run are asked in a run. */
export interface RecompositionUse {
  /** The id under which an example is asked. */
  readonly questionIdOf: (exampleId: string) => string;
  /** Ids of the examples that are asked; null = all. */
  readonly asked: ReadonlySet<string> | null;
}

/** The compositions of a run with their parents. */
export interface Recompositions {
  readonly cases: readonly RecomposedCase[];
  /** Compositions left out: the substitution that they append to was not kept in the run. */
  readonly orphans: number;
  /** sha256 of the compositions. */
  readonly fingerprint: string;
  /** Ids of the examples that a composition was made of, each once; by the composition's id. */
  readonly examplesOf: ReadonlyMap<string, readonly string[]>;
}

const FIX = 'Name the data set that the questions were composed of, with --tables, --examples and --databases.';

function questionOf(composition: ComposedExample): Subject {
  return seedSubject({ ...composition, dbId: composition.db_id });
}

/** Finds the parents of compositions: examples of the data set or, at depth 2, other compositions. */
class ParentFinder {
  readonly #run: ComposeOutput;
  readonly #examples: ReadonlyMap<string, DatasetExample>;
  readonly #compositions: ReadonlyMap<string, ComposedExample>;

  constructor(run: ComposeOutput, examples: Iterable<DatasetExample>) {
    this.#run = run;
    this.#examples = new Map([...examples].map((example) => [example.id, example]));
    this.#compositions = new Map(run.compositions.map((composition) => [composition.id, composition]));
  }

  /** Checks whether a composition appends to another that the run, drawn with a budget, does not have. */
  isOrphan({ depth, parents: [base] }: ComposedExample): boolean {
    return depth > 1 && !this.#compositions.has(base);
  }

  /** @throws InputFormatError when there is no such question, or it asks another database */
  parentOf(child: ComposedExample, id: string, { questionIdOf }: RecompositionUse): Subject {
    const composition = this.#compositions.get(id);
    if (composition !== undefined) return questionOf(composition);
    return seedSubject({ ...this.#exampleOf(child, id), id: questionIdOf(id) });
  }

  /** Ids of the examples that a composition was made of. */
  rootsOf(child: ComposedExample): readonly string[] {
    const roots = child.parents.flatMap((id) => {
      const composition = this.#compositions.get(id);
      return composition === undefined ? [id] : this.rootsOf(composition);
    });
    return [...new Set(roots)];
  }

  #exampleOf(child: ComposedExample, id: string): DatasetExample {
    const where = { file: this.#run.file, id: child.id };
    const example = this.#examples.get(id);
    if (example === undefined) throw new InputFormatError(`its parent ${id} is no example`, { where, fix: FIX });
    if (example.dbId !== child.db_id) {
      throw new InputFormatError(`its parent ${id} asks ${example.dbId}, not ${child.db_id}`, { where, fix: FIX });
    }
    if (example.query === '') throw new InputFormatError(`its parent ${id} has no gold query`, { where, fix: FIX });
    return example;
  }
}

/**
 * Joins the compositions of a run with the examples that they were made of. Where not all examples are asked, a
 * composition is when all that it was made of are.
 * @throws InputFormatError when a parent is no example, or asks another database
 */
export function loadRecompositions(
  run: ComposeOutput,
  examples: Iterable<DatasetExample>,
  use: RecompositionUse,
): Recompositions {
  const finder = new ParentFinder(run, examples);
  const kept = run.compositions.filter((composition) => !finder.isOrphan(composition));
  const examplesOf = new Map(kept.map((composition) => [composition.id, finder.rootsOf(composition)]));
  const cases = kept.flatMap((composition): readonly RecomposedCase[] => {
    const parentOf = (at: number): Subject => finder.parentOf(composition, itemAt(composition.parents, at), use);
    const one = { composition, child: questionOf(composition), parents: [parentOf(0), parentOf(1)] as const };
    const isAsked = examplesOf.get(composition.id)?.every((id) => use.asked?.has(id) ?? true) === true;
    return isAsked ? [one] : [];
  });
  const orphans = run.compositions.length - kept.length;
  if (cases.length > 0) return { cases, orphans, fingerprint: run.fingerprint, examplesOf };
  const [message, fix] =
    kept.length === 0
      ? ['every composition appends to one that was not kept', 'Compose without --budget and --hardness.']
      : ['no composition is of examples of the fold alone', 'Give another --fold, or fewer parts.'];
  throw new InputFormatError(message, { where: { file: run.file }, fix });
}

/** All questions of some compositions, each once, parents first. */
export function recomposedQuestions(cases: readonly RecomposedCase[]): readonly Subject[] {
  const questions = [...cases.flatMap(({ parents }) => parents), ...cases.map(({ child }) => child)];
  return [...new Map(questions.map((question) => [question.id, question])).values()];
}

/** Describes the questions about to be asked, in a line for people. */
export function describeRecompositions({ cases }: Pick<Recompositions, 'cases'>): string {
  const parents = new Set(cases.flatMap((one) => one.parents.map(({ id }) => id))).size;
  const kinds = [...groupBy(cases, ({ composition }) => composition.kind)].map(
    ([kind, own]) => `${kind} ${formatCount(own.length)}`,
  );
  return `${formatCount(cases.length)} composed questions (${kinds.join(', ')}) of ${formatCount(parents)} parents`;
}
