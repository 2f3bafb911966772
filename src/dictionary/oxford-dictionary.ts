import { z } from 'zod';
import { DictionaryError } from '../errors.js';
import type { PartOfSpeech } from './morphology.js';
import type { Synonym, SynonymDictionary, SynonymHint } from './synonym-dictionary.js';

export interface OxfordSettings {
  readonly appId: string;
  readonly appKey: string;
  /** Root of the service, without "/api/v2". */
  readonly apiUrl?: string;
  /** Language of the thesaurus, as in the service's paths. */
  readonly language?: string;
  /** Senses of a word whose synonyms are taken, counted per part of speech. */
  readonly maxSenses?: number;
  /** Tries of one request, at least 1. */
  readonly maxAttempts?: number;
  /** Wait before the second try; doubled for each further one. */
  readonly backoffMs?: number;
  readonly timeoutMs?: number;
}

const DEFAULT_API_URL = 'https://od-api.oxforddictionaries.com';
const DEFAULT_MAX_SENSES = 2;
const DEFAULT_MAX_ATTEMPTS = 4;
const DEFAULT_BACKOFF_MS = 1_000;
const DEFAULT_TIMEOUT_MS = 15_000;
const MAX_WAIT_MS = 60_000;

const synonymList = z.array(z.object({ text: z.string() })).optional();
const subsense = z.object({ synonyms: synonymList });
const sense = z.object({ synonyms: synonymList, subsenses: z.array(subsense).optional() });
const lexicalEntry = z.object({
  lexicalCategory: z.object({ id: z.string() }).optional(),
  entries: z.array(z.object({ senses: z.array(sense).optional() })).optional(),
});
const thesaurusAnswer = z.object({
  results: z.array(z.object({ lexicalEntries: z.array(lexicalEntry).optional() })),
});
type ThesaurusAnswer = z.infer<typeof thesaurusAnswer>;

const POS_BY_CATEGORY: Readonly<Record<string, PartOfSpeech>> = {
  noun: 'noun',
  verb: 'verb',
  adjective: 'adjective',
  adverb: 'adverb',
};

/**
 * Settings from OXFORD_APP_ID, OXFORD_APP_KEY and, optionally, OXFORD_API_URL.
 *
 * @throws DictionaryError when id or key is not set.
 */
export function oxfordSettingsFrom(env: Readonly<Record<string, string | undefined>>): OxfordSettings {
  const appId = env['OXFORD_APP_ID'] ?? '';
  const appKey = env['OXFORD_APP_KEY'] ?? '';
  if (appId === '' || appKey === '')
    throw new DictionaryError('no key for the Oxford Dictionaries API', { fix: KEYS_FIX });
  const apiUrl = env['OXFORD_API_URL'] ?? '';
  return apiUrl === '' ? { appId, appKey } : { appId, appKey, apiUrl };
}

const KEYS_FIX =
  'Set OXFORD_APP_ID and OXFORD_APP_KEY to the credentials of your account, or use the wordnet dictionary.';
const RETRY_FIX = 'Try again later (nothing is lost: the same command resumes), or use the wordnet dictionary.';

/** One request's outcome: a final answer, or a fault that another try may mend. */
type Attempt = { readonly answer: ThesaurusAnswer | null } | { readonly fault: string; readonly waitMs: number | null };

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Milliseconds of a Retry-After header in seconds; null when absent or a date. */
function retryAfterMs(response: Response): number | null {
  const seconds = Number(response.headers.get('retry-after') ?? NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? Math.min(seconds * 1_000, MAX_WAIT_MS) : null;
}

function toSynonyms(answer: ThesaurusAnswer, maxSenses: number): readonly Synonym[] {
  const counts = new Map<PartOfSpeech, number>();
  const lexicalEntries = answer.results.flatMap((result) => result.lexicalEntries ?? []);
  return lexicalEntries.flatMap((entry) => {
    const pos = POS_BY_CATEGORY[entry.lexicalCategory?.id ?? ''];
    if (pos === undefined) return [];
    return (entry.entries ?? [])
      .flatMap((part) => part.senses ?? [])
      .flatMap((item) => {
        const senseRank = counts.get(pos) ?? 0;
        counts.set(pos, senseRank + 1);
        if (senseRank >= maxSenses) return [];
        const listed = [...(item.synonyms ?? []), ...(item.subsenses ?? []).flatMap((sub) => sub.synonyms ?? [])];
        return listed.map(({ text }) => ({ text, pos, senseRank, senseFrequency: 0, inflected: false }));
      });
  });
}

/**
 * Synonyms from the Oxford Dictionaries API v2 (`GET /api/v2/thesaurus/{lang}/{word}`), the paper's dictionary. Answers
 * are kept in memory, failures are not; a word costs at most one request.
 */
export class OxfordDictionary implements SynonymDictionary {
  readonly id = 'oxford';
  readonly fingerprint: string;
  readonly #settings: Required<OxfordSettings>;
  readonly #cache = new Map<string, Promise<readonly Synonym[] | null>>();

  constructor(settings: OxfordSettings) {
    this.#settings = {
      apiUrl: DEFAULT_API_URL,
      language: 'en',
      maxSenses: DEFAULT_MAX_SENSES,
      maxAttempts: DEFAULT_MAX_ATTEMPTS,
      backoffMs: DEFAULT_BACKOFF_MS,
      timeoutMs: DEFAULT_TIMEOUT_MS,
      ...settings,
    };
    const { apiUrl, language, maxSenses } = this.#settings;
    this.fingerprint = `oxford-2:${apiUrl},${language},senses=${maxSenses}`;
  }

  /**
   * The dictionary with its settings from the environment: see {@link oxfordSettingsFrom}.
   *
   * @throws DictionaryError when id or key is not set.
   */
  static fromEnvironment(env: Readonly<Record<string, string | undefined>>): OxfordDictionary {
    return new OxfordDictionary(oxfordSettingsFrom(env));
  }

  /** @throws DictionaryError when the service refuses the key, keeps failing, or answers in another format. */
  async synonyms(word: string, hint: SynonymHint = {}): Promise<readonly Synonym[] | null> {
    const key = word.toLowerCase();
    let known = this.#cache.get(key);
    if (known === undefined) {
      known = this.#fetchSynonyms(key);
      this.#cache.set(key, known);
      known.catch(() => this.#cache.delete(key));
    }
    const all = await known;
    if (all === null || hint.pos === undefined) return all;
    return all.filter((synonym) => synonym.pos === hint.pos);
  }

  async #fetchSynonyms(word: string): Promise<readonly Synonym[] | null> {
    const { maxAttempts, backoffMs, maxSenses } = this.#settings;
    for (let attempt = 1; ; attempt++) {
      const outcome = await this.#request(word);
      if ('answer' in outcome)
        return outcome.answer === null ? null : this.#cleaned(word, toSynonyms(outcome.answer, maxSenses));
      if (attempt >= maxAttempts) {
        const message = `the Oxford Dictionaries API failed ${attempt} times: ${outcome.fault}`;
        throw new DictionaryError(message, { fix: RETRY_FIX, where: { id: word } });
      }
      await wait(outcome.waitMs ?? backoffMs * 2 ** (attempt - 1));
    }
  }

  async #request(word: string): Promise<Attempt> {
    const { appId, appKey, apiUrl, language, timeoutMs } = this.#settings;
    const url = `${apiUrl.replace(/\/+$/, '')}/api/v2/thesaurus/${encodeURIComponent(language)}/${encodeURIComponent(word)}`;
    try {
      const response = await fetch(url, {
        headers: { app_id: appId, app_key: appKey, accept: 'application/json' },
        signal: AbortSignal.timeout(timeoutMs),
      });
      return await this.#judge(response, word);
    } catch (error) {
      if (error instanceof DictionaryError) throw error;
      return { fault: error instanceof Error ? error.message : String(error), waitMs: null };
    }
  }

  async #judge(response: Response, word: string): Promise<Attempt> {
    const { status } = response;
    if (status === 200) return { answer: parseAnswer(await response.text(), word) };
    await response.body?.cancel();
    if (status === 404) return { answer: null };
    if (status === 429 || status >= 500) return { fault: `status ${status}`, waitMs: retryAfterMs(response) };
    const refused = status === 401 || status === 403;
    throw new DictionaryError(
      `the Oxford Dictionaries API ${refused ? 'refused the key' : 'rejected the request'} (status ${status})`,
      {
        fix: refused ? KEYS_FIX : 'Check OXFORD_API_URL and the language setting.',
        where: { id: word },
      },
    );
  }

  /** Plain lower-case words and phrases, each once. */
  #cleaned(word: string, synonyms: readonly Synonym[]): readonly Synonym[] {
    const usable = synonyms.filter(({ text }) => /^[a-z]+(?:[ -][a-z]+)*$/.test(text) && text !== word);
    return usable.filter((s, i) => usable.findIndex((other) => other.text === s.text && other.pos === s.pos) === i);
  }
}

function parseAnswer(body: string, word: string): ThesaurusAnswer {
  try {
    return thesaurusAnswer.parse(JSON.parse(body));
  } catch (cause) {
    throw new DictionaryError('the Oxford Dictionaries API answered in another format', {
      fix: 'Check that OXFORD_API_URL is the root of an Oxford Dictionaries API v2.',
      where: { id: word },
      cause,
    });
  }
}
