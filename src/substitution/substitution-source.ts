import { isFixed, splitName } from '../dictionary/column-words.js';
import { cosine } from '../reranker/phrase-vector.js';
import { embedChecked, type TextEmbedder } from '../retriever/text-embedder.js';
import { columnNameKey } from '../schema/name-identity.js';
import { type Candidate, type CandidateSource, type StageContext, targetColumn, type TargetColumn } from '../stage.js';
import { columnSentence } from './column-sentence.js';
import { itemAt, zip } from '../present.js';

/** A word in a column's name that another is to replace. */
export interface WordSlot {
  readonly target: TargetColumn;
  /** The words of the name, in lower case. */
  readonly words: readonly string[];
  /** Position of the word. */
  readonly at: number;
}

/** A word that can stand in a slot. */
export interface Substitute {
  readonly word: string;
  /** By what the attacker ranks: higher is better, comparable between the slots of a name. */
  readonly score: number;
}

/** The word transformer of a text attacker: words that can take the place of one, best first. */
export interface WordSubstitutes {
  readonly id: 'neighbors' | 'masked';
  /** Version, settings and file hashes. */
  readonly fingerprint: string;
  /** One list per slot, in input order. */
  find(slots: readonly WordSlot[], context: StageContext): Promise<readonly (readonly Substitute[])[]>;
}

/** ADVETA appendix D: ADD is drawn from ranks 15 to 50. */
const MAX_SUBSTITUTES = 50;
/** Substitutes of each of two words that are tried together. */
const TOGETHER = 10;
/** Names that are compared at a time. */
const CHUNK = 50;
/** Least cosine of a column's sentence with the new name to that with its own: TextFooler's program takes 0.7. */
const LEAST_SIMILARITY = 0.7;

export interface SubstitutionParts {
  readonly substitutes: WordSubstitutes;
  readonly embedder: TextEmbedder;
  /** Cosine of two names' word vectors, null where either has none. */
  readonly similarity: (a: string, b: string) => number | null;
}

interface ScoredName {
  readonly name: string;
  readonly score: number;
}

/** Names with one word replaced, and with two, by the mean score of the words that came in; best first. */
function combine(words: readonly string[], found: ReadonlyMap<number, readonly Substitute[]>): readonly ScoredName[] {
  const places = [...found];
  const single = places.flatMap(([at, substitutes]) =>
    substitutes.map(({ word, score }) => ({ name: words.with(at, word).join(' '), score })),
  );
  const double = places.flatMap(([first, ones], i) =>
    places.slice(i + 1).flatMap(([second, others]) =>
      ones.slice(0, TOGETHER).flatMap((one) =>
        others.slice(0, TOGETHER).map((other) => ({
          name: words.with(first, one.word).with(second, other.word).join(' '),
          score: (one.score + other.score) / 2,
        })),
      ),
    ),
  );
  return [...single, ...double].sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1));
}

/**
 * Names by replacing words, as text attackers do (ADVETA appendix D, TextFooler and BERT-Attack): one word of the name or
 * two give way to what the attacker's word transformer finds, where the sentence of the column stays similar. Ranked as
 * the attacker ranks words. No victim is asked: the words to be replaced are those of the column ("we skip its word
 * importance ranking").
 */
export class SubstitutionSource implements CandidateSource {
  readonly id: WordSubstitutes['id'];
  readonly fingerprint: string;
  readonly #parts: SubstitutionParts;

  constructor(parts: SubstitutionParts) {
    this.#parts = parts;
    this.id = parts.substitutes.id;
    this.fingerprint = `substitution-1:${LEAST_SIMILARITY}:${parts.substitutes.fingerprint}:${parts.embedder.fingerprint}`;
  }

  async propose(columns: readonly TargetColumn[], context: StageContext): Promise<readonly (readonly Candidate[])[]> {
    const slots = columns.flatMap((target): WordSlot[] => {
      const words = splitName(targetColumn(target).name);
      return words.flatMap((word, at) => (isFixed(word) ? [] : [{ target, words, at }]));
    });
    const found = zip(slots, await this.#parts.substitutes.find(slots, context));
    const proposed: (readonly Candidate[])[] = [];
    for (const target of columns) {
      const own = new Map(
        found.flatMap(([slot, names]) => (slot.target === target ? [[slot.at, names] as const] : [])),
      );
      proposed.push(await this.#proposeFor(target, own, context));
    }
    return proposed;
  }

  async #proposeFor(
    target: TargetColumn,
    found: ReadonlyMap<number, readonly Substitute[]>,
    context: StageContext,
  ): Promise<readonly Candidate[]> {
    const { name } = targetColumn(target);
    const seen = new Set([columnNameKey(name)]);
    const names = combine(splitName(name), found).flatMap((scored) => {
      const key = columnNameKey(scored.name);
      if (seen.has(key)) return [];
      seen.add(key);
      return [scored.name];
    });
    const kept: string[] = [];
    for (let at = 0; at < names.length && kept.length < MAX_SUBSTITUTES; at += CHUNK) {
      kept.push(...(await this.#similar(target, name, names.slice(at, at + CHUNK), context)));
    }
    return kept.slice(0, MAX_SUBSTITUTES).map((kind): Candidate => ({
      name: kind,
      source: this.id,
      origin: null,
      similarity: this.#parts.similarity(kind, name),
    }));
  }

  /** Those of the names with which the column's sentence stays similar. */
  async #similar(
    target: TargetColumn,
    own: string,
    names: readonly string[],
    context: StageContext,
  ): Promise<readonly string[]> {
    const sentences = [own, ...names].map((name) => columnSentence(target, name));
    const vectors = await embedChecked(this.#parts.embedder, sentences, context.signal);
    const original = itemAt(vectors, 0);
    return zip(names, vectors.slice(1)).flatMap(([name, vector]) =>
      cosine(original, vector) >= LEAST_SIMILARITY ? [name] : [],
    );
  }
}
