import { itemAt } from '../../present.js';
import { EnglishTokenizer, type RawToken } from './english-tokenizer.js';
import { embeddedParserFolder, readParserFiles, type ParserFiles } from './model-files.js';
import { type Heads, MoveChooser } from './move-chooser.js';
import type { DependencyParser, DependencyToken } from './parse.js';
import { ParserNetworks } from './parser-networks.js';
import { WordRows } from './word-rows.js';

/** Between a label and that of the head which a token was lifted from (Nivre and Nilsson 2005, scheme HEAD). */
const LIFTED = '||';

/** A token's place in a tree, as it may be moved. */
interface Arc {
  head: number;
  label: string;
}

/** The first token below a head, level by level and from left to right, that has a label. */
function findBelow(
  arcs: readonly Arc[],
  child: number,
  label: string,
  isWhite: (at: number) => boolean,
): number | null {
  const children = childrenOf(arcs);
  const seen = new Set([child]);
  for (let level = [itemAt(arcs, child).head]; level.length > 0;) {
    const next: number[] = [];
    for (const at of level.flatMap((head) => itemAt(children, head))) {
      if (seen.has(at) || isWhite(at)) continue;
      if (itemAt(arcs, at).label === label) return at;
      seen.add(at);
      next.push(at);
    }
    level = next;
  }
  return null;
}

function childrenOf(arcs: readonly Arc[]): readonly (readonly number[])[] {
  const children = arcs.map((): number[] => []);
  arcs.forEach(({ head }, at) => {
    if (head !== at) itemAt(children, head).push(at);
  });
  return children;
}

/**
 * Puts tokens back below the head that they were lifted from so that no arcs cross: "prep||nsubj" becomes "prep" below
 * the first "nsubj" below its head. Changes the list.
 */
function restoreLifted(arcs: Arc[], isWhite: (at: number) => boolean): void {
  for (const [child, arc] of arcs.entries()) {
    const [label = '', headLabel] = arc.label.split(LIFTED);
    if (headLabel === undefined) continue;
    arc.head = findBelow(arcs, child, headLabel, isWhite) ?? arc.head;
    arc.label = label;
  }
}

/** Tokens read at once; more need more memory and gain nothing. */
const BATCH_TOKENS = 2048;

type Tokens = readonly RawToken[];

/** Batches of texts that are not empty, as their positions. */
function* batchesOf(texts: readonly Tokens[]): Generator<readonly number[]> {
  let batch: number[] = [];
  let count = 0;
  for (const [at, { length }] of texts.entries()) {
    if (length === 0) continue;
    if (count > 0 && count + length > BATCH_TOKENS) {
      yield batch;
      [batch, count] = [[], 0];
    }
    batch.push(at);
    count += length;
  }
  if (batch.length > 0) yield batch;
}

/**
 * spaCy's English tagger and dependency parser (en_core_web_sm 3.8.0) in JavaScript: the same tokenizer rules, the same
 * weights, the same moves. Sentences of a text are found by the parser; each has a root of its own.
 */
export class EnglishParser implements DependencyParser {
  /** "perturbql-parser v1". */
  readonly name: string;
  /** sha256 over its files. */
  readonly fingerprint: string;
  readonly #tokenizer: EnglishTokenizer;
  readonly #words: WordRows;
  readonly #networks: ParserNetworks;
  readonly #chooser: MoveChooser;
  readonly #tags: readonly string[];

  private constructor(files: ParserFiles, networks: ParserNetworks) {
    this.name = files.name;
    this.fingerprint = files.fingerprint;
    this.#tokenizer = new EnglishTokenizer(files.language.tokenizer);
    this.#words = new WordRows(files.language);
    this.#chooser = new MoveChooser(files.language.moves);
    this.#tags = files.language.tags;
    this.#networks = networks;
  }

  /** @throws ModelFileError when the folder holds no parser model, or not the one its manifest describes */
  static async open(folder = embeddedParserFolder()): Promise<EnglishParser> {
    const files = readParserFiles(folder);
    return new EnglishParser(files, await ParserNetworks.open(files));
  }

  /** @inheritdoc */
  async parse(questions: readonly string[]): Promise<readonly (readonly DependencyToken[])[]> {
    const texts = questions.map((question) => this.#tokenizer.tokenize(question));
    const parsed: (readonly DependencyToken[])[] = texts.map(() => []);
    for (const batch of batchesOf(texts)) {
      const trees = await this.#parseBatch(batch.map((at) => itemAt(texts, at)));
      batch.forEach((at, i) => (parsed[at] = itemAt(trees, i)));
    }
    return parsed;
  }

  /** Frees the network. */
  async close(): Promise<void> {
    await this.#networks.close();
  }

  async #parseBatch(texts: readonly Tokens[]): Promise<readonly (readonly DependencyToken[])[]> {
    const read = await this.#networks.read(texts);
    const parsed = await this.#chooser.parse(
      this.#networks,
      read,
      texts.map(({ length }) => length),
    );
    let end = 0;
    return texts.map((tokens, at) => {
      end += tokens.length;
      return this.#treeOf(tokens, itemAt(parsed, at), read.tags.subarray(end - tokens.length, end));
    });
  }

  #treeOf(tokens: Tokens, { heads, labels }: Heads, tags: Int32Array): readonly DependencyToken[] {
    const isWhite = (at: number): boolean => itemAt(tokens, at).isWhite;
    const arcs = tokens.map((_, at): Arc => {
      const head = itemAt(heads, at);
      return head < 0 ? { head: at, label: 'ROOT' } : { head, label: itemAt(labels, at) };
    });
    restoreLifted(arcs, isWhite);
    return withoutWhite(tokens, arcs, (token, at) => ({
      text: token.text,
      start: token.start,
      end: token.start + token.text.length,
      ...this.#normOf(token),
      tag: this.#tags[itemAt(tags, at)] ?? '',
    }));
  }

  #normOf(token: RawToken): { readonly norm?: string } {
    const norm = this.#words.normOf(token);
    return norm === token.text.toLowerCase() ? {} : { norm };
  }
}

/** Leaves out white space; what depends on it depends on its head, or becomes a root. */
function withoutWhite(
  tokens: Tokens,
  arcs: readonly Arc[],
  describe: (token: RawToken, at: number) => Omit<DependencyToken, 'head' | 'label'>,
): readonly DependencyToken[] {
  const kept = [...tokens.keys()].filter((at) => !itemAt(tokens, at).isWhite);
  const position = new Map(kept.map((at, i) => [at, i]));
  const visibleHead = (at: number): number => {
    const { head } = itemAt(arcs, at);
    return head !== at && itemAt(tokens, head).isWhite ? visibleHead(head) : head;
  };
  return kept.map((at, i): DependencyToken => {
    const head = position.get(visibleHead(at)) ?? i;
    const label = head === i ? 'ROOT' : itemAt(arcs, at).label;
    return { ...describe(itemAt(tokens, at), at), head, label };
  });
}
