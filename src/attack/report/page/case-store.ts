import { searchWords } from '../../../report/page/dom.js';
import type { CaseData, PackedCase, PackedChange, PackedPerturbed } from '../packed-cases.js';

/** What perturbing its tables did to an answer; empty where the metric says nothing of one of the two answers. */
export type Status = 'broken' | 'survived' | 'fixed' | 'wrong' | '';

export const STATUS_NAMES: Readonly<Record<Status, string>> = {
  broken: 'broken',
  survived: 'survived',
  fixed: 'fixed',
  wrong: 'wrong before and after',
  '': 'not scored',
};

/** Kinds by their position in packed cases. */
export const KINDS = ['RPL', 'ADD'] as const;

/** A column, or one candidate for it, that the list is narrowed to. */
export interface Focus {
  readonly table: string;
  /** Its name in SQL, which no other column of the table has. */
  readonly column: string;
  readonly candidate: string | null;
}

/** What a reader asks for; an empty text asks for nothing. */
export interface CaseQuery {
  readonly search: string;
  readonly status: string;
  readonly kind: string;
  readonly seed: string;
  readonly database: string;
  readonly hardness: string;
  readonly focus: Focus | null;
}

/** An example that fits, by its position, with the positions of its variants that fit. */
export interface FoundCase {
  readonly index: number;
  readonly variants: readonly number[];
}

/** Says of each string whether it holds a word. */
type Hits = readonly boolean[];

/** The cases, still packed as the page holds them. */
export class CaseStore {
  readonly data: CaseData;
  /** The metric that judges. */
  metric = 'exact';
  #lower: readonly string[] | null = null;

  constructor(data: CaseData) {
    this.data = data;
  }

  text(at: number): string {
    return this.data.strings[at] ?? '';
  }

  /** The changes of a variant. */
  changesOf([, , , , changes]: PackedPerturbed): readonly PackedChange[] {
    return changes.map((at) => this.data.changes[at]).filter((change) => change !== undefined);
  }

  /** The outcome of an answer by a metric; null where it was not judged. */
  outcomeOf(answer: PackedCase[5], metric = this.metric): string | null {
    const [, , exact, execution] = answer;
    return this.data.outcomes[metric === 'exact' ? exact : execution] ?? null;
  }

  statusOf(one: PackedCase, variant: PackedPerturbed): Status {
    const [before, after] = [this.outcomeOf(one[5]), this.outcomeOf(variant[5])];
    if (before === null || after === null) return '';
    if (before === 'correct') return after === 'correct' ? 'survived' : 'broken';
    return after === 'correct' ? 'fixed' : 'wrong';
  }

  find(query: CaseQuery): readonly FoundCase[] {
    const hits = this.#hitsOf(query.search);
    return this.data.cases.flatMap((one, index) => {
      const [, db, , hardness, , , perturbed] = one;
      if (query.database !== '' && this.text(db) !== query.database) return [];
      if (query.hardness !== '' && this.text(hardness) !== query.hardness) return [];
      const missing = hits.filter((hit) => !inExample(hit, one));
      const variants = [...perturbed.entries()].flatMap(([at, variant]) =>
        this.#fits(one, variant, query) && missing.every((hit) => this.#inVariant(hit, variant)) ? [at] : [],
      );
      const asksForVariant = `${query.kind}${query.seed}${query.status}` !== '' || query.focus !== null;
      const isBare = perturbed.length === 0 && !asksForVariant && missing.length === 0;
      return variants.length > 0 || isBare ? [{ index, variants }] : [];
    });
  }

  #fits(one: PackedCase, variant: PackedPerturbed, { kind, seed, status, focus }: CaseQuery): boolean {
    return (
      (kind === '' || KINDS[variant[0]] === kind) &&
      (seed === '' || String(variant[1]) === seed) &&
      (status === '' || this.statusOf(one, variant) === status) &&
      (focus === null || this.#isIn(focus, variant))
    );
  }

  #isIn({ table, column, candidate }: Focus, variant: PackedPerturbed): boolean {
    return this.changesOf(variant).some(
      (change) =>
        this.text(change[0]) === table &&
        this.text(change[3]) === column &&
        (candidate === null || this.text(change[2]) === candidate),
    );
  }

  /** Which strings hold each word: cases share strings, so each is looked through once. */
  #hitsOf(wanted: string): readonly Hits[] {
    const words = searchWords(wanted);
    if (words.length === 0) return [];
    const strings = (this.#lower ??= this.data.strings.map((string) => string.toLowerCase()));
    return words.map((word) => strings.map((string) => string.includes(word)));
  }

  #inVariant(hit: Hits, variant: PackedPerturbed): boolean {
    const [, , gold, , , [predicted]] = variant;
    return [gold, predicted, ...this.changesOf(variant).flat()].some((at) => hit[at] === true);
  }
}

function inExample(hit: Hits, [id, db, question, , gold, [predicted]]: PackedCase): boolean {
  return [id, db, question, gold, predicted].some((at) => hit[at] === true);
}
