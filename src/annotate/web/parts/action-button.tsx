import type { ComponentChildren } from 'preact';
import { useDesk } from '../desk.js';
import type { Action } from '../keymap.js';
import { Key } from './key.js';

interface ActionButtonProps {
  readonly action: Action;
  readonly onClick: () => void;
  readonly look?: string;
  readonly pressed?: boolean;
  readonly disabled?: boolean;
  readonly children: ComponentChildren;
}

/** A button that shows its key. */
export function ActionButton({ action, onClick, look = '', pressed, disabled = false, children }: ActionButtonProps) {
  const { keymap } = useDesk();
  const state = pressed === undefined ? {} : { 'aria-pressed': pressed };
  return (
    <button
      type="button"
      class={look}
      disabled={disabled}
      aria-keyshortcuts={keymap[action]}
      onClick={onClick}
      {...state}
    >
      {children} <Key action={action} keymap={keymap} />
    </button>
  );
}
