import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { ApiClient, ApiError } from './api-client.js';
import type { Me } from '../api-shapes.js';
import { DraftKeeper, type DraftPort } from './draft-keeper.js';
import { EditJournal } from './edit-journal.js';
import type { Keymap } from './keymap.js';
import { ownerOf } from './owner-of.js';

/** The context that every screen works with. */
export interface AnnotatorContext {
  readonly api: ApiClient;
  readonly keeper: DraftKeeper;
  readonly journal: EditJournal;
  readonly me: Me;
  /** Asks the server again how far they are. */
  readonly refreshMe: () => void;
  readonly keymap: Keymap;
  readonly setKeymap: (keymap: Keymap) => void;
  readonly openKeys: () => void;
  /** Says something to eyes and screen readers, for a moment. */
  readonly say: (text: string) => void;
}

export const DeskContext = createContext<AnnotatorContext | null>(null);

export function useDesk(): AnnotatorContext {
  const desk = useContext(DeskContext);
  if (desk === null) throw new Error('no desk around this component');
  return desk;
}

export function itemKey(id: string): string {
  return `items/${id}`;
}

export function reviewKey(id: string): string {
  return `review/${id}`;
}

/** A keeper of one person's drafts in one project. */
export function draftKeeperOf(api: ApiClient, me: Me): DraftKeeper {
  return new DraftKeeper(draftPortOf(api), localStorage, ownerOf(me));
}

function draftPortOf(api: ApiClient): DraftPort {
  const parts = (key: string): readonly [string, string] => {
    const slash = key.indexOf('/');
    return [key.slice(0, slash), key.slice(slash + 1)];
  };
  return {
    async current(key) {
      const [room, id] = parts(key);
      try {
        const stored = room === 'items' ? (await api.item(id)).answer : (await api.review(id)).adjudication;
        return { kind: 'held', stored };
      } catch (error) {
        return failureOf(error);
      }
    },
    async save(key, answer, base) {
      const [room, id] = parts(key);
      try {
        const save = room === 'items' ? api.save : api.adjudicate;
        return { kind: 'saved', stored: await save(id, answer, base) };
      } catch (error) {
        if (error instanceof ApiError && error.current !== null) return { kind: 'conflict', stored: error.current };
        return failureOf(error);
      }
    },
  };
}

function failureOf(error: unknown): { readonly kind: 'refused'; readonly message: string } | { readonly kind: 'away' } {
  return error instanceof ApiError ? { kind: 'refused', message: error.message } : { kind: 'away' };
}
