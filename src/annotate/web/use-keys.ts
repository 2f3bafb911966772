import { useCallback, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type Action, ACTION_NAMES, type Keymap, keyName } from './keymap.js';

/** A key handler for text fields: Escape moves the focus on, so that the keys of the page work again. */
export function leaveOnEscape(onLeave: () => void): (event: KeyboardEvent) => void {
  return (event) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    onLeave();
  };
}

/** Moves the focus, and what is focused into view. */
export function focusOn(selector: string): void {
  const element = document.querySelector<HTMLElement>(selector);
  element?.focus();
  element?.scrollIntoView({ block: 'nearest' });
}

export type KeyHandlers = Partial<Record<Action, () => void>> & {
  /** 0 for the first name, up to 9 for the tenth (key 0). */
  readonly digit?: (index: number) => void;
  /** The arrows to the sides, which no action has. */
  readonly left?: () => void;
  readonly right?: () => void;
};

const BUTTONS = 'button, a[href], summary, select';
const REPEATED = new Set(['ArrowDown', 'ArrowUp', 'ArrowLeft', 'ArrowRight']);
/** Inputs that take no text: single letters mean nothing to them. */
const TICKS = new Set(['checkbox', 'radio', 'button']);

/** Checks whether keys go into a text that is being written. */
function isTyping(target: Element): boolean {
  if (target instanceof HTMLInputElement) return !TICKS.has(target.type);
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}

function isOwnKeyOf(target: Element, name: string): boolean {
  if (target.closest('dialog') !== null || isTyping(target)) return true;
  return (name === 'Enter' || name === 'Space') && target.closest(BUTTONS) !== null;
}

function actionOf(name: string, keymap: Keymap): Action | undefined {
  if (name === 'ArrowDown') return 'down';
  if (name === 'ArrowUp') return 'up';
  return ACTION_NAMES.find((action) => keymap[action] === name);
}

/**
 * Calls handlers for keys pressed anywhere on the page, save in text fields, in dialogs, and with Ctrl, Alt or Meta.
 */
export function useKeys(handlers: KeyHandlers, keymap: Keymap): void {
  const latest = useRef({ handlers, keymap });
  latest.current = { handlers, keymap };
  // With the drawing, not after it: a quick hand presses keys as soon as it sees them.
  useLayoutEffect(() => {
    function onKey(event: KeyboardEvent): void {
      const name = keyName(event);
      const target = event.target instanceof Element ? event.target : document.body;
      if (name === null || event.defaultPrevented || event.isComposing) return;
      if (event.ctrlKey || event.metaKey || event.altKey || isOwnKeyOf(target, name)) return;
      const handler = handlerOf(name);
      if (handler === undefined) return;
      event.preventDefault();
      // A key that is held down hands in no second column.
      if (!event.repeat || REPEATED.has(name)) handler();
    }
    function handlerOf(name: string): (() => void) | undefined {
      const { handlers: ours, keymap: keys } = latest.current;
      if (/^\d$/.test(name)) return ours.digit && (() => ours.digit?.((Number(name) + 9) % 10));
      if (name === 'ArrowLeft') return ours.left;
      if (name === 'ArrowRight') return ours.right;
      const action = actionOf(name, keys);
      return action && ours[action];
    }
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}

/** A list of names worked by keys: one of them is current, or none yet (-1). */
export interface NameKeys {
  /** `ref` of what holds the elements that take the focus, which are marked by `data-index`. */
  readonly box: (element: HTMLElement | null) => void;
  readonly active: number;
  readonly setActive: (index: number) => void;
  readonly toggle: (index: number) => void;
  readonly move: (index: number) => void;
  /** Moves the focus into the list. */
  readonly focus: () => void;
  readonly keys: KeyHandlers;
}

/** State and keys of a list of names. */
export function useNameKeys(names: readonly string[], onToggle: (name: string) => void): NameKeys {
  const held = useRef<HTMLElement | null>(null);
  const box = useCallback((element: HTMLElement | null) => {
    held.current = element;
  }, []);
  const [active, setActive] = useState(-1);
  function move(index: number): void {
    const to = Math.max(0, Math.min(names.length - 1, index));
    setActive(to);
    held.current?.querySelector<HTMLElement>(`[data-index="${to}"]`)?.focus();
  }
  function toggle(index: number): void {
    const name = names[index];
    if (name === undefined) return;
    move(index);
    onToggle(name);
  }
  const keys: KeyHandlers = {
    down: () => move(active + 1),
    up: () => move(active - 1),
    toggle: () => toggle(active),
    digit: toggle,
  };
  return { box, active, setActive, toggle, move, focus: () => move(active), keys };
}
