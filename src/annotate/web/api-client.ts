import type { Answer, CandidateScores, ChunkProgress, NameCheck, StoredAnswer } from '../annotation.js';
import type {
  AgreementReport,
  ListedItem,
  Me,
  OpenedItem,
  QualificationResult,
  QualificationRound,
  ItemToReview,
  ReviewedItem,
} from '../api-shapes.js';

/** A server that takes longer than this is as good as away. */
const PATIENCE_MS = 20_000;
/** Agreement over tens of thousands of answers is measured for some seconds, on a busy machine for longer. */
const MEASURING_PATIENCE_MS = 180_000;

/** The server understood and said no. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly fix: string | null,
    /** With 409: the answer that is stored now. */
    readonly current: StoredAnswer | null,
  ) {
    super(message);
  }
}

/** No answer came, or one that only a broken server gives. */
export class ServerAwayError extends Error {}

interface ErrorBody {
  readonly error?: { readonly message?: string; readonly fix?: string };
  readonly current?: StoredAnswer;
}

/** The calls of the server, for one person's token. Every call throws `ApiError` or `ServerAwayError`. */
export class ApiClient {
  readonly #token: string;

  constructor(token: string) {
    this.#token = token;
  }

  me = (): Promise<Me> => this.#call('GET', 'me');
  chunks = (): Promise<readonly ChunkProgress[]> => this.#call('GET', 'chunks');
  chunkItems = (chunk: number): Promise<readonly ListedItem[]> => this.#call('GET', `chunks/${chunk}/items`);
  item = (id: string): Promise<OpenedItem> => this.#call('GET', `items/${encodeURIComponent(id)}`);
  scores = (id: string): Promise<readonly CandidateScores[]> =>
    this.#call('GET', `items/${encodeURIComponent(id)}/scores`);
  check = (id: string, name: string): Promise<NameCheck> =>
    this.#call('POST', `items/${encodeURIComponent(id)}/check`, { name });
  save = (id: string, answer: Answer, baseRevision: number): Promise<StoredAnswer> =>
    this.#call('PUT', `items/${encodeURIComponent(id)}/answer`, { answer, baseRevision });
  guidelines = (): Promise<{ readonly html: string }> => this.#call('GET', 'guidelines');
  qualification = (): Promise<QualificationRound> => this.#call('GET', 'qualification');
  qualify = (answers: Readonly<Record<string, readonly string[]>>): Promise<QualificationResult> =>
    this.#call('POST', 'qualification', { answers });
  reviews = (): Promise<readonly ReviewedItem[]> => this.#call('GET', 'review');
  review = (id: string): Promise<ItemToReview> => this.#call('GET', `review/${encodeURIComponent(id)}`);
  agreement = (): Promise<AgreementReport> => this.#call('GET', 'agreement', undefined, MEASURING_PATIENCE_MS);
  adjudicate = (id: string, answer: Answer, baseRevision: number): Promise<StoredAnswer> =>
    this.#call('PUT', `review/${encodeURIComponent(id)}`, { answer, baseRevision });

  async #call<T>(method: string, path: string, body?: unknown, patienceMs = PATIENCE_MS): Promise<T> {
    const response = await this.#fetch(method, path, body, AbortSignal.timeout(patienceMs));
    if (response.ok) return (await readJson(response)) as T;
    if (response.status >= 500 || response.status === 429) {
      throw new ServerAwayError(`the server answers with ${response.status}`);
    }
    const { error, current } = ((await readJson(response)) ?? {}) as ErrorBody;
    const message = error?.message ?? `the server refused with ${response.status}`;
    throw new ApiError(response.status, message, error?.fix ?? null, current ?? null);
  }

  async #fetch(method: string, path: string, body: unknown, signal: AbortSignal): Promise<Response> {
    const headers = { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json' };
    try {
      const content = body === undefined ? {} : { body: JSON.stringify(body) };
      return await fetch(`/api/${path}`, { method, headers, signal, ...content });
    } catch (cause) {
      throw new ServerAwayError('the server gives no answer', { cause });
    }
  }
}

async function readJson(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch (cause) {
    // A server killed in mid-answer leaves half a body.
    throw new ServerAwayError('the answer broke off', { cause });
  }
}
