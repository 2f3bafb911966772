import type { KeyValueStore } from './edit-journal.js';

/** Actions a key can have, with their labels and default keys. */
export const ACTIONS = {
  down: { label: 'Next name', key: 'J' },
  up: { label: 'Previous name', key: 'K' },
  toggle: { label: 'Take or give back the name; begin a sub-sentence, say a clause', key: 'X' },
  write: { label: 'Write a name of your own, or an extra column', key: 'W' },
  comment: { label: 'Comment', key: 'C' },
  flag: { label: 'Flag for a reviewer', key: 'F' },
  difficulty: { label: 'Hardest names first, or as listed; columns of a chunk: all or hard ones', key: 'D' },
  scores: { label: 'Show or hide scores', key: 'R' },
  accept: { label: 'Hand in, go to the next', key: 'Enter' },
  none: { label: 'No name fits, go to the next', key: 'E' },
  skip: { label: 'Can’t be judged, go to the next', key: 'S' },
  next: { label: 'Next column', key: 'N' },
  previous: { label: 'Previous column', key: 'P' },
  undo: { label: 'Undo', key: 'U' },
  redo: { label: 'Redo', key: 'Shift+U' },
  majority: { label: 'Merge: names of the majority (review)', key: 'M' },
  union: { label: 'Merge: names of anyone (review)', key: 'Shift+M' },
  rest: { label: 'Show the whole list (review)', key: 'L' },
  home: { label: 'Overview', key: 'H' },
  guidelines: { label: 'Guidelines', key: 'G' },
  review: { label: 'Review (reviewers)', key: 'V' },
  agreement: { label: 'Agreement (reviewers)', key: 'A' },
  help: { label: 'Keys', key: '?' },
} as const satisfies Record<string, { readonly label: string; readonly key: string }>;
export type Action = keyof typeof ACTIONS;
export const ACTION_NAMES = Object.keys(ACTIONS) as readonly Action[];

/** The key of each action. */
export type Keymap = Readonly<Record<Action, string>>;
export const DEFAULT_KEYMAP = Object.fromEntries(ACTION_NAMES.map((name) => [name, ACTIONS[name].key])) as Keymap;

/** Keys that lists, pages and screen readers need for themselves. */
const RESERVED = /^(\d|Tab|Escape|Space|Arrow.*|Page.*|Home|End|Backspace|Delete|F\d+)$/;
const MODIFIERS = new Set(['Shift', 'Control', 'Alt', 'Meta', 'AltGraph', 'CapsLock', 'Dead', 'Process']);
const KEPT_AS = 'perturbql.keys';

interface KeyPress {
  readonly key: string;
  readonly shiftKey: boolean;
}

/** The name of a key press, whatever caps lock says: "J", "Shift+U", "?", "Enter"; null for a modifier alone. */
export function keyName({ key, shiftKey }: KeyPress): string | null {
  if (MODIFIERS.has(key)) return null;
  if (key === ' ') return 'Space';
  const isLetter = key.length === 1 && key.toLowerCase() !== key.toUpperCase();
  return isLetter ? `${shiftKey ? 'Shift+' : ''}${key.toUpperCase()}` : key;
}

/** The keymap with one key changed, or why it can't be. */
export function remapped(keymap: Keymap, action: Action, key: string): Keymap | string {
  if (RESERVED.test(key)) return `${key} has a use of its own. Take another key.`;
  const other = ACTION_NAMES.find((name) => name !== action && keymap[name] === key);
  if (other !== undefined) return `${key} is already “${ACTIONS[other].label}”. Take another key.`;
  return { ...keymap, [action]: key };
}

/** The keymap that this browser keeps. */
export function loadKeymap(store: KeyValueStore): Keymap {
  const kept = JSON.parse(store.getItem(KEPT_AS) ?? '{}') as Partial<Record<string, unknown>>;
  const own = ACTION_NAMES.filter((name) => typeof kept[name] === 'string').map((name) => [name, kept[name]]);
  return { ...DEFAULT_KEYMAP, ...(Object.fromEntries(own) as Partial<Keymap>) };
}

/** Keeps what differs from the default. */
export function saveKeymap(store: KeyValueStore, keymap: Keymap): void {
  const own = ACTION_NAMES.filter((name) => keymap[name] !== DEFAULT_KEYMAP[name]);
  if (own.length === 0) store.removeItem(KEPT_AS);
  else store.setItem(KEPT_AS, JSON.stringify(Object.fromEntries(own.map((name) => [name, keymap[name]]))));
}
