import type { ComponentChildren } from 'preact';
import { useDesk } from '../desk.js';
import type { Action, Keymap } from '../keymap.js';

/** The key of an action, as shown on its button. */
export function Key({ action, keymap }: { readonly action: Action; readonly keymap: Keymap }) {
  return <KeyCap name={keymap[action]} />;
}

/** A key cap; screen readers are told by `aria-keyshortcuts` of the button. */
export function KeyCap({ name }: { readonly name: string }) {
  return <kbd aria-hidden="true">{name.replace('Shift+', '⇧')}</kbd>;
}

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
