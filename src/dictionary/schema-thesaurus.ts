import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { PartOfSpeech } from './morphology.js';
import type { Synonym, SynonymDictionary, SynonymHint, WordPosition } from './synonym-dictionary.js';
import { packagePath } from '../package-path.js';

/** One meaning of a looked-up term: where it holds and what can stand for it. */
interface ThesaurusEntry {
  readonly pos: PartOfSpeech;
  readonly where: WordPosition | null;
  /** Whether the term is listed in the form in which it occurs in names ("founded"), not in its base form. */
  readonly surface: boolean;
  readonly members: readonly string[];
}

interface GroupSource {
  /** File in `data/thesaurus`, without `.txt`; its README says how groups are written. */
  readonly file: string;
  readonly pos: PartOfSpeech;
  readonly where: WordPosition | null;
  readonly surface: boolean;
  /** Each member is a group of its own, without synonyms. */
  readonly plain: boolean;
}

const SOURCES: readonly GroupSource[] = [
  { file: 'nouns', pos: 'noun', where: null, surface: false, plain: false },
  { file: 'modifiers', pos: 'adjective', where: 'modifier', surface: true, plain: false },
  { file: 'participles', pos: 'verb', where: null, surface: true, plain: false },
  { file: 'plain-nouns', pos: 'noun', where: null, surface: false, plain: true },
  { file: 'plain-modifiers', pos: 'adjective', where: 'modifier', surface: true, plain: true },
  { file: 'plain-participles', pos: 'verb', where: null, surface: true, plain: true },
  { file: 'phrases', pos: 'noun', where: null, surface: true, plain: false },
];

function splitMembers(text: string): string[] {
  return text
    .split('|')
    .map((member) => member.trim())
    .filter((member) => member !== '');
}

function parseGroup(line: string, source: GroupSource): [string, ThesaurusEntry][] {
  const [, prefix, body = ''] = /^(?:(whole|head|modifier): )?(.*)$/.exec(line) ?? [];
  const where = (prefix as WordPosition | undefined) ?? source.where;
  const members = splitMembers(body);
  const proposed = members.filter((member) => !member.startsWith('<')).map((member) => member.replace(/^>/, ''));
  return members
    .filter((member) => !member.startsWith('>'))
    .map((member) => {
      const term = member.replace(/^</, '');
      const others = proposed.filter((other) => other !== term);
      return [term, { pos: source.pos, where, surface: source.surface, members: others }];
    });
}

function readSource({ file }: GroupSource): string {
  // The empty line in front keeps the fingerprint of runs from before the groups had files of their own.
  return `\n${readFileSync(packagePath(`data/thesaurus/${file}.txt`), 'utf8')}`;
}

function parseSource(source: GroupSource, text: string): [string, ThesaurusEntry][] {
  if (source.plain) {
    const { pos, where, surface } = source;
    return splitMembers(text).map((term) => [term, { pos, where, surface, members: [] }]);
  }
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .flatMap((line) => parseGroup(line, source));
}

function holdsAt(where: WordPosition | null, position: WordPosition | undefined): boolean {
  if (where === null || position === undefined || where === position) return true;
  return where === 'head' && position === 'whole';
}

/**
 * The project's own synonyms for database vocabulary, asked before a general dictionary: names, contact data, dates,
 * places, money, sports, travel. It also knows words that are better left alone ("name", "code").
 */
export class SchemaThesaurus implements SynonymDictionary {
  readonly id = 'schema-thesaurus';
  readonly fingerprint: string;
  readonly #words: ReadonlySet<string>;
  readonly #entries = new Map<string, ThesaurusEntry[]>();

  constructor() {
    const hash = createHash('sha256');
    for (const source of SOURCES) {
      const text = readSource(source);
      hash.update(text);
      for (const [term, entry] of parseSource(source, text))
        this.#entries.set(term, [...(this.#entries.get(term) ?? []), entry]);
    }
    const terms = [...this.#entries].flatMap(([term, entries]) => [term, ...entries.flatMap((entry) => entry.members)]);
    this.#words = new Set(terms.flatMap((term) => term.split(/[ -]/)));
    this.fingerprint = `schema-thesaurus-1:${hash.digest('hex').slice(0, 16)}`;
  }

  /** Number of terms that can be looked up. */
  get size(): number {
    return this.#entries.size;
  }

  /** Whether a single word occurs in any term or synonym: such words are familiar in schemas, however rare in prose. */
  hasWord(word: string): boolean {
    return this.#words.has(word);
  }

  async synonyms(word: string, hint: SynonymHint = {}): Promise<readonly Synonym[] | null> {
    const surface = hint.surface ?? word;
    const found = [
      ...this.#matches(surface, hint).filter((entry) => entry.surface),
      ...this.#matches(word, hint).filter(
        (entry) => !entry.surface && (hint.pos === undefined || hint.pos === entry.pos),
      ),
    ];
    if (found.length === 0) return null;
    const synonyms = found.flatMap((entry) =>
      entry.members.map((text) => ({
        text,
        pos: entry.pos,
        senseRank: 0,
        senseFrequency: 0,
        inflected: entry.surface,
        isListed: true,
      })),
    );
    return synonyms.filter((synonym, i) => synonyms.findIndex((other) => other.text === synonym.text) === i);
  }

  #matches(term: string, hint: SynonymHint): readonly ThesaurusEntry[] {
    return (this.#entries.get(term) ?? []).filter((entry) => holdsAt(entry.where, hint.position));
  }
}
