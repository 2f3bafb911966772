import type { z } from 'zod';
import type { Dataset, DatasetExample, DatasetPaths } from '../formats/dataset.js';
import type { ExecutionLimits } from './executions/sql-executions.js';
import type { Victim } from './victim.js';

/** Options of the commands that ask victims which say something of the victim, too. */
export type SharedGiven = {
  /** Folder where answers are kept; absent: the platform's. */
  readonly cache?: string;
  /** Seconds of the longest query. */
  readonly timeout: number;
};

/** The data set that a victim is made for and asked about. */
export interface VictimWorld {
  readonly paths: DatasetPaths;
  readonly asked: Dataset;
  /** The examples that a question was made of, by its id. */
  readonly examplesOf: (questionId: string) => readonly string[];
  /** Checks whether a victim may learn from an example of the data set that it is asked about. */
  readonly isLearned: (example: DatasetExample) => boolean;
}

/** A victim that can be asked, or the file of its predictions, which is read when the questions are known. */
export type MadeVictim = {
  /** For people, without secrets. */
  readonly description: string;
  /** How far it may query the databases of its questions; absent: not at all. */
  readonly executions?: ExecutionLimits;
  /** Why its figures tell nothing, a sentence for people; absent: they do. */
  readonly warning?: string;
  /** True if no cell of a database may reach it; absent: it may see them. */
  readonly withoutCells?: true;
} & ({ readonly victim: Victim } | { readonly victim: null; readonly predictions: string });

/** The capabilities of victims of a kind, and published figures about them. */
export interface VictimTraits {
  /** The form of its answers: a query, or the columns that a question asks for. */
  readonly answers: 'sql' | 'columns';
  /** False where a turn of an interaction is asked without those before it. */
  readonly withContext: boolean;
  /** False where it has answers to the questions of a plan alone: a search can't ask it on. */
  readonly isAskedOn: boolean;
  /** True if it is a program or a service of others, whose answers may all be in a form that holds no SQL. */
  readonly isOutside?: true;
  /** Questions that it answers in a second (docs/attack.md); null where that depends on a model that isn't ours. */
  readonly perSecond: number | null;
}

/**
 * A kind of victim that the command line can make: its file, and its line in `VICTIMS`. Options, help, docs, completion
 * and the configuration file follow from `options`; one that several kinds have is the same field, and is refused where
 * it is given for a kind that lacks it. Imports nothing heavy: `create` does.
 */
export interface VictimKindEntry<
  K extends string = string,
  S extends z.ZodRawShape = z.ZodRawShape,
  C extends { readonly kind: K } = { readonly kind: K },
> {
  readonly kind: K;
  readonly options: S;
  readonly traits: VictimTraits;
  /**
   * The choice that options come to; `flags`: those given on the command line.
   * @throws ConfigError when one is missing or wrong
   */
  choose(given: z.infer<z.ZodObject<S>> & SharedGiven, flags: ReadonlySet<string>): C;
  /** Checks whether it learns from the examples that it is asked about, each left out for its own question. */
  learnsFromAsked?(choice: C): boolean;
  /**
   * Makes the victim; nothing is started, fitted or called yet.
   * @throws ConfigError when a setting is wrong
   * @throws InputFormatError when a file of examples or predictions is not what it should be
   */
  create(choice: C, world: VictimWorld): Promise<MadeVictim>;
}

/** A kind with the types of its options and of its choice. */
export function victimKind<const K extends string, const S extends z.ZodRawShape, const C extends { readonly kind: K }>(
  entry: VictimKindEntry<K, S, C>,
): VictimKindEntry<K, S, C> {
  return entry;
}
