import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { getOrMake } from '../present.js';
import type { PartOfSpeech } from './morphology.js';
import type { Synonym, SynonymDictionary, SynonymHint, WordPosition } from './synonym-dictionary.js';
import { packagePath } from '../package-path.js';

/** Terms that mean the same, and where they do. */
interface Group {
  readonly pos: PartOfSpeech;
  readonly where: WordPosition | null;
  /** Words of its domain, one of which must be in a term's context; null where it holds in any. */
  readonly domain: ReadonlySet<string> | null;
  /** True if terms are listed in the form in which they occur in names ("founded"), not in their base form. */
  readonly surface: boolean;
  /** Terms that can be looked up. */
  readonly terms: readonly string[];
  /** Terms that can stand for each other one. */
  readonly proposed: readonly string[];
}

interface GroupSource {
  /**
   * Its files in `data/thesaurus` are `FILE.txt` and `FILE-DOMAIN.txt`; the README there says how groups are written.
   */
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

type Domains = ReadonlyMap<string, ReadonlySet<string>>;

function parseDomains(text: string): Domains {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return new Map(
    lines.map((line) => line.split(': ')).map(([name = '', words = '']) => [name, new Set(words.split(' '))]),
  );
}

function parseGroup(line: string, source: GroupSource, domains: Domains): Group {
  const [, prefix, named, body = ''] = /^(?:(whole|head|modifier)?(?: ?@([a-z-]+))?: )?(.*)$/.exec(line) ?? [];
  const where = (prefix as WordPosition | undefined) ?? source.where;
  const domain = named === undefined ? null : (domains.get(named) ?? new Set<string>());
  const members = splitMembers(body);
  const proposed = members.filter((member) => !member.startsWith('<')).map((member) => member.replace(/^>/, ''));
  // "<dname | department name" says nothing of department names.
  const terms = members
    .filter((member) => !member.startsWith('>'))
    .map((member) => member.replace(/^</, ''))
    .filter((term) => proposed.some((other) => other !== term));
  return { pos: source.pos, where, domain, surface: source.surface, terms, proposed };
}

/** The text of a source's files, those of domains in the order of their names. */
function readSource(file: string): string {
  const names = readdirSync(packagePath('data/thesaurus')).sort();
  const own = names.filter((name) => name === `${file}.txt` || name.startsWith(`${file}-`));
  return own.map((name) => readFileSync(packagePath(`data/thesaurus/${name}`), 'utf8')).join('');
}

function parseSource(source: GroupSource, text: string, domains: Domains): readonly Group[] {
  if (source.plain) {
    const { pos, where, surface } = source;
    return [{ pos, where, domain: null, surface, terms: splitMembers(text), proposed: [] }];
  }
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => parseGroup(line, source, domains));
}

function holdsAt(where: WordPosition | null, position: WordPosition | undefined): boolean {
  if (where === null || position === undefined || where === position) return true;
  return where === 'head' && position === 'whole';
}

/** Checks whether a word of a domain is among those around a term. */
function isTold(domain: ReadonlySet<string>, context: readonly string[]): boolean {
  return context.some((word) => domain.has(word) || domain.has(word.replace(/s$/, '')));
}

/**
 * The project's own synonyms for database vocabulary, asked before a general dictionary: names, contact data, dates,
 * places, money, sports, travel. It also knows words that are better left alone ("name", "code").
 */
export class SchemaThesaurus implements SynonymDictionary {
  readonly id = 'schema-thesaurus';
  readonly fingerprint: string;
  readonly #words = new Set<string>();
  readonly #groups = new Map<string, Group[]>();

  constructor() {
    const hash = createHash('sha256');
    const domainText = readSource('domains');
    hash.update(domainText);
    const domains = parseDomains(domainText);
    for (const source of SOURCES) {
      const text = readSource(source.file);
      hash.update(text);
      for (const group of parseSource(source, text, domains)) this.#add(group);
    }
    this.fingerprint = `schema-thesaurus-2:${hash.digest('hex').slice(0, 16)}`;
  }

  /**
   * Checks whether a single word occurs in any term or synonym: such words are familiar in schemas, however rare in
   * prose.
   */
  hasWord(word: string): boolean {
    return this.#words.has(word);
  }

  async synonyms(word: string, hint: SynonymHint = {}): Promise<readonly Synonym[] | null> {
    const surface = hint.surface ?? word;
    const found = [
      ...this.#matches(surface, hint).filter((group) => group.surface),
      ...this.#matches(word, hint).filter(
        (group) => !group.surface && (hint.pos === undefined || hint.pos === group.pos),
      ),
    ];
    if (found.length === 0) return null;
    const synonyms = found.flatMap(({ pos, surface: inflected, proposed }) =>
      proposed
        .filter((text) => text !== (inflected ? surface : word))
        .map((text) => ({ text, pos, inflected, isListed: true })),
    );
    return synonyms.filter((synonym, i) => synonyms.findIndex((other) => other.text === synonym.text) === i);
  }

  #matches(term: string, hint: SynonymHint): readonly Group[] {
    return (this.#groups.get(term) ?? []).filter(
      ({ where, domain }) =>
        holdsAt(where, hint.position) && (domain === null || hint.ofAnyDomain || isTold(domain, hint.context ?? [])),
    );
  }

  #add(group: Group): void {
    for (const term of group.terms) {
      getOrMake(this.#groups, term, () => []).push(group);
    }
    for (const term of [...group.terms, ...group.proposed])
      for (const word of term.split(/[ -]/)) this.#words.add(word);
  }
}
