import { useEffect, useRef, useState } from 'preact/hooks';
import { useDesk } from '../desk.js';
import { ACTION_NAMES, type Action, ACTIONS, DEFAULT_KEYMAP, keyName, remapped } from '../keymap.js';
import { KeyCap } from './action-button.js';

/** Which action is to get another key, what is said of it, and what the keyboard and the buttons do about it. */
function useKeyChange(onHelp: () => void) {
  const { keymap, setKeymap } = useDesk();
  const [asked, setAsked] = useState<Action | null>(null);
  const [message, setMessage] = useState('');

  function say(text: string, next: Action | null = null): void {
    setMessage(text);
    setAsked(next);
  }

  function change(action: Action, key: string): void {
    const changed = remapped(keymap, action, key);
    if (typeof changed === 'string') return say(changed, action);
    setKeymap(changed);
    say(`${ACTIONS[action].label}: ${key}.`);
  }

  function onKey(event: KeyboardEvent): void {
    const key = keyName(event);
    if (asked === null) {
      if (key === keymap.help) onHelp();
      return;
    }
    if (key === null || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    if (key === 'Escape') say('Left as it was.');
    else change(asked, key);
  }

  function reset(): void {
    setKeymap(DEFAULT_KEYMAP);
    say('All keys are as they came.');
  }
  return { keymap, asked, message, onKey, reset, ask: (action: Action) => say('', action) };
}

type KeyChange = ReturnType<typeof useKeyChange>;

function KeyList({ keymap, asked, ask }: Pick<KeyChange, 'keymap' | 'asked' | 'ask'>) {
  return (
    <ul>
      {ACTION_NAMES.map((action) => (
        <li key={action}>
          <span>{ACTIONS[action].label}</span>
          <button
            type="button"
            class={asked === action ? 'asked' : ''}
            aria-label={`${ACTIONS[action].label}: ${keymap[action]}, change`}
            onClick={() => ask(action)}
          >
            {asked === action ? '…' : <KeyCap name={keymap[action]} />}
          </button>
        </li>
      ))}
    </ul>
  );
}

/** All keys, each of which can be changed; kept in this browser. */
export function KeysDialog({ onClose }: { readonly onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const close = (): void => dialog.current?.close();
  const { message, asked, onKey, reset, ...list } = useKeyChange(close);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog class="keys" ref={dialog} aria-labelledby="keys-title" onClose={onClose} onKeyDown={onKey}>
      <div class="section-head">
        <h2 id="keys-title">Keys</h2>
        <button type="button" onClick={close}>
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
      <KeyList asked={asked} {...list} />
      <button type="button" class="quiet" onClick={reset}>
        Reset all keys
      </button>
    </dialog>
  );
}
