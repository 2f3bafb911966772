import { useCallback, useRef, useState } from 'preact/hooks';
import type { KeyHandlers } from './use-keys.js';

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
