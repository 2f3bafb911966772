import type { Answer } from '../annotation.js';

/** The part of `localStorage` and `sessionStorage` that is needed. */
export interface KeyValueStore {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
  key(index: number): string | null;
  readonly length: number;
}

/** One change of one answer. */
export interface Edit {
  /** The key of the changed answer, as in `DraftKeeper`. */
  readonly key: string;
  /** The fragment of its screen, to go back there. */
  readonly place: string;
  readonly before: Answer;
  readonly after: Answer;
  /** Names its sort; text that is typed in one go is one change. */
  readonly sort: 'names' | 'split' | 'comment' | 'flag' | 'state';
}

const KEPT_EDITS = 200;

/** The changes of a session in order, over all items, so that handing in can be undone too. Kept for the tab. */
export class EditJournal {
  readonly #store: KeyValueStore;
  readonly #keptAs: string;
  #edits: readonly Edit[];
  /** Edits before this index are in force, those from it on are undone. */
  #at: number;
  /** A step that waits for the screen of its item to be open. */
  awaited: 'undo' | 'redo' | null = null;

  /** `owner` distinguishes several people in one tab. */
  constructor(store: KeyValueStore, owner: string) {
    this.#store = store;
    this.#keptAs = `perturbql.edits.${owner}`;
    const kept = JSON.parse(store.getItem(this.#keptAs) ?? '{"edits":[],"at":0}') as { edits: Edit[]; at: number };
    this.#edits = kept.edits;
    this.#at = kept.at;
  }

  get toUndo(): Edit | null {
    return this.#edits[this.#at - 1] ?? null;
  }

  get toRedo(): Edit | null {
    return this.#edits[this.#at] ?? null;
  }

  /** Notes a change; what was undone can't be redone after it. */
  record(edit: Edit): void {
    const last = this.toUndo;
    const goesOn = edit.sort === 'comment' && last?.sort === 'comment' && last.key === edit.key && this.toRedo === null;
    const before = this.#edits.slice(0, goesOn ? this.#at - 1 : this.#at);
    this.#edits = [...before, goesOn ? { ...edit, before: last.before } : edit].slice(-KEPT_EDITS);
    this.#move(this.#edits.length);
  }

  undone(): void {
    this.#move(this.#at - 1);
  }

  redone(): void {
    this.#move(this.#at + 1);
  }

  #move(at: number): void {
    this.#at = at;
    this.#store.setItem(this.#keptAs, JSON.stringify({ edits: this.#edits, at }));
  }
}
