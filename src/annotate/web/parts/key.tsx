import type { Action, Keymap } from '../keymap.js';

/** The key of an action, as shown on its button. */
export function Key({ action, keymap }: { readonly action: Action; readonly keymap: Keymap }) {
  return <KeyCap name={keymap[action]} />;
}

/** A key cap; screen readers are told by `aria-keyshortcuts` of the button. */
export function KeyCap({ name }: { readonly name: string }) {
  return <kbd aria-hidden="true">{name.replace('Shift+', '⇧')}</kbd>;
}
