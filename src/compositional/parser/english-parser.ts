import { itemAt, zip } from '../../present.js';
import { EnglishTokenizer, type RawToken } from './english-tokenizer.js';
import { embeddedParserFolder, readParserFiles, type ParserFiles } from './model-files.js';
import { type Heads, MoveChooser } from './move-chooser.js';
import { childrenByHead, type DependencyToken } from './parse.js';
import { ParserNetworks, WordRows } from './parser-networks.js';

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
  { head: lifted }: Arc,
  label: string,
  isWhite: (at: number) => boolean,
): number | null {
  const children = childrenByHead(arcs);
  const seen = new Set([child]);
  for (let level = [lifted]; level.length > 0;) {
    const next: number[] = [];
    for (const at of level.flatMap((head) => children.get(head) ?? [])) {
      if (seen.has(at) || isWhite(at)) continue;
      if (arcs[at]?.label === label) return at;
      seen.add(at);
      next.push(at);
    }
    level = next;
  }
  return null;
}

/**
 * Puts tokens back below the head that they were lifted from so that no arcs cross: "prep||nsubj" becomes "prep" below
 * the first "nsubj" below its head. Changes the list.
 */
function restoreLifted(arcs: Arc[], isWhite: (at: number) => boolean): void {
  for (const [child, arc] of arcs.entries()) {
    const [label = '', headLabel] = arc.label.split(LIFTED);
    if (headLabel === undefined) continue;
    arc.head = findBelow(arcs, child, arc, headLabel, isWhite) ?? arc.head;
    arc.label = label;
  }
}

/** Tokens read at once; more need more memory and gain nothing. */
const BATCH_TOKENS = 2048;

type Tokens = readonly RawToken[];

/** Batches of texts that are not empty. */
function* batchesOf(texts: readonly Tokens[]): Generator<readonly Tokens[]> {
  let batch: Tokens[] = [];
  let count = 0;
  for (const text of texts) {
    if (text.length === 0) continue;
    if (count > 0 && count + text.length > BATCH_TOKENS) {
      yield batch;
      [batch, count] = [[], 0];
    }
    batch.push(text);
    count += text.length;
  }
  if (batch.length > 0) yield batch;
}

/**
 * spaCy's English tagger and dependency parser (en_core_web_sm 3.8.0) in JavaScript: the same tokenizer rules, the same
 * weights, the same moves. Sentences of a text are found by the parser; each has a root of its own.
 */
export class EnglishParser {
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

  /** Tokens of each question, in order of questions and of text; white space is no token. */
  async parse(questions: readonly string[]): Promise<readonly (readonly DependencyToken[])[]> {
    const texts = questions.map((question) => this.#tokenizer.tokenize(question));
    const parsed = new Map<Tokens, readonly DependencyToken[]>();
    for (const batch of batchesOf(texts)) {
      for (const [text, tree] of zip(batch, await this.#parseBatch(batch))) parsed.set(text, tree);
    }
    return texts.map((text) => parsed.get(text) ?? []);
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
    return zip(texts, parsed).map(([tokens, heads]) => {
      end += tokens.length;
      return this.#treeOf(tokens, heads, read.tags.subarray(end - tokens.length, end));
    });
  }

  #treeOf(tokens: Tokens, { heads, labels }: Heads, tags: Int32Array): readonly DependencyToken[] {
    const isWhite = (at: number): boolean => itemAt(tokens, at).isWhite;
    const arcs = zip(heads, labels).map(([head, label], at): Arc =>
      head < 0 ? { head: at, label: 'ROOT' } : { head, label },
    );
    restoreLifted(arcs, isWhite);
    const readings = zip(tokens, tags).map(([token, tag]) => ({
      text: token.text,
      start: token.start,
      end: token.start + token.text.length,
      ...this.#normOf(token),
      tag: itemAt(this.#tags, tag),
    }));
    return withoutWhite(zip(readings, arcs), isWhite);
  }

  #normOf(token: RawToken): { readonly norm?: string } {
    const norm = this.#words.normOf(token);
    return norm === token.text.toLowerCase() ? {} : { norm };
  }
}

/** Leaves out white space; what depends on it depends on its head, or becomes a root. */
function withoutWhite(
  tokens: readonly (readonly [Omit<DependencyToken, 'head' | 'label'>, Arc])[],
  isWhite: (at: number) => boolean,
): readonly DependencyToken[] {
  const kept = [...tokens.entries()].filter(([at]) => !isWhite(at));
  const position = new Map(kept.map(([at], i) => [at, i]));
  const visibleHead = (at: number): number => {
    const head = tokens[at]?.[1].head ?? at;
    return head !== at && isWhite(head) ? visibleHead(head) : head;
  };
  return kept.map(([at, [token, arc]], i): DependencyToken => {
    const head = position.get(visibleHead(at)) ?? i;
    return { ...token, head, label: head === i ? 'ROOT' : arc.label };
  });
}
