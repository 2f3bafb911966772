import { itemAt } from '../../present.js';
import { childrenByHead, type DependencyToken } from '../parser/parse.js';

/** The tokens of a question with what depends on each. */
export class DependencyTree {
  readonly tokens: readonly DependencyToken[];
  readonly #children: ReadonlyMap<number, readonly number[]>;
  readonly #below = new Map<number, readonly number[]>();

  constructor(tokens: readonly DependencyToken[]) {
    this.tokens = tokens;
    this.#children = childrenByHead(tokens);
  }

  at(index: number): DependencyToken {
    return itemAt(this.tokens, index);
  }

  /** A token's text in small letters. */
  word(index: number): string {
    return this.tokens[index]?.text.toLowerCase() ?? '';
  }

  children(index: number): readonly number[] {
    return this.#children.get(index) ?? [];
  }

  /** The first token of all that depends on a token, itself included. */
  leftEdge(index: number): number {
    return Math.min(...this.#allBelow(index));
  }

  /** The last one. */
  rightEdge(index: number): number {
    return Math.max(...this.#allBelow(index));
  }

  isRoot(index: number): boolean {
    return this.at(index).head === index;
  }

  /** The tokens that a token depends on, nearest first. */
  *ancestors(index: number): Generator<number> {
    for (let at = index; !this.isRoot(at);) {
      at = this.at(at).head;
      yield at;
    }
  }

  /** All that depends on a token, itself included, in order of the text; `except` and what is below them left out. */
  subtree(index: number, except: (at: number) => boolean = () => false): readonly number[] {
    const found = new Set([index]);
    for (const at of found) for (const child of this.children(at)) if (!except(child)) found.add(child);
    return [...found].sort((a, b) => a - b);
  }

  /** Checks whether a token has a subject of its own. */
  hasSubject(index: number): boolean {
    return this.children(index).some((child) => /^[nc]subj/u.test(this.at(child).label));
  }

  isVerb(index: number): boolean {
    return /^(?:VB|MD)/u.test(this.at(index).tag);
  }

  isPunctuation(index: number): boolean {
    return /^[^\p{L}\p{N}$%]+$/u.test(this.at(index).text);
  }

  #allBelow(index: number): readonly number[] {
    const known = this.#below.get(index) ?? this.subtree(index);
    this.#below.set(index, known);
    return known;
  }
}
