import type { Candidate, CandidateSource, Rng, StageContext, TargetColumn } from '../stage.js';
import { isFixed, splitName } from './column-words.js';
import { headIndex } from './inflection.js';
import type { ReplaceablePart, ReplacementPlan, ReplacementPlanner } from './replacement-plan.js';

export interface DictionarySourceOptions {
  /** Chance that a word with synonyms stays as it is, 0 to 1. */
  readonly keepProbability?: number;
  /** Distinct candidates after which drawing ends. */
  readonly maxCandidates?: number;
  /** Consecutive repeats after which drawing ends. */
  readonly maxRepeats?: number;
  /** Cosine of two names, -1 to 1, null where either has no vector; orders the candidates. */
  readonly similarity?: (a: string, b: string) => number | null;
}

export const KEEP_PROBABILITY = 0.25; // ADVETA §4.3
export const MAX_CANDIDATES = 20; // ADVETA §4.3
export const MAX_REPEATS = 5; // ADVETA §4.3

type Draw<T> = (options: readonly T[]) => T;

function drawPart(part: ReplaceablePart, keep: number, rng: Rng, draw: Draw<string>): string {
  if (part.options.length === 0 || rng.next() < keep) return part.original;
  return draw(part.options);
}

function drawName(plan: ReplacementPlan, keep: number, rng: Rng): string {
  const draw = <T>(options: readonly T[]): T => options[rng.int(options.length)] as T;
  const [own = [], ...turned] = plan.variants;
  const parts = turned.length === 0 || rng.next() < keep ? own : draw(turned);
  return parts.map((part) => drawPart(part, keep, rng, draw)).join(' ');
}

/** Every name that a plan can give, or null where they are more than `limit`. */
function allNames({ variants }: ReplacementPlan, keep: number, limit: number): readonly string[] | null {
  const [own = [], ...turned] = variants;
  const open = [...(keep > 0 || turned.length === 0 ? [own] : []), ...(keep < 1 ? turned : [])];
  const formsOf = ({ original, options }: ReplaceablePart): readonly string[] =>
    options.length === 0 || keep >= 1 ? [original] : keep > 0 ? [original, ...options] : options;
  const forms = open.map((parts) => parts.map(formsOf));
  const count = forms.reduce((sum, parts) => sum + parts.reduce((product, { length }) => product * length, 1), 0);
  if (count > limit) return null;
  const join = (parts: readonly (readonly string[])[]): readonly string[] =>
    parts.reduce<readonly string[]>((starts, next) => starts.flatMap((a) => next.map((b) => `${a} ${b}`.trim())), ['']);
  return forms.flatMap(join);
}

/** Content words of the table's name, then of its other columns: what the column is about. */
function contextWords(column: TargetColumn): readonly string[] {
  const { table } = column.target;
  const names = [table.name, ...table.columns.filter((_, i) => i !== column.column).map((other) => other.name)];
  const words = names.flatMap(splitName).filter((word) => !isFixed(word));
  return [...new Set(words)];
}

/** Checks whether a column is called a name, which numbers are not: "country name" for the number of a country. */
function saysName(name: string): boolean {
  const words = splitName(name);
  return words[headIndex(words)] === 'name';
}

function bySimilarity(a: Candidate, b: Candidate): number {
  return (b.similarity ?? -Infinity) - (a.similarity ?? -Infinity) || (a.name < b.name ? -1 : 1);
}

/**
 * Word-level replacement by a dictionary (ADVETA §4.3): each word of a column name stays with probability 0.25, else
 * one of its synonyms takes its place; drawn until 20 distinct candidates or 5 consecutive repeats. Deviations: known
 * terms of several words are replaced as one, phrases are turned ("number of X", "X count"), forms are kept, and what
 * the thesaurus lists for a whole name is always proposed, and all names where a column has no more than are kept: five
 * repeats in a row ended many such draws before each came up. The same seed gives the same candidates for a column,
 * whatever its neighbors.
 */
export class DictionarySource implements CandidateSource {
  readonly id = 'dictionary';
  readonly fingerprint: string;
  readonly #planner: ReplacementPlanner;
  readonly #keep: number;
  readonly #maxCandidates: number;
  readonly #maxRepeats: number;
  readonly #similarity: (a: string, b: string) => number | null;

  constructor(planner: ReplacementPlanner, options: DictionarySourceOptions = {}) {
    this.#planner = planner;
    this.#keep = options.keepProbability ?? KEEP_PROBABILITY;
    this.#maxCandidates = options.maxCandidates ?? MAX_CANDIDATES;
    this.#maxRepeats = options.maxRepeats ?? MAX_REPEATS;
    this.#similarity = options.similarity ?? (() => null);
    const settings = `keep=${this.#keep},max=${this.#maxCandidates},repeats=${this.#maxRepeats}`;
    this.fingerprint = `dictionary-3:${settings}:${planner.fingerprint}`;
  }

  async propose(columns: readonly TargetColumn[], context: StageContext): Promise<readonly (readonly Candidate[])[]> {
    const proposed: (readonly Candidate[])[] = [];
    for (const column of columns) {
      context.signal.throwIfAborted();
      proposed.push(await this.#proposeFor(column, context));
    }
    return proposed;
  }

  async #proposeFor(target: TargetColumn, context: StageContext): Promise<readonly Candidate[]> {
    const { dbId, table } = target.target;
    const column = table.columns[target.column];
    if (column === undefined) return [];
    const plan = await this.#planner.plan(column.name, contextWords(target), {
      type: column.type,
      tableName: table.name,
    });
    const rng = context.rngFor(`${dbId}.${table.originalName}.${column.originalName}:dictionary`);
    const drawn = this.#drawNames(plan, splitName(column.name).join(' '), rng);
    const names = column.type === 'number' ? drawn.filter((name) => !saysName(name) || saysName(column.name)) : drawn;
    return names.map((name) => this.#candidate(name, column.name, plan.listed.has(name))).sort(bySimilarity);
  }

  /**
   * Returns the thesaurus's names for the whole name, which no draw should miss, then all names, or else draws: at most
   * `maxCandidates * maxRepeats`, as every draw is new or counts as a repeat, the name itself as one.
   */
  #drawNames(plan: ReplacementPlan, own: string, rng: Rng): readonly string[] {
    const names = new Set([...plan.listed].slice(0, this.#maxCandidates));
    const all = allNames(plan, this.#keep, this.#maxCandidates);
    if (all !== null) return [...new Set([...names, ...all])].filter((name) => name !== own);
    for (let repeats = 0; names.size < this.#maxCandidates && repeats < this.#maxRepeats;) {
      const name = drawName(plan, this.#keep, rng);
      if (name === own || names.has(name)) repeats++;
      else {
        names.add(name);
        repeats = 0;
      }
    }
    return [...names];
  }

  #candidate(name: string, target: string, isListed: boolean): Candidate {
    const candidate = { name, source: 'dictionary', origin: null, similarity: this.#similarity(name, target) } as const;
    return isListed ? { ...candidate, listedFor: 'name' } : candidate;
  }
}
