import { associationOf } from '../naturalness/association-rule.js';
import { elementAt, present } from '../present.js';
import { sharedEntity, wordsBesides } from '../naturalness/named-entity.js';
import type { Table } from '../schema/schema.js';
import type { StageContext, TargetColumn, TargetTable } from '../stage.js';
import { embedChecked, type TextEmbedder } from './text-embedder.js';

/** Vectors remembered, 1.5 kB each: a bound to memory in long runs. */
const REMEMBERED = 20_000;

/** Cosine of an ordinary addition with the nearest column of another table; the middle of Spider's training databases. */
const COMMON_COSINE = 0.5;

/** From here on a cosine with another table's column says that the name belongs there. */
const ALIKE_COSINE = 0.6;

/** How much more counts what is nearer to another table than to its own, or alike to one of its columns. */
const SURPLUS_WEIGHT = 2.5;

/** Where vectors of texts are found that need not be computed, and others can find those that were. */
export interface VectorStore {
  get(text: string): Float32Array | null;
  put(text: string, vector: Float32Array): void;
}

/** A name, and the title of the table that it was found in. */
export interface FoundName {
  readonly name: string;
  readonly title: string;
}

/** As {@link FoundName}, with that table's score in retrieval. */
export interface RetrievedName extends FoundName {
  readonly score: number;
}

/**
 * How well names go with a target column and its table, by the table-context encoder: ADVETA §2.3 asks an added column
 * to "fit nicely into the table context" and to have "high semantic association with the target column". Word vectors
 * see neither: to them "wedding date" is as near to a workshop's date as "closing date".
 */
export class AssociationScorer {
  readonly fingerprint: string;
  readonly #embedder: TextEmbedder;
  readonly #store: VectorStore | null;
  readonly #vectors = new Map<string, Promise<Float32Array>>();

  constructor(embedder: TextEmbedder, store: VectorStore | null = null) {
    this.#embedder = embedder;
    this.#store = store;
    this.fingerprint = `association-5:${embedder.fingerprint}`;
  }

  /** How well each addition fits its target and table, -20 to 14: all signs together, as `associationOf` weighs them. */
  async associate(
    target: TargetColumn,
    additions: readonly RetrievedName[],
    context: StageContext,
  ): Promise<readonly number[]> {
    const names = await this.score(
      target,
      additions.map(({ name }) => name),
      context,
    );
    const titles = await this.nearness(
      target,
      additions.map(({ title }) => title),
      context,
    );
    const asides = await this.#asides(target, additions, context);
    const foreign = await this.foreignness(target, additions, context);
    return additions.map(({ title, score }, i) => {
      const entity = sharedEntity(title, target.target.table.name);
      const [ofName, ofTitle, aside, elsewhere] = [names[i]!, titles[i]!, asides[i]!, foreign[i]!];
      return associationOf({ name: ofName, title: ofTitle, domain: score, entity, aside, foreign: elsewhere });
    });
  }

  /** How much nearer each name is to what else its title says than to the table's name, -2 to 2. */
  async #asides(
    { target: { table } }: TargetColumn,
    additions: readonly FoundName[],
    context: StageContext,
  ): Promise<readonly number[]> {
    const besides = additions.map(({ title }) => wordsBesides(title, table.name));
    const names = additions.map(({ name }) => name);
    const [ofTable, ...vectors] = await this.#embed([table.name, ...names, ...besides], context.signal);
    return besides.map((words, i) => {
      const name = vectors[i]!;
      return words === '' ? 0 : dot(name, vectors[names.length + i]!) - dot(name, ofTable!);
    });
  }

  /** Cosine of each name with the column plus its cosine with the table (domain, name and columns), -2 to 2. */
  async score(target: TargetColumn, names: readonly string[], context: StageContext): Promise<readonly number[]> {
    const { dbId, table } = target.target;
    const columnName = table.columns[target.column]!.name;
    const texts = [tableText(dbId, table), columnName, ...names];
    const [ofTable, ofColumn, ...ofNames] = await this.#embed(texts, context.signal);
    return ofNames.map((vector) => dot(vector, ofTable!) + dot(vector, ofColumn!));
  }

  /** Cosines of each text with a table (domain, name and columns) and with what its rows are called. */
  async nearnessOf(
    { dbId, table }: TargetTable,
    entity: string,
    texts: readonly string[],
    { signal }: StageContext,
  ): Promise<readonly { readonly table: number; readonly entity: number }[]> {
    const [ofTable, ofEntity, ...ofTexts] = await this.#embed([tableText(dbId, table), entity, ...texts], signal);
    return ofTexts.map((vector) => ({ table: dot(vector, ofTable!), entity: dot(vector, ofEntity!) }));
  }

  /**
   * How much nearer each addition is to another table of the database than to the target's own, -7 to 18; 0 where there
   * is no other: a "pet name" belongs to the pets, not to their owners. Three signs add up: the cosine of the name with
   * what a table is called and holds, that of the title it was found under with the table's name, and that of the name
   * with the nearest column of another table, next to what columns of one database have in common. What is plainly
   * another's counts more.
   */
  async foreignness(
    { target: { dbId, table, siblings = [] } }: TargetColumn,
    additions: readonly FoundName[],
    context: StageContext,
  ): Promise<readonly number[]> {
    if (siblings.length === 0) return additions.map(() => 0);
    const embed = async (texts: readonly string[]): Promise<readonly Float32Array[]> =>
      this.#embed(texts, context.signal);
    const [ownName, ...otherNames] = await embed([table, ...siblings].map(({ name }) => name));
    const [ownText, ...otherTexts] = await embed([table, ...siblings].map((one) => tableText(dbId, one)));
    const columns = await embed(siblings.flatMap((other) => other.columns.map(({ name }) => name)));
    const names = await embed(additions.map(({ name }) => name));
    const titles = await embed(additions.map(({ title }) => title));
    return names.map((name, a) => {
      const own = dot(name, ownName!) + dot(name, ownText!);
      const held = Math.max(...otherNames.map((other, i) => dot(name, other) + dot(name, otherTexts[i]!))) - own;
      const titled = Math.max(...otherNames.map((other) => dot(titles[a]!, other))) - dot(titles[a]!, ownName!);
      const alike = Math.max(...columns.map((column) => dot(name, column)));
      const surplus = Math.max(0, held) + Math.max(0, alike - ALIKE_COSINE);
      return held + titled + alike - COMMON_COSINE + SURPLUS_WEIGHT * surplus;
    });
  }

  /** Cosine of each title of a table with the target table's name, -1 to 1. */
  async nearness(
    { target }: TargetColumn,
    titles: readonly string[],
    context: StageContext,
  ): Promise<readonly number[]> {
    const [ofTable, ...ofTitles] = await this.#embed([target.table.name, ...titles], context.signal);
    return ofTitles.map((vector) => dot(vector, ofTable!));
  }

  /** Each text is embedded once, also where several ask for it at the same time. */
  #embed(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]> {
    const distinct = [...new Set(texts)];
    if (this.#vectors.size + distinct.length > REMEMBERED) this.#vectors.clear();
    const vectors = new Map(distinct.map((text) => [text, this.#vectors.get(text) ?? this.#stored(text)]));
    const missing = distinct.filter((text) => vectors.get(text) === null);
    const embedded = embedChecked(this.#embedder, missing, signal);
    for (const [i, text] of missing.entries()) vectors.set(text, this.#kept(text, embedded, i));
    for (const [text, vector] of vectors) if (vector !== null) this.#vectors.set(text, vector);
    return Promise.all([embedded, ...texts.map((text) => present(vectors.get(text), 'vectors.get(text)'))]).then(
      ([, ...ofTexts]) => ofTexts,
    );
  }

  #stored(text: string): Promise<Float32Array> | null {
    const vector = this.#store?.get(text) ?? null;
    return vector === null ? null : Promise.resolve(vector);
  }

  /** The vector of one of several texts that are being embedded; of a failure nothing is remembered. */
  async #kept(text: string, embedded: Promise<readonly Float32Array[]>, position: number): Promise<Float32Array> {
    try {
      const vector = elementAt(await embedded, position);
      this.#store?.put(text, vector);
      return vector;
    } catch (error) {
      this.#vectors.delete(text);
      throw error;
    }
  }
}

/** A table in words: domain, name and columns. */
function tableText(dbId: string, { name, columns }: Table): string {
  return `${dbId.replaceAll('_', ' ')}: ${name} | ${columns.map((column) => column.name).join(', ')}`;
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}
