import type { EXPECTATIONS, MutantRecord, ValueMapping } from '../../formats/artifacts/mutants.js';
import type { Database, Example } from '../../schema/schema.js';
import type { StageContext } from '../../stage.js';
import type { MutatedSchema } from '../databases/mutated-schema.js';

/**
 * The right answers to a mutant next to its seed: the same answer, whatever query gives it (`same-query`,
 * `same-result`), an answer of its own, or that there is none.
 */
export const EXPECTED_ANSWERS = ['kept', 'other-query', 'unanswerable'] as const;
export type ExpectedAnswer = (typeof EXPECTED_ANSWERS)[number];

/** Returns the answer that a mutant asks for. */
export function expectedAnswer({ expectation }: Pick<MutantRecord, 'expectation'>): ExpectedAnswer {
  return expectation === 'same-query' || expectation === 'same-result' ? 'kept' : expectation;
}

/** The target of a relation's change; `query`: gold query and question together. */
export const RELATION_TARGETS = ['utterance', 'schema', 'query'] as const;
type RelationTarget = (typeof RELATION_TARGETS)[number];

/** Ways to treat a question that names values which a kind spells otherwise (Content Equivalence). */
export const QUESTION_MODES = ['same', 'follow'] as const;
export type QuestionMode = (typeof QUESTION_MODES)[number];

/** An example as relations see it: its gold SQL may be unknown. */
export type MutableExample = Omit<Example, 'query'> & { readonly query: string | null };

/** The input of a relation: a data set's case or, for composed relations, an earlier mutant. */
export interface MutationCase {
  readonly example: MutableExample;
  readonly database: Database;
  /** Null while the schema is the data set's own. */
  readonly mutated: MutatedSchema | null;
}

/** The result of one application of a relation. */
export interface Mutation {
  readonly question: string;
  /** Gold SQL on the new schema; null where the case has none, or nothing answers the question any more. */
  readonly query: string | null;
  readonly expectation: (typeof EXPECTATIONS)[number];
  /** Null where the schema is as it was. */
  readonly mutated: MutatedSchema | null;
  /** For people: 'inserted "tell me"', 'dropped singer.song_name'. */
  readonly detail: string;
  /** Of a kind that has several: which one, "abbreviated". */
  readonly level?: string;
  /** Of a kind that can change values: what it changed, or null where all rows stay as they are. */
  readonly mapping?: readonly ValueMapping[] | null;
}

/**
 * Begins the names of counts that a relation emits (`StageContext.emit`): changes of the schema on which the gold has
 * no form, the reason behind it. The report has them apart (`unexpressible`).
 */
export const UNEXPRESSIBLE = 'unexpressible: ';

/** Begins the reason why a relation gives nothing for a case without gold SQL; what it lacks is behind it. */
export const NEEDS_GOLD = 'no gold query to tell ';

/** Why a relation gives nothing for a case, as a stable word; counted. */
export interface NotApplicable {
  readonly reason: string;
}

/** The mutations of one case, or why there is none. */
export type Mutations = readonly Mutation[] | NotApplicable;

/** One metamorphic relation: its precondition, its transformation, what must hold. */
export interface Relation {
  /** A `RelationId`, or a name of the user's own. */
  readonly id: string;
  /** Version and settings: part of the run's manifest. */
  readonly fingerprint: string;
  /**
   * The information that the relation reads from the gold SQL, for people: "which columns are unused". Null: nothing,
   * so that it is given cases without gold query, too; left out: it is not said, and cases have a gold query.
   */
  readonly readsGoldFor?: string | null;
  /**
   * At most `limit` mutations of each case, the same for the same case and seed whatever other cases come with it;
   * lists in input order.
   */
  mutate(cases: readonly MutationCase[], limit: number, context: StageContext): Promise<readonly Mutations[]>;
  dispose?(): Promise<void>;
}

/** The facts about a relation: for a built-in one in `relations.ts`, for the user's own from its module. */
export interface RelationFacts {
  /** "Prefix Insertion". */
  readonly name: string;
  readonly target: RelationTarget;
  /** "MT-TEQL §3.1, Table 2". */
  readonly cites: string;
  /** The capability needed to hold it, our own mapping (see docs/mutate.md): 'question form', 'column linking' … */
  readonly capability: string;
}

/** A relation of the user's own, as its module exports it. */
export interface MetamorphicRelation extends Relation, RelationFacts {}

/** A data set's case, before any relation. @throws RangeError for an example of another database */
export function seedCase(example: Example, database: Database): MutationCase {
  if (example.dbId !== database.id) throw new RangeError(`${example.id} asks ${example.dbId}, not ${database.id}`);
  const query = example.query === '' ? null : example.query;
  return { example: { ...example, query }, database, mutated: null };
}

/** Returns the case that a mutation makes, under an id of its own: the start of a composition's next relation. */
export function mutantCase(seed: MutationCase, { question, query, mutated }: Mutation, id: string): MutationCase {
  const next = mutated ?? seed.mutated;
  const database = next?.schema ?? seed.database;
  return { example: { id, dbId: database.id, question, query }, database, mutated: next };
}
