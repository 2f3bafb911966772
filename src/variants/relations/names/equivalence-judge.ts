import { areNumberedApart, WIDE_TABLE } from '../../../nli/compared-columns.js';
import { renderStatement } from '../../../nli/statement.js';
import type { CtaStages } from '../../../pipeline.js';
import { itemAt, mustGet } from '../../../present.js';
import { columnAt, type Database } from '../../../schema/schema.js';
import type { StageContext } from '../../../stage.js';
import type { CandidatesRun } from '../../candidates/candidates-run.js';
import type { ColumnChange, EquivalenceCheck } from './draw-perturbation.js';

/**
 * Asks the NLI judge whether two new names of one table mean the same; recipes without a judge only compare spellings.
 */
export class EquivalenceJudge {
  readonly #run: CandidatesRun;
  readonly #stages: CtaStages;
  readonly #context: StageContext;
  readonly #onAsked: (pairs: number) => void;
  readonly #entities = new Map<string, string>();
  #asked = 0;

  /** `onAsked` hears how many pairs of names the judge was asked about so far. */
  constructor(run: CandidatesRun, stages: CtaStages, context: StageContext, onAsked: (pairs: number) => void) {
    this.#run = run;
    this.#stages = stages;
    this.#context = context;
    this.#onAsked = onAsked;
  }

  /** Pairs of names that the judge was asked about. */
  get asked(): number {
    return this.#asked;
  }

  readonly areEquivalent: EquivalenceCheck = async (database, table, a, b) => {
    const { recipe } = this.#run.resources;
    // "reply 2" is no "response 3", and a wide table has thousands of such pairs.
    if (recipe.rpl.rule.kind !== 'entailment' || areNumberedApart(a.name, b.name)) return false;
    // The words must be near as well: a small judge alone takes "client id" and "order id" for one.
    if ((this.#stages.similarity(a.name, b.name) ?? 1) < leastLikeness(database, table)) return false;
    this.#asked++;
    this.#onAsked(this.#asked);
    return this.#isEntailedBothWays(database, table, a, b);
  };

  /** As the pipeline has it; a table that it had no work on is described by its schema alone. */
  async #entityOf(database: Database, table: number): Promise<string> {
    const { originalName } = itemAt(database.tables, table);
    const key = `${database.id}/${originalName}`;
    let entity = this.#entities.get(key);
    if (entity === undefined) {
      const planned = this.#run.plan.tasks.find(({ id }) => id === key)?.target;
      const target = planned ?? {
        dbId: database.id,
        table: itemAt(database.tables, table),
        questions: [],
        values: [],
      };
      [entity] = (await this.#stages.tpe.predict([target], this.#context)) as [string];
      this.#entities.set(key, entity);
    }
    return entity;
  }

  async #isEntailedBothWays(database: Database, table: number, a: ColumnChange, b: ColumnChange): Promise<boolean> {
    const entity = await this.#entityOf(database, table);
    const statement = (change: ColumnChange): string =>
      renderStatement(entity, change.name, columnAt(database, a.ref).type);
    const { rplMin } = this.#run.resources.thresholds();
    const entails = async (premise: string, hypothesis: string): Promise<boolean> => {
      const [score] = await this.#run.resources.scorer().score([{ premise, hypothesis }], this.#context);
      return mustGet(score, 'score').entailment >= rplMin;
    };
    // Most pairs fail the first way.
    return (await entails(statement(a), statement(b))) && (await entails(statement(b), statement(a)));
  }
}

/** Cosine of word vectors from which two names can be the same thing. */
const NEAR_NAMES = 0.7;
/**
 * The same in wide tables, whose pairs grow with the square of their columns. Of 4,463 pairs from 0.7 on in a table of
 * 300 columns the judge takes 102 for one, and 26 of the 488 from here on. Hardly any of the other 76 mean the same
 * ("amount invoiced" and "cost charged", "start depot" and "base station").
 */
const NEAR_IN_WIDE = 0.8;

/** Cosine of word vectors from which the judge is asked about two new names of a table. */
export function leastLikeness(database: Database, table: number): number {
  return itemAt(database.tables, table).columns.length > WIDE_TABLE ? NEAR_IN_WIDE : NEAR_NAMES;
}
