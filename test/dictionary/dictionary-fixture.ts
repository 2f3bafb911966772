import { createHash } from 'node:crypto';
import { Inflector } from '../../src/dictionary/inflection.js';
import { NounKinds } from '../../src/dictionary/noun-kinds.js';
import { ReplacementPlanner } from '../../src/dictionary/replacement-plan.js';
import { SchemaThesaurus } from '../../src/dictionary/schema-thesaurus.js';
import {
  CompositeDictionary,
  type Synonym,
  type SynonymDictionary,
  type SynonymHint,
} from '../../src/dictionary/synonym-dictionary.js';
import { WordNetDictionary, type Similarity } from '../../src/dictionary/wordnet-dictionary.js';
import { WordNet, wordnetFolder } from '../../src/dictionary/wordnet-reader.js';
import type { ColumnType } from '../../src/schema/schema.js';
import type { Rng, StageContext, TargetTable } from '../../src/stage.js';

/** The real WordNet; loading costs some 50 ms. */
export const wordnet = WordNet.load(wordnetFolder());
export const inflector = new Inflector(wordnet);

/** A stream of random numbers made from a text. */
function rngFrom(text: string): Rng {
  let state = createHash('sha256').update(text).digest().readUInt32LE(0);
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return { next, int: (bound) => Math.floor(next() * bound) };
}

/** A context that also notes the ids whose random streams were asked for. */
export function createContext(seed = 1, signal = new AbortController().signal): StageContext & { asked: string[] } {
  const asked: string[] = [];
  const rngFor = (id: string): Rng => {
    asked.push(id);
    return rngFrom(`${seed}:${id}`);
  };
  return { signal, asked, rngFor, emit: () => {} };
}

export function createTarget(table: string, names: readonly string[], type: ColumnType = 'number'): TargetTable {
  const columns = names.map((name) => ({ name, originalName: name.replaceAll(' ', '_'), type }));
  return {
    dbId: 'db',
    table: { name: table, originalName: table, columns },
    questions: [],
    values: names.map(() => []),
  };
}

/** A dictionary of a few entries; "(none)" as the only synonym makes a known term without synonyms. */
export class StubDictionary implements SynonymDictionary {
  readonly id = 'stub';
  readonly fingerprint = 'stub';
  readonly asked: { word: string; hint: SynonymHint | undefined }[] = [];
  readonly #entries: Readonly<Record<string, readonly string[]>>;

  constructor(entries: Readonly<Record<string, readonly string[]>>) {
    this.#entries = entries;
  }

  async synonyms(word: string, hint?: SynonymHint): Promise<readonly Synonym[] | null> {
    this.asked.push({ word, hint });
    const found = this.#entries[word];
    if (found === undefined) return null;
    const pos = hint?.pos ?? 'noun';
    return found.filter((text) => text !== '(none)').map((text) => ({ text, pos, inflected: false }));
  }
}

/** A planner over the given dictionary; default: thesaurus and WordNet, as shipped. */
export function createPlanner(dictionary?: SynonymDictionary, similarity?: Similarity): ReplacementPlanner {
  const kinds = new NounKinds(wordnet);
  const shipped = (): SynonymDictionary =>
    new CompositeDictionary([
      new SchemaThesaurus(),
      new WordNetDictionary(wordnet, similarity === undefined ? {} : { similarity }),
    ]);
  return new ReplacementPlanner({
    dictionary: dictionary ?? shipped(),
    lexicon: wordnet,
    inflector,
    isKind: (noun, kind) => kinds.is(noun, kind),
  });
}
