import { z } from 'zod';
import { DictionaryError } from '../errors.js';
import { HttpClient, type HttpText } from '../http/http-client.js';
import { HttpError } from '../http/http-error.js';
import { isLoopback, parseUrl } from '../http/http-url.js';
import { withoutKeys } from '../http/secret-mask.js';
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

const DEFAULTS = {
  apiUrl: 'https://od-api.oxforddictionaries.com',
  language: 'en',
  maxSenses: 2,
  maxAttempts: 4,
  backoffMs: 1_000,
  timeoutMs: 15_000,
} as const satisfies Partial<OxfordSettings>;

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

function toSynonyms(answer: ThesaurusAnswer, maxSenses: number): readonly Synonym[] {
  const counts = new Map<PartOfSpeech, number>();
  const lexicalEntries = answer.results.flatMap((result) => result.lexicalEntries ?? []);
  return lexicalEntries.flatMap((entry) => {
    const pos = POS_BY_CATEGORY[entry.lexicalCategory?.id ?? ''];
    if (pos === undefined) return [];
    return (entry.entries ?? [])
      .flatMap((part) => part.senses ?? [])
      .flatMap((item) => {
        const rank = counts.get(pos) ?? 0;
        counts.set(pos, rank + 1);
        if (rank >= maxSenses) return [];
        const listed = [...(item.synonyms ?? []), ...(item.subsenses ?? []).flatMap((sub) => sub.synonyms ?? [])];
        return listed.map(({ text }) => ({ text, pos, inflected: false }));
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
  readonly #client: HttpClient;
  readonly #cache = new Map<string, Promise<readonly Synonym[] | null>>();

  constructor(settings: OxfordSettings) {
    this.#settings = { ...DEFAULTS, ...settings };
    const { appId, appKey, apiUrl, language, maxSenses, maxAttempts, backoffMs, timeoutMs } = this.#settings;
    const root = parseUrl(apiUrl, 'OXFORD_API_URL', 'Write it as https://host.');
    this.#client = new HttpClient({
      credentials: { origin: root.origin, headers: { app_id: appId, app_key: appKey } },
      tries: maxAttempts,
      pauseMs: backoffMs,
      timeoutMs,
      ...(isLoopback(root.hostname) ? { environment: {} } : {}),
    });
    this.fingerprint = `oxford-2:${withoutKeys(apiUrl)},${language},senses=${maxSenses}`;
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
    const { apiUrl, language, maxSenses } = this.#settings;
    const url = `${apiUrl.replace(/\/+$/, '')}/api/v2/thesaurus/${encodeURIComponent(language)}/${encodeURIComponent(word)}`;
    let tries = 0;
    try {
      const reply = await this.#client.persist(() => {
        tries++;
        return this.#client.get(url);
      });
      return this.#cleaned(word, toSynonyms(parseAnswer(reply, word), maxSenses));
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      if (error.status === 404) return null;
      throw failureOf(error, word, tries);
    }
  }

  /** Plain lower-case words and phrases, each once. */
  #cleaned(word: string, synonyms: readonly Synonym[]): readonly Synonym[] {
    const usable = synonyms.filter(({ text }) => /^[a-z]+(?:[ -][a-z]+)*$/.test(text) && text !== word);
    return usable.filter((s, i) => usable.findIndex((other) => other.text === s.text && other.pos === s.pos) === i);
  }
}

/** Returns the error for a request that failed after some tries. */
function failureOf(error: HttpError, word: string, tries: number): DictionaryError {
  const { status, message, fix } = error;
  const where = { id: word };
  if (error.passes) {
    const fault = status === null ? message : `status ${status}`;
    const told = `the Oxford Dictionaries API failed ${tries} times: ${fault}`;
    return new DictionaryError(told, { fix: RETRY_FIX, where, cause: error.cause });
  }
  // The proxy, or what is no answer of the service.
  if (status === null || status === 407) return new DictionaryError(message, { fix, where, cause: error.cause });
  const refused = status === 401 || status === 403;
  return new DictionaryError(
    `the Oxford Dictionaries API ${refused ? 'refused the key' : 'rejected the request'} (status ${status})`,
    { fix: refused ? KEYS_FIX : 'Check OXFORD_API_URL and the language setting.', where },
  );
}

function parseAnswer({ json }: HttpText, word: string): ThesaurusAnswer {
  try {
    return thesaurusAnswer.parse(json());
  } catch (cause) {
    throw new DictionaryError('the Oxford Dictionaries API answered in another format', {
      fix: 'Check that OXFORD_API_URL is the root of an Oxford Dictionaries API v2.',
      where: { id: word },
      cause,
    });
  }
}
