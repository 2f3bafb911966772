import { useEffect, useRef, useState } from 'preact/hooks';
import { useDesk } from '../desk.js';
import { ACTION_NAMES, type Action, ACTIONS, DEFAULT_KEYMAP, keyName, remapped } from '../keymap.js';
import { KeyCap } from './key.js';

/** All keys, each of which can be changed; kept in this browser. */
export function KeysDialog({ onClose }: { readonly onClose: () => void }) {
  const { keymap, setKeymap } = useDesk();
  const dialog = useRef<HTMLDialogElement>(null);
  const [asked, setAsked] = useState<Action | null>(null);
  const [message, setMessage] = useState('');
  useEffect(() => dialog.current?.showModal(), []);

  function onKey(event: KeyboardEvent): void {
    if (asked === null) {
      if (keyName(event) === keymap.help) dialog.current?.close();
      return;
    }
    const key = keyName(event);
    if (key === null || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    if (key === 'Escape') {
      setAsked(null);
      setMessage('Left as it was.');
      return;
    }
    const changed = remapped(keymap, asked, key);
    if (typeof changed === 'string') return setMessage(changed);
    setKeymap(changed);
    setMessage(`${ACTIONS[asked].label}: ${key}.`);
    setAsked(null);
  }
  return (
    <dialog class="keys" ref={dialog} aria-labelledby="keys-title" onClose={onClose} onKeyDown={onKey}>
      <div class="section-head">
        <h2 id="keys-title">Keys</h2>
        <button type="button" onClick={() => dialog.current?.close()}>
          Close <KeyCap name="Esc" />
        </button>
      </div>
      <p class="soft">
        No key acts while you write; <kbd>Esc</kbd> leaves a field. <kbd>↑</kbd> <kbd>↓</kbd> move in the list,{' '}
        <kbd>Space</kbd> takes a name, <kbd>1</kbd> to <kbd>9</kbd> and <kbd>0</kbd> take the first ten.
      </p>
      <p class="message" role="status">
        {asked === null ? message : `Press the key for “${ACTIONS[asked].label}”. ${message}`}
      </p>
      <ul>
        {ACTION_NAMES.map((action) => (
          <li key={action}>
            <span>{ACTIONS[action].label}</span>
            <button
              type="button"
              class={asked === action ? 'asked' : ''}
              aria-label={`${ACTIONS[action].label}: ${keymap[action]}, change`}
              onClick={() => {
                setMessage('');
                setAsked(action);
              }}
            >
              {asked === action ? '…' : <KeyCap name={keymap[action]} />}
            </button>
          </li>
        ))}
      </ul>
      <button
        type="button"
        class="quiet"
        onClick={() => {
          setKeymap(DEFAULT_KEYMAP);
          setAsked(null);
          setMessage('All keys are as they came.');
        }}
      >
        Reset all keys
      </button>
    </dialog>
  );
}
