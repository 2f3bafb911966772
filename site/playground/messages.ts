import type { CandidateDecision } from '../../src/formats/artifacts/candidates.js';
import type { Database } from '../../src/schema/schema.js';

/** What the page asks its worker: names for columns of one table. */
export interface NamesRequest {
  readonly id: number;
  readonly database: Database;
  readonly table: number;
  /** Positions in the table. */
  readonly columns: readonly number[];
  readonly questions: readonly string[];
}

/** One file that the worker fetches; `packed` ones are gzip. */
export interface FetchedFile {
  readonly path: string;
  readonly url: string;
  readonly bytes: number;
  readonly packed: boolean;
}

export type WorkerReply =
  | { readonly kind: 'loading'; readonly bytes: number; readonly of: number }
  | { readonly kind: 'ready' }
  | { readonly kind: 'names'; readonly id: number; readonly decisions: readonly CandidateDecision[] }
  | { readonly kind: 'failed'; readonly id: number | null; readonly message: string };
