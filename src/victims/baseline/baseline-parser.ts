import { whereReadable } from '../../sql/sql-fault.js';
import type { Database } from '../../schema/schema.js';
import { bindQuery } from '../../sql/binder.js';
import { type SqlDialect, SQLITE } from '../../sql/dialect.js';
import { type FillFeatures, scoreOf } from './fill-features.js';
import { type BaselineExample, knownExample, type KnownExample } from './known-example.js';
import { LabelClassifier } from './label-classifier.js';
import { type FilledSketch, QueryFiller } from './query-filler.js';
import type { CellSamples } from './question-values.js';
import { type QuestionKnowledge, type QuestionView, viewQuestion } from './question-view.js';
import { SchemaLinker } from './schema-linking.js';
import { COLUMN_ROLES, writeSketch } from './sketch.js';
import { StructureJudge, type StructureOdds } from './structure-judge.js';
import { WordAssociation } from './word-association.js';
import { itemAt } from '../../present.js';

/** A stored example and how like it a question is, from 0 to 1. */
interface Neighbor {
  readonly position: number;
  readonly similarity: number;
}

interface Postings {
  readonly positions: number[];
  readonly weights: number[];
}

/** Terms in more of the documents than this share, and this number, say too little to be looked up. */
const COMMON = 0.25;
const MIN_COMMON_POSITIONS = 200;
/** Documents that are less like the question than this share of the likest are no neighbors. */
const MIN_RELATIVE = 0.3;

/** Documents of terms, found by the cosine of their TF-IDF vectors through an inverted index. */
export class ExampleIndex {
  readonly #postings = new Map<string, Postings>();
  readonly #rarity = new Map<string, number>();
  readonly #size: number;

  constructor(documents: readonly (readonly string[])[]) {
    this.#size = documents.length;
    for (const terms of documents)
      for (const term of new Set(terms)) this.#rarity.set(term, (this.#rarity.get(term) ?? 0) + 1);
    for (const [term, count] of this.#rarity) this.#rarity.set(term, Math.log(1 + this.#size / count));
    documents.forEach((terms, position) => this.#store(terms, position));
  }

  #store(terms: readonly string[], position: number): void {
    for (const [term, weight] of this.#vector(terms)) {
      let postings = this.#postings.get(term);
      if (postings === undefined) this.#postings.set(term, (postings = { positions: [], weights: [] }));
      postings.positions.push(position);
      postings.weights.push(weight);
    }
  }

  /**
   * The likest documents, likest first; equally like ones by position, which are all where none is like at all.
   * `isAllowed` leaves some out.
   */
  nearest(terms: readonly string[], count: number, isAllowed: (position: number) => boolean): readonly Neighbor[] {
    const scores = this.#scores(terms);
    const found: Neighbor[] = [];
    for (let position = 0; position < this.#size; position++) {
      if (isAllowed(position)) found.push({ position, similarity: scores[position] ?? 0 });
    }
    const least = MIN_RELATIVE * found.reduce((most, { similarity }) => Math.max(most, similarity), 0);
    const near = found.filter(({ similarity }) => similarity >= least);
    return near.sort((a, b) => b.similarity - a.similarity || a.position - b.position).slice(0, count);
  }

  #scores(terms: readonly string[]): Float64Array {
    const scores = new Float64Array(this.#size);
    for (const [term, weight] of this.#vector(terms)) {
      const { positions, weights } = this.#postings.get(term) ?? { positions: [], weights: [] };
      if (positions.length > Math.max(MIN_COMMON_POSITIONS, COMMON * this.#size)) continue;
      for (let i = 0; i < positions.length; i++) {
        const position = positions[i] ?? 0;
        scores[position] = (scores[position] ?? 0) + weight * (weights[i] ?? 0);
      }
    }
    return scores;
  }

  /** Terms with their weights, of length 1 together. */
  #vector(terms: readonly string[]): Map<string, number> {
    const vector = new Map<string, number>();
    for (const term of terms) {
      const rarity = this.#rarity.get(term);
      if (rarity !== undefined) vector.set(term, (vector.get(term) ?? 0) + rarity);
    }
    const length = Math.sqrt([...vector.values()].reduce((sum, weight) => sum + weight * weight, 0));
    for (const [term, weight] of vector) vector.set(term, weight / length);
    return vector;
  }
}

/** Examples looked at, those that vote for a structure, and those whose sketches are filled. */
const NEAR = 600;
const VOTING = 60;
const FILLED = 25;
/** The vote of a structure without votes. */
const LEAST_VOTE = 0.02;
/** Examples are taken from each structure at most so often. */
const PER_STRUCTURE = 3;
/** Queries that are tried until one resolves. */
const CHECKED = 20;
/** Folds of what is learned, for leave-one-out. */
const FOLDS = 5;

/** An example with what speaks for its structure. */
interface Base {
  readonly example: KnownExample;
  readonly features: readonly FillFeatures[];
  readonly score: number;
}

interface Knowledge extends QuestionKnowledge {
  readonly structures: StructureJudge;
}

/**
 * Answers questions after the nearest of the examples it was fitted on: takes the sketch of its query and fills it with
 * the tables, columns and values that the question names by their words. Links are by spelling, so a renamed column is
 * missed and an added one misleads, as with the parsers that ADVETA §5 attacks. Deterministic. Fitted on Spider's
 * train.json it answers 465 of the 1,034 questions of dev.json exactly (values aside); leave-one-out on dev.json, 572.
 */
export class BaselineParser {
  readonly #dialect: SqlDialect;
  readonly #linkers = new WeakMap<Database, { readonly samples: CellSamples; readonly linker: SchemaLinker }>();
  /** By the folds that it is without. */
  readonly #knowledge = new Map<string, Knowledge>();
  #examples: readonly KnownExample[] = [];
  #positions: ReadonlyMap<string, number> = new Map();
  #index = new ExampleIndex([]);

  /** `dialect` is that of the examples and the answers. */
  constructor(dialect: SqlDialect = SQLITE) {
    this.#dialect = dialect;
  }

  /** Number of examples that it answers after: those whose query has a sketch. */
  get size(): number {
    return this.#examples.length;
  }

  /** Learns from examples, in place of those before; queries beyond sketches are left out. */
  fit(examples: readonly BaselineExample[]): void {
    const known = examples.map((example) =>
      knownExample(example, this.#linkerOf(example.database, example.samples), this.#dialect),
    );
    this.#examples = known.filter((example) => example !== null);
    this.#positions = new Map(this.#examples.map(({ id }, position) => [id, position]));
    this.#index = new ExampleIndex(this.#examples.map(({ terms }) => terms));
    this.#knowledge.clear();
  }

  /**
   * The likeliest query for a question, or null where none can be made; it resolves against the schema.
   * The examples called `excludedIds` are treated as if they had not been fitted.
   */
  parse(
    question: string,
    database: Database,
    samples: CellSamples,
    excludedIds: readonly string[] = [],
  ): string | null {
    const filled = this.#fill(question, database, samples, excludedIds);
    for (const { sketch, filling } of filled.slice(0, CHECKED)) {
      const sql = writeSketch(sketch, filling, database, this.#dialect);
      if (this.#isValid(sql, database)) return sql;
    }
    return null;
  }

  #fill(question: string, database: Database, samples: CellSamples, excludedIds: readonly string[]): FilledSketch[] {
    if (this.#examples.length === 0) return [];
    const excluded = new Set(excludedIds.flatMap((id) => this.#positions.get(id) ?? []));
    const knowledge = this.#knowledgeOf(new Set([...excluded].map((position) => position % FOLDS)));
    const view = viewQuestion(this.#linkerOf(database, samples).link(question), knowledge);
    const odds = knowledge.structures.judge(view.terms);
    const filler = new QueryFiller(view, odds);
    const filled = this.#bases(view, odds, excluded).flatMap(({ example, features }) => filler.fill(example, features));
    return filled.sort((a, b) => b.score - a.score);
  }

  /** The examples that promise most, a few of each structure. */
  #bases(view: QuestionView, odds: StructureOdds, excluded: ReadonlySet<number>): Base[] {
    const near = this.#index.nearest(view.terms, NEAR, (position) => !excluded.has(position));
    const votes = this.#votes(near.slice(0, VOTING));
    const bases = near.map(({ position, similarity }): Base => {
      const example = itemAt(this.#examples, position);
      const vote = Math.log(LEAST_VOTE + (votes.get(example.sketch.key) ?? 0));
      const [likeness, structure] = [{ similarity, vote }, odds.of(example)];
      const score = scoreOf(likeness) + scoreOf(structure);
      return { example, features: [likeness, structure], score };
    });
    return someOfEach(bases.sort((a, b) => b.score - a.score)).slice(0, FILLED);
  }

  #votes(near: readonly Neighbor[]): Map<string, number> {
    const votes = new Map<string, number>();
    for (const { position, similarity } of near) {
      const { key } = itemAt(this.#examples, position).sketch;
      votes.set(key, (votes.get(key) ?? 0) + similarity ** 3);
    }
    return votes;
  }

  #isValid(sql: string, database: Database): boolean {
    return whereReadable(() => {
      bindQuery(sql, database, this.#dialect);
      return true;
    }, false);
  }

  #linkerOf(database: Database, samples: CellSamples): SchemaLinker {
    const known = this.#linkers.get(database);
    if (known?.samples === samples) return known.linker;
    const linker = new SchemaLinker(database, samples);
    this.#linkers.set(database, { samples, linker });
    return linker;
  }

  /** Returns the knowledge from the examples outside some folds; learned when it is first asked for. */
  #knowledgeOf(folds: ReadonlySet<number>): Knowledge {
    const key = [...folds].sort().join();
    let knowledge = this.#knowledge.get(key);
    if (knowledge === undefined) this.#knowledge.set(key, (knowledge = this.#learn(folds)));
    return knowledge;
  }

  #learn(folds: ReadonlySet<number>): Knowledge {
    const examples = this.#examples.filter((_, position) => !folds.has(position % FOLDS));
    const roleSamples = examples.flatMap((example) => example.roleSamples);
    return {
      roles: new LabelClassifier(roleSamples, COLUMN_ROLES.length),
      association: new WordAssociation(examples.map(({ pairs }) => pairs)),
      structures: new StructureJudge(examples),
    };
  }
}

function someOfEach(bases: readonly Base[]): Base[] {
  const taken = new Map<string, number>();
  return bases.filter(({ example: { sketch } }) => {
    const count = (taken.get(sketch.key) ?? 0) + 1;
    taken.set(sketch.key, count);
    return count <= PER_STRUCTURE;
  });
}
