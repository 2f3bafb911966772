import { z } from 'zod';
import { DownloadError } from '../../../errors.js';
import { HttpClient } from '../../../http/http-client.js';
import { parseUrl, shownUrl } from '../../../http/http-url.js';
import { withoutKeys } from '../../../http/secret-mask.js';
import { rangeByName } from '../../../rows/values/number-values.js';
import { columnNameKey } from '../../../schema/name-identity.js';
import type { StageContext } from '../../../stage.js';
import type { AskedTable, PossibleColumn, PossibleColumns } from './column-insertion.js';

/** Edges of one word that are asked for. */
const EDGES = 100;
/** Weight from which an edge counts ("high-weight", MT-TEQL §3.2): in ConceptNet one statement weighs 1. */
const LEAST_WEIGHT = 2;
/** Words of a part's name, at most: longer ones are sentences. */
const MOST_WORDS = 3;

const term = z.object({ label: z.string(), language: z.string().optional() });
const answer = z.object({ edges: z.array(z.object({ end: term, weight: z.number() })) });

const FIX =
  'Name the root of a ConceptNet-like service: it must answer /query?start=/c/en/WORD&rel=/r/HasA with edges.';

export interface KnowledgeGraphOptions {
  /** Root of the service: "https://graph.example.com". */
  readonly url: string;
  readonly leastWeight?: number;
  /** First pause before another try, in milliseconds. */
  readonly pauseMs?: number;
}

/** A part's name without what is before nouns: "four wheels" → "wheels", "an engine" → "engine". */
function partName(label: string): string {
  const words = label.toLowerCase().trim().split(/\s+/);
  const counted = /^(?:an?|the|its|his|her|their|some|many|several|one|two|three|four|five|\d+)$/;
  const from = words.findIndex((word) => !counted.test(word));
  return from === -1 ? '' : words.slice(from).join(' ');
}

function isName(name: string): boolean {
  return /^[\p{L}\p{N}][\p{L}\p{N} '-]*$/u.test(name) && name.split(' ').length <= MOST_WORDS;
}

/**
 * A knowledge graph that says what a thing has, as ConceptNet does: `GET /query?start=/c/en/car&rel=/r/HasA`. Each word is
 * asked once; heavy edges only, the heaviest first.
 */
export class KnowledgeGraph implements PossibleColumns {
  readonly fingerprint: string;
  readonly #url: string;
  readonly #leastWeight: number;
  readonly #client: HttpClient;
  readonly #known = new Map<string, Promise<readonly PossibleColumn[]>>();

  /** @throws ConfigError when the address is none */
  constructor({ url, leastWeight = LEAST_WEIGHT, pauseMs }: KnowledgeGraphOptions) {
    parseUrl(url, 'the address of the knowledge graph', FIX);
    this.#url = url.replace(/\/+$/, '');
    this.#leastWeight = leastWeight;
    this.#client = new HttpClient(pauseMs === undefined ? {} : { pauseMs });
    this.fingerprint = `graph: ${withoutKeys(this.#url)}, weight ≥ ${leastWeight}`;
  }

  /** @throws DownloadError when the service keeps failing, refuses, or answers in another format */
  async of({ table }: AskedTable, context: StageContext): Promise<readonly PossibleColumn[]> {
    const phrase = columnNameKey(table.name);
    const found = await this.#partsOf(phrase, context);
    const head = phrase.split(' ').at(-1) ?? phrase;
    return found.length > 0 || head === phrase ? found : this.#partsOf(head, context);
  }

  #partsOf(word: string, context: StageContext): Promise<readonly PossibleColumn[]> {
    let parts = this.#known.get(word);
    if (parts === undefined) {
      this.#known.set(word, (parts = this.#ask(word, context)));
      parts.catch(() => this.#known.delete(word));
    }
    return parts;
  }

  async #ask(word: string, { signal }: StageContext): Promise<readonly PossibleColumn[]> {
    const start = `/c/en/${encodeURIComponent(word.replaceAll(' ', '_'))}`;
    const url = `${this.#url}/query?start=${start}&rel=/r/HasA&limit=${EDGES}`;
    try {
      return this.#read((await this.#client.text(url, { signal })).json());
    } catch (error) {
      signal.throwIfAborted();
      const told = error instanceof DownloadError ? error.message : null;
      if (told === null && !(error instanceof z.ZodError || error instanceof SyntaxError)) throw error;
      const message = told ?? 'the knowledge graph answers in another format';
      throw new DownloadError(message, { where: { id: shownUrl(url) }, fix: FIX, cause: error });
    }
  }

  #read(json: unknown): readonly PossibleColumn[] {
    const heavy = answer.parse(json).edges.filter(({ weight }) => weight >= this.#leastWeight);
    const english = heavy.filter(({ end }) => (end.language ?? 'en') === 'en').sort((a, b) => b.weight - a.weight);
    const names = english.map(({ end }) => partName(end.label)).filter(isName);
    return [...new Set(names)].map((name) => ({ name, type: rangeByName(name) === null ? 'text' : 'number' }));
  }
}
