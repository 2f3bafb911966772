import { type Answer, contentOf, sameAnswer, type StoredAnswer } from '../annotation.js';
import { EMPTY_ANSWER } from './answer-edits.js';
import type { KeyValueStore } from './edit-journal.js';
import { mustGet } from '../../present.js';

/** Typing rests this long before it is sent. */
const REST_MS = 300;
const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 8000;

/** The outcome of a save. `refused`: the server won't take it, so trying again is in vain. */
export type SaveOutcome =
  | { readonly kind: 'saved' | 'conflict'; readonly stored: StoredAnswer }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'away' };

/** The answer that the server holds for a key, or the reason it can't be told. */
export type CurrentOutcome =
  | { readonly kind: 'held'; readonly stored: StoredAnswer | null }
  | Exclude<SaveOutcome, { readonly stored: StoredAnswer }>;

/** The keeper's way to the server. */
export interface DraftPort {
  current(key: string): Promise<CurrentOutcome>;
  save(key: string, answer: Answer, baseRevision: number): Promise<SaveOutcome>;
}

/** How an answer stands, for the eye of its annotator. */
export type SaveState =
  | { readonly kind: 'untouched' | 'saving' | 'saved' | 'away' }
  | { readonly kind: 'conflict'; readonly mine: Answer; readonly current: StoredAnswer }
  | { readonly kind: 'refused'; readonly message: string };

/** A change that the server has not confirmed. */
interface Unsaved {
  readonly answer: Answer;
  /** The revision it was made on. */
  readonly base: number;
  /** The answer sent last; the server may have it without our having heard so. */
  readonly sent: Answer | null;
  readonly place: string;
}

/**
 * Keeps every change until the server has confirmed it: in the browser's storage at once, on the server after a short
 * rest, one save at a time, again and again while the server is away. What was lost on the way (a killed server, a
 * closed browser) is compared with what the server holds before it is sent again, so that nothing is overwritten
 * unseen.
 */
export class DraftKeeper {
  readonly #port: DraftPort;
  readonly #store: KeyValueStore;
  readonly #prefix: string;
  readonly #unsaved = new Map<string, Unsaved>();
  readonly #latest = new Map<string, StoredAnswer>();
  readonly #conflicts = new Map<string, StoredAnswer>();
  readonly #refusals = new Map<string, string>();
  /** Keys whose last save got no answer: first ask what the server holds. */
  readonly #unsure = new Set<string>();
  readonly #listeners = new Set<(saved: string | null) => void>();
  #timer: ReturnType<typeof setTimeout> | null = null;
  #retryMs = FIRST_RETRY_MS;
  #away = false;
  #busy = false;

  /** `owner` distinguishes the drafts of several people and projects in one browser. */
  constructor(port: DraftPort, store: KeyValueStore, owner: string) {
    this.#port = port;
    this.#store = store;
    this.#prefix = `perturbql.draft.${owner}.`;
    for (const [key, unsaved] of this.#readStore()) {
      this.#unsaved.set(key, unsaved);
      this.#unsure.add(key);
    }
    this.flush();
  }

  /** Calls back after every change of a state, with the key that was saved, if one was. Returns how to end that. */
  watch(listener: (saved: string | null) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The answer to show for an item as it was just loaded: an unsaved change comes before what the server holds. */
  open(key: string, loaded: StoredAnswer | null): Answer {
    const known = this.#latest.get(key);
    // A slow load may bring what a save has overtaken.
    if (loaded !== null && (known === undefined || known.revision < loaded.revision)) this.#latest.set(key, loaded);
    return this.#unsaved.get(key)?.answer ?? contentOf(this.#latest.get(key) ?? EMPTY_ANSWER);
  }

  /** The newest answer that is known here; null for one that was not opened. */
  answerOf(key: string): Answer | null {
    return this.#unsaved.get(key)?.answer ?? this.#latest.get(key) ?? null;
  }

  /** Takes a change; `place` is where its annotator can be led back to. */
  change(key: string, answer: Answer, place: string): void {
    const before = this.#unsaved.get(key);
    const base = before?.base ?? this.#latest.get(key)?.revision ?? 0;
    this.#keep(key, { answer, base, sent: before?.sent ?? null, place });
    this.#refusals.delete(key);
    this.#tell(null);
    if (!this.#away) this.#later(REST_MS);
  }

  /** Sends what waits, now. */
  flush(): void {
    this.#cancelTimer();
    void this.#sendAll();
  }

  stateOf(key: string): SaveState {
    const unsaved = this.#unsaved.get(key);
    if (unsaved === undefined) return { kind: this.#latest.has(key) ? 'saved' : 'untouched' };
    const current = this.#conflicts.get(key);
    if (current !== undefined) return { kind: 'conflict', mine: unsaved.answer, current };
    const message = this.#refusals.get(key);
    if (message !== undefined) return { kind: 'refused', message };
    return { kind: this.#away ? 'away' : 'saving' };
  }

  /** Changes that are not saved yet, and where they were made. */
  unsaved(): readonly { readonly key: string; readonly place: string; readonly state: SaveState }[] {
    return [...this.#unsaved].map(([key, { place }]) => ({ key, place, state: this.stateOf(key) }));
  }

  /** Ends a conflict with the annotator's choice; returns the answer to go on with. */
  resolve(key: string, choice: 'mine' | 'theirs'): Answer {
    const current = this.#conflicts.get(key);
    const unsaved = this.#unsaved.get(key);
    if (current === undefined || unsaved === undefined) throw new Error(`${key} has no conflict`);
    this.#conflicts.delete(key);
    if (choice === 'theirs') {
      this.#drop(key);
      this.#tell(null);
      return contentOf(current);
    }
    this.#keep(key, { ...unsaved, base: current.revision });
    this.flush();
    return unsaved.answer;
  }

  async #sendAll(): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    for (let key = this.#next(); key !== null; key = this.#next()) {
      if (!(await this.#sendOne(key))) break;
    }
    this.#busy = false;
  }

  #next(): string | null {
    const waiting = [...this.#unsaved.keys()];
    return waiting.find((key) => !this.#conflicts.has(key) && !this.#refusals.has(key)) ?? null;
  }

  /** False where the server is away: the rest has to wait as well. */
  async #sendOne(key: string): Promise<boolean> {
    const reached = this.#unsure.has(key) ? await this.#compare(key) : await this.#save(key);
    this.#away = !reached;
    if (reached) this.#retryMs = FIRST_RETRY_MS;
    else {
      this.#unsure.add(key);
      this.#later(this.#retryMs);
      this.#retryMs = Math.min(LAST_RETRY_MS, this.#retryMs * 2);
    }
    this.#tell(reached && !this.#unsaved.has(key) ? key : null);
    return reached;
  }

  #unsavedOf(key: string): Unsaved {
    return mustGet(this.#unsaved.get(key), 'unsaved.get(key)');
  }

  async #save(key: string): Promise<boolean> {
    const { answer, base, place } = this.#unsavedOf(key);
    this.#keep(key, { answer, base, sent: answer, place });
    const outcome = await this.#port.save(key, answer, base);
    if (outcome.kind === 'away') return false;
    if (outcome.kind === 'refused') this.#refusals.set(key, outcome.message);
    else if (outcome.kind === 'conflict') this.#settle(key, outcome.stored);
    else this.#confirm(key, answer, outcome.stored);
    return true;
  }

  #confirm(key: string, sent: Answer, stored: StoredAnswer): void {
    const unsaved = this.#unsavedOf(key);
    this.#latest.set(key, stored);
    if (sameAnswer(unsaved.answer, sent)) this.#drop(key);
    else this.#keep(key, { ...unsaved, base: stored.revision });
  }

  /** Asks what the server holds and makes out what that means for our change. */
  async #compare(key: string): Promise<boolean> {
    const outcome = await this.#port.current(key);
    if (outcome.kind === 'away') return false;
    this.#unsure.delete(key);
    if (outcome.kind === 'refused') this.#refusals.set(key, outcome.message);
    else if (outcome.stored === null) this.#keep(key, { ...this.#unsavedOf(key), base: 0 });
    else this.#settle(key, outcome.stored);
    return true;
  }

  /** Settles the server's answer with ours: it is our own change, the one it was made on, or someone else's. */
  #settle(key: string, stored: StoredAnswer): void {
    const unsaved = this.#unsavedOf(key);
    this.#latest.set(key, stored);
    if (sameAnswer(stored, unsaved.answer)) this.#drop(key);
    else if (stored.revision <= unsaved.base || (unsaved.sent !== null && sameAnswer(stored, unsaved.sent))) {
      this.#keep(key, { ...unsaved, base: stored.revision });
    } else this.#conflicts.set(key, stored);
  }

  #keep(key: string, unsaved: Unsaved): void {
    this.#unsaved.set(key, unsaved);
    this.#store.setItem(this.#prefix + key, JSON.stringify(unsaved));
  }

  #drop(key: string): void {
    this.#unsaved.delete(key);
    this.#store.removeItem(this.#prefix + key);
  }

  #readStore(): readonly (readonly [string, Unsaved])[] {
    const keys = Array.from({ length: this.#store.length }, (_, index) => this.#store.key(index) ?? '');
    const ours = keys.filter((key) => key.startsWith(this.#prefix)).sort();
    return ours.map((key) => [key.slice(this.#prefix.length), JSON.parse(this.#store.getItem(key) ?? '') as Unsaved]);
  }

  #later(ms: number): void {
    this.#cancelTimer();
    this.#timer = setTimeout(() => this.flush(), ms);
  }

  #cancelTimer(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #tell(saved: string | null): void {
    for (const listener of this.#listeners) listener(saved);
  }
}

/** Calls back when all that waited for a server that was away is saved. Returns how to end that. */
export function watchReturn(keeper: Pick<DraftKeeper, 'watch' | 'unsaved'>, onReturn: () => void): () => void {
  let wasAway = false;
  return keeper.watch(() => {
    const unsaved = keeper.unsaved();
    if (unsaved.some(({ state }) => state.kind === 'away')) wasAway = true;
    else if (wasAway && unsaved.length === 0) {
      wasAway = false;
      onReturn();
    }
  });
}
