import { shuffled } from '../../seeded-rng.js';
import { groupBy } from '../../run/group-by.js';
import { itemAt } from '../../present.js';
import type { StageContext } from '../../stage.js';
import type { FluencyModel } from '../../fluency/fluency-model.js';
import type { FluencyJudge } from '../../llm/fluency-judge.js';
import type { SemanticGuard } from './guard/semantic-guard.js';
import {
  mutantCase,
  type Mutation,
  type MutationCase,
  NEEDS_GOLD,
  type Relation,
  UNEXPRESSIBLE,
} from '../relations/relation.js';
import { MutantTally, type Tallies } from './mutant-tally.js';
import { EXPECTATIONS, type MutantRecord } from '../../formats/artifacts/mutants.js';
import type { MutatedSchema } from '../databases/mutated-schema.js';
import { relationOf } from '../relations/counted-relation.js';

/** How mutants are made. */
export interface MutationParts {
  readonly relations: readonly Relation[];
  /** Most mutants per relation and seed and, from the second order on, per order and seed. */
  readonly limit: number;
  /** Most relations one after another. */
  readonly compose: number;
  /** Null: every wording is kept. */
  readonly guard: SemanticGuard | null;
  readonly fluency: FluencyModel;
  /** Null: no language model is asked whether wordings read as people ask. */
  readonly asked: FluencyJudge | null;
}

/** The mutants of the cases of one database. */
export interface DatabaseMutants {
  /** Seed by seed in the order of the cases, in each by order and relation. */
  readonly records: readonly MutantRecord[];
  /** Their schemas, each once. */
  readonly schemas: readonly MutatedSchema[];
  readonly tallies: Tallies;
}

/** The count of the steps of a database: a relation that was tried on its cases, and the check of an order's mutants. */
export const RELATIONS_TRIED = 'relations tried';

/** Steps that each database is made in. */
export function stepsPerDatabase({ relations, compose }: Pick<MutationParts, 'relations' | 'compose'>): number {
  return (relations.length + 1) * compose;
}

/** A mutant that is not written down yet. */
interface Draft {
  readonly seed: MutationCase;
  /** The mutant as a case: where a further relation starts. */
  readonly own: MutationCase;
  readonly relations: readonly string[];
  readonly details: readonly string[];
  readonly expectation: Mutation['expectation'];
  /** Of a single relation that has several; else undefined. */
  readonly level: string | undefined;
  /** Undefined while no relation said what it does to values. */
  readonly mapping: MutantRecord['mapping'];
}

/** Where a relation starts: a seed, or a mutant of it. */
type Start = Omit<Draft, 'expectation'> & { readonly expectation: Mutation['expectation'] | null };

const startAt = (seed: MutationCase): Start => ({
  seed,
  own: seed,
  relations: [],
  details: [],
  expectation: null,
  level: undefined,
  mapping: undefined,
});

/** Returns the effect on values of several relations one after another. */
function joinMappings(before: MutantRecord['mapping'], own: MutantRecord['mapping']): MutantRecord['mapping'] {
  if (own === undefined) return before;
  return before === undefined || before === null ? own : [...before, ...(own ?? [])];
}

/** Returns the relation that must hold after two changes. */
function weaker(first: Mutation['expectation'], second: Mutation['expectation']): Mutation['expectation'] {
  return EXPECTATIONS.indexOf(first) > EXPECTATIONS.indexOf(second) ? first : second;
}

function draftOf(start: Start, relation: string, mutation: Mutation, index: number): Draft {
  return {
    seed: start.seed,
    own: mutantCase(start.own, mutation, `${start.own.example.id}~${relation}.${index}`),
    relations: [...start.relations, relation],
    details: [...start.details, mutation.detail],
    expectation: weaker(start.expectation ?? 'same-query', mutation.expectation),
    level: start.relations.length === 0 ? mutation.level : undefined,
    mapping: joinMappings(start.mapping, mutation.mapping),
  };
}

/** Returns the thing that a relation lacks in a case, or null if it can be applied. */
function lackOf({ readsGoldFor }: Relation, { example }: MutationCase): string | null {
  if (example.query !== null || readsGoldFor === null) return null;
  return `${NEEDS_GOLD}${readsGoldFor ?? 'what it is'}`;
}

/** Returns a key of the question to a model: two mutants that agree in it are one. */
function contentOf({ example, database }: MutationCase): string {
  return JSON.stringify([example.question, example.query, database.id]);
}

/** Digits of a fluency that are written. */
export const FLUENCY_DIGITS = 4;

/** Makes the mutants of one database's cases (MT-TEQL §3): relation after relation, then their compositions. */
class DatabaseMutation {
  readonly #parts: MutationParts;
  readonly #context: StageContext;
  readonly #tally = new MutantTally();
  /** The contents made of each seed, alone by one relation and by any. */
  readonly #seen = new Map<string, Set<string>>();

  constructor(parts: MutationParts, context: StageContext) {
    this.#parts = parts;
    this.#context = context;
  }

  async run(cases: readonly MutationCase[]): Promise<DatabaseMutants> {
    let order = await this.#firstOrder(cases);
    const kept = [...order];
    for (let length = 2; length <= this.#parts.compose; length++) {
      order = await this.#nextOrder(order, length);
      kept.push(...order);
    }
    const bySeed = groupBy(kept, ({ seed }) => seed.example.id);
    const sorted = cases.flatMap(({ example }) => bySeed.get(example.id) ?? []);
    const schemas = new Map(
      sorted.flatMap(({ own }) => (own.mutated === null ? [] : [[own.database.id, own.mutated]])),
    );
    return {
      records: sorted.map((draft) => this.#record(draft)),
      schemas: [...schemas.values()],
      tallies: this.#tally.tallies,
    };
  }

  async #firstOrder(cases: readonly MutationCase[]): Promise<readonly Draft[]> {
    const drafts: Draft[] = [];
    for (const relation of this.#parts.relations) {
      drafts.push(...(await this.#apply(relation, cases.map(startAt), this.#parts.limit)));
      this.#tell(1);
    }
    return this.#guard(drafts);
  }

  /** At most `limit` mutants of each seed by one more relation, one that they have not had. */
  async #nextOrder(before: readonly Draft[], length: number): Promise<readonly Draft[]> {
    const { relations, limit } = this.#parts;
    const drawn = [...groupBy(before, ({ seed }) => seed.example.id)].flatMap(([id, drafts]) => {
      const all = drafts.flatMap((start) =>
        relations
          .filter((relation) => !start.relations.includes(relation.id) && lackOf(relation, start.own) === null)
          .map((relation) => ({ start, relation })),
      );
      return shuffled(all, this.#context.rngFor(`${id}~${length}`)).slice(0, limit);
    });
    const drafts: Draft[] = [];
    const byRelation = groupBy(drawn, (one) => one.relation);
    this.#tell(relations.length - byRelation.size);
    for (const [relation, own] of byRelation) {
      drafts.push(
        ...(await this.#apply(
          relation,
          own.map(({ start }) => start),
          1,
        )),
      );
      this.#tell(1);
    }
    return this.#guard(drafts);
  }

  #tell(steps: number): void {
    if (steps > 0) this.#context.emit({ kind: 'count', name: RELATIONS_TRIED, by: steps });
  }

  async #apply(relation: Relation, starts: readonly Start[], limit: number): Promise<Draft[]> {
    const drafts: Draft[] = [];
    for (const [name, own] of groupBy(starts, ({ relations }) =>
      relationOf({ relations: [...relations, relation.id] }),
    )) {
      const able = own.filter((start) => this.#canStart(start, name, relation));
      if (able.length > 0) drafts.push(...(await this.#applyTo(able, name, relation, limit)));
    }
    return drafts;
  }

  #canStart({ own }: Start, name: string, relation: Relation): boolean {
    const lack = lackOf(relation, own);
    if (lack !== null) this.#tally.countReason(name, 'notApplicable', lack);
    return lack === null;
  }

  /** Applies a relation to starts that it makes one and the same composition of. */
  async #applyTo(starts: readonly Start[], name: string, relation: Relation, limit: number): Promise<readonly Draft[]> {
    this.#context.signal.throwIfAborted();
    const cases = starts.map(({ own }) => own);
    const results = await relation.mutate(cases, limit, this.#counting(name));
    return starts.flatMap((start, i) => {
      const result = itemAt(results, i);
      if ('reason' in result) {
        this.#tally.countReason(name, 'notApplicable', result.reason);
        return [];
      }
      this.#tally.count(name, 'applied');
      const drafts = result.map((mutation, index) => draftOf(start, relation.id, mutation, index));
      return drafts.filter((draft) => this.#isNew(draft));
    });
  }

  /** The context of one relation: the gold queries that it finds no form for are counted. */
  #counting(name: string): StageContext {
    const context = this.#context;
    return {
      signal: context.signal,
      rngFor: (itemId) => context.rngFor(itemId),
      emit: (event) => {
        if (event.kind !== 'count' || !event.name.startsWith(UNEXPRESSIBLE)) context.emit(event);
        else this.#tally.countReason(name, 'unexpressible', event.name.slice(UNEXPRESSIBLE.length), event.by);
      },
    };
  }

  /** Each relation by itself gives a mutant once; a composition none that there is already. */
  #isNew(draft: Draft): boolean {
    const { seed, own, relations } = draft;
    const content = contentOf(own);
    const ofSeed = contentOf(seed);
    const seen = this.#seen.get(seed.example.id) ?? new Set([ofSeed]);
    this.#seen.set(seed.example.id, seen);
    const key = relations.length === 1 ? `${itemAt(relations, 0)} ${content}` : content;
    const known = seen.has(key) || content === ofSeed;
    seen.add(key).add(content);
    if (known)
      this.#tally.countReason(relationOf(draft), 'dropped', content === ofSeed ? 'changes nothing' : 'repeats another');
    return !known;
  }

  async #guard(drafts: readonly Draft[]): Promise<readonly Draft[]> {
    // What asks something else is meant to.
    const reworded = drafts.filter(({ seed, own, expectation }) => {
      return expectation !== 'other-query' && own.example.question !== seed.example.question;
    });
    const pairs = reworded.map(({ seed, own }) => ({ before: seed.example.question, after: own.example.question }));
    const reasons = (await this.#parts.guard?.judge(pairs, this.#context)) ?? [];
    this.#tell(1);
    const refused = new Map<Draft, string | null>(reworded.map((draft, i) => [draft, reasons[i] ?? null]));
    const left = reworded.filter((draft) => refused.get(draft) === null);
    const faults = await Promise.allSettled(left.map((draft) => this.#fluencyFault(draft)));
    for (const [i, fault] of faults.entries()) {
      if (fault.status === 'rejected') throw fault.reason;
      refused.set(itemAt(left, i), fault.value);
    }
    return drafts.filter((draft) => {
      const reason = refused.get(draft) ?? null;
      if (reason === null) this.#tally.count(relationOf(draft), 'cases');
      else this.#tally.countReason(relationOf(draft), 'dropped', reason);
      return reason === null;
    });
  }

  async #fluencyFault({ own: { example } }: Draft): Promise<string | null> {
    const { asked } = this.#parts;
    if (asked === null || (await asked.isFluent(example.id, example.question, this.#context))) return null;
    return 'reads as nobody would ask, says the language model';
  }

  #record({ seed, own, relations, details, expectation, level, mapping }: Draft): MutantRecord {
    const { id, question, query } = own.example;
    const reworded = question !== seed.example.question;
    const fluency = reworded ? Number(this.#parts.fluency.score(question).toFixed(FLUENCY_DIGITS)) : null;
    const [db_id, origin] = [own.database.id, seed.database.id];
    const record = {
      id,
      seed: seed.example.id,
      relations,
      db_id,
      origin,
      question,
      query,
      expectation,
      details,
      ...(level === undefined ? {} : { level }),
      fluency,
    };
    return mapping === undefined ? record : { ...record, mapping };
  }
}

/** Makes the mutants of cases of one database; the same whatever other databases there are. */
export function mutateDatabase(
  cases: readonly MutationCase[],
  parts: MutationParts,
  context: StageContext,
): Promise<DatabaseMutants> {
  return new DatabaseMutation(parts, context).run(cases);
}
