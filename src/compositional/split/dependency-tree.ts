import { itemAt } from '../../present.js';
import type { DependencyToken } from '../parser/parse.js';

type Edges = [first: number, last: number];

/** First and last token below each, from the leaves up. */
function edgesOf(tokens: readonly DependencyToken[], children: readonly (readonly number[])[]): readonly Edges[] {
  const edges = tokens.map((_, at): Edges => [at, at]);
  const order = [...tokens.keys()].filter((at) => tokens[at]?.head === at);
  for (const at of order) order.push(...itemAt(children, at));
  for (const at of order.reverse()) {
    const [own, above] = [itemAt(edges, at), itemAt(edges, itemAt(tokens, at).head)];
    above[0] = Math.min(above[0], own[0]);
    above[1] = Math.max(above[1], own[1]);
  }
  return edges;
}

/** The tokens of a question with what depends on each. */
export class DependencyTree {
  readonly tokens: readonly DependencyToken[];
  readonly #children: readonly (readonly number[])[];
  readonly #edges: readonly Edges[];

  constructor(tokens: readonly DependencyToken[]) {
    this.tokens = tokens;
    const children = tokens.map((): number[] => []);
    tokens.forEach(({ head }, at) => {
      if (head !== at) itemAt(children, head).push(at);
    });
    this.#children = children;
    this.#edges = edgesOf(tokens, children);
  }

  at(index: number): DependencyToken {
    return itemAt(this.tokens, index);
  }

  /** A token's text in small letters. */
  word(index: number): string {
    return this.tokens[index]?.text.toLowerCase() ?? '';
  }

  children(index: number): readonly number[] {
    return itemAt(this.#children, index);
  }

  /** The first token of all that depends on a token, itself included. */
  leftEdge(index: number): number {
    return itemAt(this.#edges, index)[0];
  }

  /** The last one. */
  rightEdge(index: number): number {
    return itemAt(this.#edges, index)[1];
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
    return [...this.#below(index, except)].sort((a, b) => a - b);
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

  #below(index: number, except: (at: number) => boolean = () => false): ReadonlySet<number> {
    const found = new Set([index]);
    for (const at of found) for (const child of this.children(at)) if (!except(child)) found.add(child);
    return found;
  }
}
