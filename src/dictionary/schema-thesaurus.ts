import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { PartOfSpeech } from './morphology.js';
import type { Synonym, SynonymDictionary, SynonymHint, WordPosition } from './synonym-dictionary.js';
import { packagePath } from '../package-path.js';

/** One meaning of a looked-up term: where it holds and what can stand for it. */
interface ThesaurusEntry {
  readonly pos: PartOfSpeech;
  readonly where: WordPosition | null;
  /** Words of its domain, one of which must be in the term's company; null where it holds in any. */
  readonly domain: ReadonlySet<string> | null;
  /** Whether the term is listed in the form in which it occurs in names ("founded"), not in its base form. */
  readonly surface: boolean;
  readonly members: readonly string[];
}

interface GroupSource {
  /** Its files in `data/thesaurus` are `FILE.txt` and `FILE-DOMAIN.txt`; the README there says how groups are written. */
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

function parseGroup(line: string, source: GroupSource, domains: Domains): [string, ThesaurusEntry][] {
  const [, prefix, named, body = ''] = /^(?:(whole|head|modifier)?(?: ?@([a-z-]+))?: )?(.*)$/.exec(line) ?? [];
  const where = (prefix as WordPosition | undefined) ?? source.where;
  const domain = named === undefined ? null : (domains.get(named) ?? new Set<string>());
  const members = splitMembers(body);
  const proposed = members.filter((member) => !member.startsWith('<')).map((member) => member.replace(/^>/, ''));
  return members
    .filter((member) => !member.startsWith('>'))
    .map((member): [string, ThesaurusEntry] => {
      const term = member.replace(/^</, '');
      const others = proposed.filter((other) => other !== term);
      return [term, { pos: source.pos, where, domain, surface: source.surface, members: others }];
    })
    .filter(([, entry]) => entry.members.length > 0); // "<dname | department name" says nothing of department names
}

/** The text of a source's files, those of domains in the order of their names. */
function readSource(file: string): string {
  const names = readdirSync(packagePath('data/thesaurus')).sort();
  const own = names.filter((name) => name === `${file}.txt` || name.startsWith(`${file}-`));
  return own.map((name) => readFileSync(packagePath(`data/thesaurus/${name}`), 'utf8')).join('');
}

function parseSource(source: GroupSource, text: string, domains: Domains): [string, ThesaurusEntry][] {
  if (source.plain) {
    const { pos, where, surface } = source;
    return splitMembers(text).map((term) => [term, { pos, where, domain: null, surface, members: [] }]);
  }
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .flatMap((line) => parseGroup(line, source, domains));
}

function holdsAt(where: WordPosition | null, position: WordPosition | undefined): boolean {
  if (where === null || position === undefined || where === position) return true;
  return where === 'head' && position === 'whole';
}

/** Whether a term's company is of the entry's domain. */
function isAmong(domain: ReadonlySet<string> | null, company: readonly string[] | undefined): boolean {
  if (domain === null || company === undefined) return true;
  return company.some((word) => domain.has(word) || domain.has(word.replace(/s$/, '')));
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
    const domainText = readSource('domains');
    hash.update(domainText);
    const domains = parseDomains(domainText);
    for (const source of SOURCES) {
      const text = readSource(source.file);
      hash.update(text);
      for (const [term, entry] of parseSource(source, text, domains))
        this.#entries.set(term, [...(this.#entries.get(term) ?? []), entry]);
    }
    const terms = [...this.#entries].flatMap(([term, entries]) => [term, ...entries.flatMap((entry) => entry.members)]);
    this.#words = new Set(terms.flatMap((term) => term.split(/[ -]/)));
    this.fingerprint = `schema-thesaurus-2:${hash.digest('hex').slice(0, 16)}`;
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
    return (this.#entries.get(term) ?? []).filter(
      (entry) => holdsAt(entry.where, hint.position) && isAmong(entry.domain, hint.company),
    );
  }
}
