import type { TextEmbedder } from '../retriever/text-embedder.js';
import { tableText } from '../retriever/table-context.js';
import { columnNameKey, spacedName, wordsOf } from '../schema/name-identity.js';
import type { ColumnType, Table } from '../schema/schema.js';
import { type Candidate, type CandidateSource, type StageContext, targetColumn, type TargetColumn } from '../stage.js';
import type { BankEntry, ColumnBank, NameCosines, TableCosines } from './column-bank.js';
import { itemAt, mustGet, zip } from '../present.js';

/** Last words that say too little of a name for what is listed of them to hold with other words before them. */
const BARE_HEADS = new Set(
  'id identifier code number no name type date time day amount status value total count text'.split(' '),
);
/** Words too small to be all that two names share, or exchange. */
const SMALL_WORDS = new Set('a an the of in on at by for to from with and or per is has'.split(' '));
/** Words that a name may exchange for an analogy: more change too much. */
const MOST_EXCHANGED = 2;

/**
 * First words of one name where another has others: "carapace width" → "plastron width" exchanges one word for another.
 */
export interface Exchange {
  readonly out: readonly string[];
  readonly in: readonly string[];
}

/**
 * Returns the words to exchange at the beginning of `known` to turn it into `name`, if both end in the same words; null
 * if they share no words of weight, or differ in more than two.
 */
export function exchangeOf(known: readonly string[], name: readonly string[]): Exchange | null {
  let end = 0;
  const shortest = Math.min(known.length, name.length);
  while (end < shortest && known[known.length - 1 - end] === name[name.length - 1 - end]) end++;
  const [out, into] = [known.slice(0, known.length - end), name.slice(0, name.length - end)];
  const shared = name.slice(name.length - end);
  if (
    shared.every((word) => SMALL_WORDS.has(word)) ||
    [out, into].some((words) => words.some((w) => SMALL_WORDS.has(w)))
  )
    return null;
  return [out, into].every(({ length }) => length > 0 && length <= MOST_EXCHANGED) ? { out, in: into } : null;
}

/** A name after an exchange; null where it has nothing to exchange, or would say a word twice. */
export function applyExchange({ out, in: into }: Exchange, name: string): string | null {
  const words = name.split(' ');
  const at = words.findIndex((_, i) => out.every((word, o) => words[i + o] === word));
  if (at === -1) return null;
  const turned = [...words.slice(0, at), ...into, ...words.slice(at + out.length)];
  return new Set(turned).size === turned.length ? turned.join(' ') : null;
}

/** A name's last words, with the first ones that stand before them. */
export interface NameParts {
  readonly before: string;
  readonly rest: string;
}

/**
 * Ways to part a name so that its last words say enough alone: "initial | dose", "rendering | provider id", but not
 * "start | date".
 */
export function partsOf(words: readonly string[]): readonly NameParts[] {
  if (words.some((word) => SMALL_WORDS.has(word))) return [];
  return words
    .map((_, start) => ({ before: words.slice(0, start).join(' '), rest: words.slice(start).join(' ') }))
    .filter(({ before, rest }) => before !== '' && !BARE_HEADS.has(rest));
}

/** Checks whether a name can stand behind a modifier: "draw time", but not "date of start" or "is active". */
export function takesModifier(name: string): boolean {
  return !name.split(' ').some((word) => SMALL_WORDS.has(word)) && !/(?:ed|en)$/.test(name);
}

const TIME =
  /\b(?:date|time|timestamp|year|month|day|deadline|birthday|since|on|at)$|^(?:date|time|year) (?:of|when)\b/;
const NUMBER =
  /\b(?:count|number of|amount|quantity|price|cost|fee|charge|total|sum|rate|ratio|percent|percentage|share|score|age|weight|height|length|width|depth|distance|area|volume|size|speed|temperature|pressure|duration|hours|minutes|seconds|days|weeks|months|years|capacity|balance|salary|revenue|value|level|index|average|mean|median|maximum|minimum|dose|concentration|limit|frequency|radius|diameter|thickness|density|rank|points|units|population|latitude|longitude|elevation|altitude|budget|interest|tax|discount|margin|sequence|quantity)$|^(?:number|count|total|sum) of\b/;
const FLAG =
  /^(?:is|has|was|can|requires|allows|needs)\b|\b(?:flag|indicator|required|allowed|enabled|given|approved|verified|signed|completed|waived)$/;

/** Returns the type of values to expect in a column of that name, if nothing but its name is known. */
function typeOfName(name: string): ColumnType {
  if (FLAG.test(name)) return 'boolean';
  if (TIME.test(name)) return 'time';
  return NUMBER.test(name) ? 'number' : 'text';
}

/** Cosine of two names' word vectors, -1 to 1, null where either has none. */
type Similarity = (a: string, b: string) => number | null;

/** Names looked at around a column, and entries used of those that say it. */
const NEAR_NAMES = 60;
const SAYING_ENTRIES = 6;
/** A table of the bank this much farther than the nearest that has the column is of another domain. */
const DOMAIN_SPAN = 0.2;
/** Below this cosine, what a table has under a common name ("date") belongs to its own rows. */
const LEAST_DOMAIN = 0.25;
/**
 * From this cosine of tables on, what the bank lists for a column of that name is taken as listed for the target: of
 * what was found in such tables readers rejected 10 %, below it a third.
 */
const LISTED_DOMAIN = 0.65;
/** Cosine from which on another name may say the same column, which the judge then decides. */
const SAME_COSINE = 0.8;
/**
 * Cosine from which on a name is of the column's topic, and analogies hold: "reorder level" is like no "hierarchy
 * level".
 */
const TOPIC_COSINE = 0.5;

/** Tables nearest to the target's that are looked through for columns near to its own, and how near these must be. */
const NEAR_TABLES = 4;
const NEIGHBOR_COSINE = 0.4;

interface Proposal {
  readonly name: string;
  readonly bucket: 'RPL' | 'ADD';
  readonly rank: number;
  readonly isListed: boolean;
  readonly isNextTo: boolean;
  readonly entry: BankEntry;
}

/** An entry, and how near its table is to the target's. */
interface Found {
  readonly entry: BankEntry;
  /** Cosine of both tables. */
  readonly domain: number;
}

export interface BankSourceParts {
  readonly bank: ColumnBank;
  readonly embedder: TextEmbedder;
  readonly similarity: Similarity;
  /** Names proposed per column for each bucket. */
  readonly keep: number;
}

/**
 * Names from the project's bank of columns, beyond ADVETA: what replaces a column that says the same, what is listed
 * next to it, and by analogy what is listed of columns that share words with it ("plastron breadth" for "plastron
 * width", as "carapace breadth" replaces "carapace width"). Of several columns of one name those count whose table is
 * nearest.
 */
export class BankSource implements CandidateSource {
  readonly id = 'bank';
  readonly fingerprint: string;
  readonly #parts: BankSourceParts;

  constructor(parts: BankSourceParts) {
    this.#parts = parts;
    this.fingerprint = `bank-source-1:${parts.keep}:${parts.bank.fingerprint}:${parts.embedder.fingerprint}`;
  }

  async propose(columns: readonly TargetColumn[], context: StageContext): Promise<readonly (readonly Candidate[])[]> {
    const { bank, embedder } = this.#parts;
    const targets = [...new Set(columns.map(({ target }) => target))];
    const names = columns.map((column) => spacedName(targetColumn(column).name));
    const texts = targets.map(({ dbId, table }) => tableText(dbId, table.name, table.columns));
    const [ofTables, ofNames] = await Promise.all([
      embedder.embed(texts, context.signal),
      embedder.embed(names, context.signal),
    ]);
    const domains = new Map(zip(targets, ofTables).map(([target, vector]) => [target, bank.tableCosines(vector)]));
    return zip(columns, zip(names, ofNames)).map(([{ target }, [name, vector]]) => {
      const domain = mustGet(domains.get(target), 'the domain of a table');
      return this.#candidates(new ColumnSearch(bank, target.table, name, vector, domain), name, target.table);
    });
  }

  #candidates(search: ColumnSearch, name: string, table: Table): readonly Candidate[] {
    const { keep, similarity } = this.#parts;
    const taken = new Set(table.columns.map((column) => columnNameKey(column.name)));
    const best = new Map<string, Proposal>();
    for (const proposal of search.proposals()) {
      const key = `${proposal.bucket} ${columnNameKey(proposal.name)}`;
      const known = best.get(key);
      if (taken.has(columnNameKey(proposal.name))) continue;
      if (known === undefined || proposal.rank > known.rank) best.set(key, proposal);
    }
    const ranked = [...best.values()].sort((a, b) => b.rank - a.rank || (a.name < b.name ? -1 : 1));
    const replacing = ranked.filter(({ bucket }) => bucket === 'RPL').slice(0, keep);
    const names = new Set(replacing.map((one) => columnNameKey(one.name)));
    const added = ranked.filter((one) => one.bucket === 'ADD' && !names.has(columnNameKey(one.name))).slice(0, keep);
    return [...replacing, ...added].map((one) =>
      candidateOf(one, similarity(one.name, name), search.domainOf(one.entry)),
    );
  }
}

function candidateOf(proposal: Proposal, similarity: number | null, domain: number): Candidate {
  const { name, bucket, isListed, isNextTo, entry } = proposal;
  const [title = ''] = entry.table.entities;
  const type: ColumnType = typeOfName(name);
  const origin = { table: `bank/${entry.table.field || title}`, title, column: entry.name, type, score: domain };
  const listed = isListed ? ({ listedFor: 'column' } as const) : {};
  const candidate = { name, source: 'bank', origin, similarity, proposedFor: bucket, ...listed } as const;
  return bucket === 'RPL' ? candidate : { ...candidate, isNextTo };
}

/** A search of the bank for one column. */
class ColumnSearch {
  readonly #bank: ColumnBank;
  readonly #table: Table;
  readonly #name: string;
  readonly #names: NameCosines;
  readonly #domains: TableCosines;

  constructor(bank: ColumnBank, table: Table, name: string, vector: Float32Array, domains: TableCosines) {
    this.#bank = bank;
    this.#table = table;
    this.#name = name;
    this.#names = bank.nameCosines(vector);
    this.#domains = domains;
  }

  /** Cosine of an entry's table with the target's. */
  domainOf(entry: BankEntry): number {
    return this.#domains.of(entry.at);
  }

  *proposals(): Generator<Proposal> {
    for (const found of this.#saying()) yield* this.#fromSame(found);
    const words = wordsOf(this.#name);
    for (const { name, cosine } of this.#names.nearest(NEAR_NAMES)) {
      if (name === this.#name) continue;
      const exchange = exchangeOf(wordsOf(name), words);
      for (const found of this.#called(name).slice(0, 3)) yield* this.#fromNear(found, cosine, exchange);
    }
    yield* this.#fromParts(words);
    yield* this.#fromNearTables();
  }

  /** Columns near to the target's in the tables nearest to its own, and what is listed next to the nearest of them. */
  *#fromNearTables(): Generator<Proposal> {
    for (const at of this.#domains.nearest(NEAR_TABLES)) {
      const table = itemAt(this.#bank.tables, at);
      for (const column of table.columns) {
        const cosine = this.#names.of(column.name);
        if (cosine < NEIGHBOR_COSINE || column.name === this.#name) continue;
        const entry = { ...column, table, at };
        const common = { bucket: 'ADD', isListed: false, isNextTo: true, entry } as const;
        const rank = cosine + this.#domains.of(at);
        yield { ...common, name: column.name, rank };
        if (cosine < TOPIC_COSINE) continue;
        for (const name of column.additions) yield { ...common, name, rank: rank - 0.1 };
      }
    }
  }

  /** Columns of the bank that are called so, or that the name replaces, in the nearest tables. */
  #saying(): readonly Found[] {
    const keys = new Set([this.#name, columnNameKey(this.#name)]);
    return this.#nearest([...keys].flatMap((key) => this.#bank.entriesOf(key)));
  }

  /** Columns of the bank that are called so, in the nearest tables. */
  #called(name: string): readonly Found[] {
    return this.#nearest(this.#bank.entriesOf(name).filter((entry) => entry.name === name));
  }

  #nearest(entries: readonly BankEntry[]): readonly Found[] {
    const found = [...new Set(entries)].map((entry) => ({ entry, domain: this.domainOf(entry) }));
    found.sort((a, b) => b.domain - a.domain);
    const least = Math.max(LEAST_DOMAIN, (found[0]?.domain ?? 0) - DOMAIN_SPAN);
    return found.filter(({ domain }) => domain >= least).slice(0, SAYING_ENTRIES);
  }

  *#fromSame({ entry, domain }: Found): Generator<Proposal> {
    const isOwn = entry.name === this.#name;
    const isListed = isOwn && domain >= LISTED_DOMAIN;
    for (const name of [entry.name, ...entry.replacements]) {
      const told = this.#ofOwnEntity(name, entry);
      if (told !== null)
        yield { name: told, bucket: 'RPL', rank: 2 + domain + (isOwn ? 0.3 : 0), isListed, isNextTo: false, entry };
    }
    for (const name of entry.additions)
      yield { name, bucket: 'ADD', rank: 2 + domain, isListed, isNextTo: true, entry };
    for (const { name } of entry.table.columns)
      yield { name, bucket: 'ADD', rank: domain, isListed: false, isNextTo: false, entry };
  }

  *#fromNear({ entry, domain }: Found, cosine: number, exchange: Exchange | null): Generator<Proposal> {
    const common = { isListed: false, entry };
    if (cosine >= SAME_COSINE) {
      for (const name of [entry.name, ...entry.replacements])
        if (this.#ofOwnEntity(name, entry) === name)
          yield { ...common, name, bucket: 'RPL', rank: cosine + domain, isNextTo: false };
    }
    if (exchange !== null && cosine >= TOPIC_COSINE && domain >= LEAST_DOMAIN) {
      for (const name of entry.replacements) {
        const turned = applyExchange(exchange, name);
        if (turned !== null)
          yield { ...common, name: turned, bucket: 'RPL', rank: 1 + cosine + domain, isNextTo: false };
      }
      for (const name of entry.additions) {
        const turned = applyExchange(exchange, name);
        if (turned !== null)
          yield { ...common, name: turned, bucket: 'ADD', rank: 1 + cosine + domain, isNextTo: true };
      }
    }
    if (cosine < TOPIC_COSINE) return;
    yield { ...common, name: entry.name, bucket: 'ADD', rank: cosine + domain, isNextTo: true };
    for (const name of entry.additions)
      yield { ...common, name, bucket: 'ADD', rank: cosine + domain - 0.2, isNextTo: cosine >= SAME_COSINE };
  }

  /** Proposes names listed for the last words of the name, after the words before these: "initial dose" as "dose". */
  *#fromParts(words: readonly string[]): Generator<Proposal> {
    for (const { before, rest } of partsOf(words)) {
      for (const { entry, domain } of this.#called(rest)) {
        const common = { isListed: false, entry, rank: 0.7 + domain };
        for (const name of entry.replacements.filter(takesModifier))
          yield { ...common, name: `${before} ${name}`, bucket: 'RPL', isNextTo: false };
        for (const name of entry.additions.filter(takesModifier))
          yield { ...common, name: `${before} ${name}`, bucket: 'ADD', isNextTo: true };
      }
    }
  }

  /**
   * A name that says what the rows of its own table are ("sample volume" for a volume) says what the target's are
   * instead; null where it can't be told so.
   */
  #ofOwnEntity(name: string, entry: BankEntry): string | null {
    const own = new Set(entry.name.split(' '));
    const words = name.split(' ');
    const entity = entry.table.entities.flatMap((one) => one.split(' ')).filter((word) => !own.has(word));
    const said = words.filter((word) => entity.includes(word));
    const target = wordsOf(columnNameKey(this.#table.name));
    if (said.every((word) => target.includes(word))) return name;
    const [instead = '', ...more] = target;
    if (said.length > 1 || more.length > 0 || words.length === 1) return null;
    const told = words.map((word) => (word === said[0] ? instead : word));
    return new Set(told).size === told.length ? told.join(' ') : null;
  }
}
