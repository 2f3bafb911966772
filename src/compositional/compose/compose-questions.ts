import { setImmediate } from 'node:timers/promises';
import pLimit from 'p-limit';
import { SqlRewriteError } from '../../errors.js';
import type { Database } from '../../schema/schema.js';
import type { AlignedQuestion } from '../align/aligned-question.js';
import { ClauseRefusal } from '../clauses/clause-refusal.js';
import type { ClauseQuery } from '../clauses/clause.js';
import type { JoinKey } from '../clauses/join-keys.js';
import { sqlOf } from '../clauses/write-clauses.js';
import {
  type ComposedExample,
  COMPOSITION_KINDS,
  type CompositionKind,
  type ReportedElement,
} from '../../formats/artifacts/compositions.js';
import { compose, type Composition } from './composition.js';
import type { CompositionDraft, CompositionRule } from './composition-rule.js';
import { type CompositionalElement, elementOf } from './element.js';
import {
  ASKED_FLUENCY_RULE,
  executionFault,
  FLUENCY_RULE,
  type FluencyCheck,
  JOIN_RULE,
  JoinCheck,
} from './composition-checks.js';
import type { GoldResults } from './gold-results.js';
import { ROWS_ONCE_RULE, withRowsOnce } from './repeated-rows.js';
import { IDLE_JOIN_RULE, type SettledComposition, settleJoins } from './settle-joins.js';
import { sha256Of } from '../../run/sha256.js';
import { groupBy } from '../../run/group-by.js';
import { memoizeObject } from '../../schema/memoize.js';
import { COMPOSITION_RULES, refusedBy } from './composition-rules.js';

/** Counts of the pairs of a database's elements and of their refusals, by what was to be done with them. */
interface ComposeTally {
  /** Drafts looked at. */
  readonly drafts: Record<CompositionKind, number>;
  /** By rule: drafts that it was the first to refuse. */
  readonly refused: Readonly<Record<CompositionKind, Record<string, number>>>;
}

/** A tally in which nothing has been counted. */
export function emptyTally(): ComposeTally {
  return { drafts: { SUB: 0, APP: 0 }, refused: { SUB: {}, APP: {} } };
}

/** Counts a draft that a rule refused. */
function countRefused({ refused }: ComposeTally, kind: CompositionKind, rule: string): void {
  refused[kind][rule] = (refused[kind][rule] ?? 0) + 1;
}

/**
 * Algorithm 1's pairs: every element with every one of another question that modifies the same noun, substituted and
 * appended.
 */
export function* draftsOf(
  bases: readonly CompositionalElement[],
  elements: readonly CompositionalElement[],
  kinds: readonly CompositionDraft['kind'][] = ['SUB', 'APP'],
): Generator<CompositionDraft> {
  const byNoun = groupBy(elements, ({ noun }) => noun?.key ?? null);
  for (const base of bases) {
    // The rule that refuses by far the most, same-noun, is not asked pair by pair.
    for (const element of base.noun === null ? [] : (byNoun.get(base.noun.key) ?? [])) {
      if (base.source.id === element.source.id) continue;
      if (kinds.includes('SUB')) yield { kind: 'SUB', connective: null, base, element };
      if (!kinds.includes('APP')) continue;
      yield { kind: 'APP', connective: 'and', base, element };
      yield { kind: 'APP', connective: 'or', base, element };
    }
  }
}

/** "dev:17~SUB(dev:20)", "dev:17~AND(dev:20)". */
function compositionId({ kind, connective, base, element }: CompositionDraft): string {
  return `${base.source.id}~${kind === 'SUB' ? 'SUB' : (connective ?? 'and').toUpperCase()}(${element.source.id})`;
}

/** By what questions count as the same: letter case and blanks aside. */
function questionKey(question: string): string {
  return question.toLowerCase().replace(/\s+/g, ' ');
}

/** Composes what the rules let pass; a question that was made before, or is asked already, is not made again. */
export function* composeDrafts(
  drafts: Iterable<CompositionDraft>,
  rules: readonly CompositionRule[],
  asked: Set<string>,
  tally: ComposeTally,
): Generator<Composition> {
  for (const draft of drafts) {
    tally.drafts[draft.kind]++;
    const rule = refusedBy(draft, rules);
    if (rule !== null) {
      countRefused(tally, draft.kind, rule.id);
      continue;
    }
    const composition = compose(draft, compositionId(draft));
    const key = questionKey(composition.aligned.question);
    if (asked.has(key)) countRefused(tally, draft.kind, 'asked-already');
    else {
      asked.add(key);
      yield composition;
    }
  }
}

const TEMPLATE_DIGITS = 12;

/** Keys of a clause tree whose values name a column, a table or a value: what a template leaves open. */
const PLACEHOLDER_KINDS: ReadonlySet<string> = new Set(['table', 'column', 'copy', 'value', 'count', 'offset']);

/**
 * The shape of a query, as a hash: its clauses with every column, table and literal left open (Finegan-Dollak et al.
 * 2018).
 */
function templateOf(query: ClauseQuery): string {
  const shape = JSON.stringify(query, (key, value: unknown) =>
    PLACEHOLDER_KINDS.has(key) && (typeof value === 'number' || typeof value === 'string' || value === null)
      ? '_'
      : value,
  );
  return sha256Of(shape).slice(0, TEMPLATE_DIGITS);
}

/** Spider's hardness of a gold; null where it is outside Spider's grammar. */
export type HardnessOf = (sql: string, database: Database) => string | null;

/** How questions of one database are composed. */
export interface ComposeSettings {
  /** 2: elements are appended to substitutions, too. */
  readonly depth: number;
  readonly allowEmpty: boolean;
  /** Questions whose alignment is less certain give no element. */
  readonly minConfidence: number;
  readonly hardnessOf: HardnessOf;
  /** Null where fluency is not looked at. */
  readonly fluency: FluencyCheck | null;
  /** True if a question, told with its id, reads as people ask; null or left out where nobody is asked. */
  readonly reads?: ((id: string, question: string) => Promise<boolean>) | null;
  /** Executes gold queries; null where nothing can be executed, or none is to be. */
  readonly goldResults: GoldResults | null;
}

/** The compositions from the questions of one database. */
export interface ComposedDatabase {
  readonly id: string;
  /** Questions that were aligned, those of them with an element. */
  readonly questions: number;
  readonly elements: number;
  /** Shapes of the questions' own queries. */
  readonly templates: readonly string[];
  readonly examples: readonly ComposedExample[];
  readonly tally: ComposeTally;
}

/** Writes clauses as SQL. */
class SqlWriter {
  readonly #database: Database;
  readonly #keys: readonly JoinKey[];

  constructor(database: Database, keys: readonly JoinKey[]) {
    this.#database = database;
    this.#keys = keys;
  }

  /** The SQL, or why there is none. */
  write(query: ClauseQuery): { readonly sql: string } | { readonly refusal: string } {
    try {
      return { sql: sqlOf(query, this.#database, this.#keys) };
    } catch (error) {
      if (error instanceof ClauseRefusal) return { refusal: error.reason };
      if (error instanceof SqlRewriteError) return { refusal: 'unreadable' };
      throw error;
    }
  }

  readonly sqlOf = memoizeObject((query: ClauseQuery): string | null => {
    const written = this.write(query);
    return 'sql' in written ? written.sql : null;
  });
}

const reported = ({ id, text, frame, noun }: CompositionalElement): ReportedElement => ({
  id,
  text,
  frame,
  noun: noun?.key ?? '',
});

function exampleOf(
  { kind, connective, base, element, pieces, aligned }: Composition,
  {
    source,
    sql,
    hardness,
    depth,
  }: { readonly source: string; readonly sql: string; readonly hardness: string | null; readonly depth: number },
): ComposedExample {
  return {
    id: aligned.id,
    kind,
    connective,
    depth,
    db_id: aligned.dbId,
    parents: [base.source.id, element.source.id],
    source,
    question: aligned.question,
    query: sql,
    hardness,
    pieces,
    elements: [reported(base), reported(element)],
    segments: aligned.segments.map(({ text, links }) => ({ text, clauses: links.map(({ clause }) => clause) })),
    template: templateOf(aligned.query),
  };
}

/** Compositions judged side by side: as many as keep a few processes busy. */
const SIDE_BY_SIDE = 64;

/** Composes the questions of one database. */
export class DatabaseComposer {
  readonly #database: Database;
  readonly #settings: ComposeSettings;
  readonly #writer: SqlWriter;
  readonly #joins: JoinCheck;
  readonly #keys: readonly JoinKey[];
  readonly #tally = emptyTally();
  readonly #asked = new Set<string>();
  /** By composition, the data set's example that its first base is of. */
  readonly #sources = new Map<string, string>();

  constructor(database: Database, keys: readonly JoinKey[], settings: ComposeSettings) {
    this.#database = database;
    this.#settings = settings;
    this.#writer = new SqlWriter(database, keys);
    this.#joins = new JoinCheck(keys);
    this.#keys = keys;
  }

  /**
   * Algorithm 1 on the questions' elements; at depth 2 again with the substitutions as bases that elements are appended
   * to.
   * @param known every question of the database: none of them is composed again
   */
  async compose(questions: readonly AlignedQuestion[], known: readonly string[]): Promise<ComposedDatabase> {
    const { depth, minConfidence } = this.#settings;
    for (const question of known) this.#asked.add(questionKey(question));
    const elements = questions.flatMap((question) =>
      question.confidence < minConfidence ? [] : (elementOf(question, this.#database, this.#keys) ?? []),
    );
    const first = await this.#kept(elements, elements, COMPOSITION_KINDS, 1);
    const further = depth < 2 ? [] : await this.#deeper(first, elements);
    const examples = [...first, ...further].map(({ example }) => example);
    return {
      id: this.#database.id,
      questions: questions.length,
      elements: elements.length,
      templates: [...new Set(questions.map(({ query }) => templateOf(query)))].sort(),
      examples,
      tally: this.#tally,
    };
  }

  #deeper(
    first: readonly KeptComposition[],
    elements: readonly CompositionalElement[],
  ): Promise<readonly KeptComposition[]> {
    const bases = first.flatMap(({ composition: { kind, aligned } }) =>
      kind === 'SUB' ? (elementOf(aligned, this.#database, this.#keys) ?? []) : [],
    );
    return this.#kept(bases, elements, ['APP'], 2);
  }

  async #kept(
    bases: readonly CompositionalElement[],
    elements: readonly CompositionalElement[],
    kinds: readonly CompositionKind[],
    depth: number,
  ): Promise<readonly KeptComposition[]> {
    const limit = pLimit(SIDE_BY_SIDE);
    const judged: Promise<KeptComposition | null>[] = [];
    for (const composition of composeDrafts(
      draftsOf(bases, elements, kinds),
      COMPOSITION_RULES,
      this.#asked,
      this.#tally,
    )) {
      judged.push(limit(() => this.#judge(composition, depth)));
      if (judged.length % SIDE_BY_SIDE === 0) await setImmediate();
    }
    const results = await Promise.all(judged);
    return results.filter((result) => result !== null);
  }

  async #judge(draft: Composition, depth: number): Promise<KeptComposition | null> {
    const { goldResults, allowEmpty, hardnessOf, fluency, reads = null } = this.#settings;
    const database = this.#database;
    const settled = await this.#settled(draft);
    if (settled === null) return null;
    const { composition, sql, alike } = settled;
    if (!this.#joins.holds(composition)) return this.#refuse(composition, JOIN_RULE.id);
    if (fluency?.holds(composition) === false) return this.#refuse(composition, FLUENCY_RULE.id);
    if (goldResults !== null) {
      const context = { database, goldResults, sqlOf: this.#writer.sqlOf, alike, allowEmpty };
      const fault = await executionFault(composition, sql, context);
      if (fault !== null) return this.#refuse(composition, fault);
    }
    const { base, aligned } = composition;
    // Last, as each call costs.
    if (reads !== null && !(await reads(aligned.id, aligned.question))) {
      return this.#refuse(composition, ASKED_FLUENCY_RULE.id);
    }
    const source = this.#sources.get(base.source.id) ?? base.source.id;
    this.#sources.set(aligned.id, source);
    return {
      composition,
      example: exampleOf(composition, { source, sql, hardness: hardnessOf(sql, database), depth }),
    };
  }

  /** A composition that joins nothing that it could do without, with its SQL; null where it is refused. */
  async #settled(draft: Composition): Promise<(SettledComposition & { readonly sql: string }) | null> {
    const { goldResults } = this.#settings;
    const first = this.#writer.write(draft.aligned.query);
    if ('refusal' in first) return this.#refuse(draft, `no-query: ${first.refusal}`);
    const context = { database: this.#database, keys: this.#keys, sqlOf: this.#writer.sqlOf, goldResults };
    const settled = await settleJoins(draft, context);
    if (settled === null) return this.#refuse(draft, IDLE_JOIN_RULE.id);
    const composition = await withRowsOnce(draft, settled.composition, context);
    if (composition === null) return this.#refuse(draft, ROWS_ONCE_RULE.id);
    const written = this.#writer.write(composition.aligned.query);
    if ('refusal' in written) return this.#refuse(draft, `no-query: ${written.refusal}`);
    return { ...settled, composition, sql: written.sql };
  }

  #refuse({ kind }: Composition, rule: string): null {
    countRefused(this.#tally, kind, rule);
    return null;
  }
}

interface KeptComposition {
  readonly composition: Composition;
  readonly example: ComposedExample;
}
