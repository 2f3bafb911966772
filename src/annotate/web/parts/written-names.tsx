import { useState } from 'preact/hooks';
import type { AnnotationItem, Answer, NameCheck } from '../../annotation.js';
import { writeName } from '../answer-edits.js';
import { useDesk } from '../desk.js';
import { focusOn } from '../focus-on.js';
import { leaveOnEscape } from '../leave-on-escape.js';
import { useNameCheck, useNameChecks } from '../use-name-check.js';
import { ActionButton } from './action-button.js';
import { KeyCap } from './key.js';

interface WrittenNamesProps {
  readonly item: AnnotationItem;
  readonly answer: Answer;
  /** The written names to list here. */
  readonly own: readonly string[];
  readonly onWrite: (answer: Answer) => void;
  readonly onRemove: (name: string) => void;
  /** Where the focus goes when the field is left. */
  readonly onLeave: () => void;
}

const OUTCOMES = {
  written: (name: string) => `Added: ${name}.`,
  listed: (name: string) => `${name} is in the list: taken there.`,
  'there-already': (name: string) => `${name} is taken already.`,
  empty: () => 'Nothing is written.',
};

/** Names of the annotator's own, checked as they are written; a doubt refuses nothing. */
export function WrittenNames({ item, answer, own, onWrite, onRemove, onLeave }: WrittenNamesProps) {
  const { say } = useDesk();
  const [text, setText] = useState('');
  const check = useNameCheck(item.id, text);
  const checks = useNameChecks(item.id, own);
  function add(): void {
    const { answer: next, outcome } = writeName(answer, item, text);
    say(OUTCOMES[outcome](text.trim()));
    if (outcome === 'empty') return;
    onWrite(next);
    setText('');
  }
  return (
    <div class="written">
      <label for="own-name">Names of your own</label>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          add();
        }}
      >
        <input
          id="own-name"
          value={text}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          maxLength={200}
          aria-describedby="own-name-check"
          onInput={(event) => setText(event.currentTarget.value)}
          onKeyDown={leaveOnEscape(onLeave)}
        />
        <button type="submit" disabled={text.trim() === ''}>
          Add <KeyCap name="Enter" />
        </button>
        {text === '' && (
          <ActionButton action="write" look="quiet" onClick={() => focusOn('#own-name')}>
            Write
          </ActionButton>
        )}
      </form>
      <div class="check" id="own-name-check" role="status">
        {check !== null && <Check check={check} onTake={setText} />}
      </div>
      <ul class="own">
        {own.map((name) => (
          <li key={name}>
            <span class="name">{name}</span>
            <Problems check={checks.get(name)} />
            <button type="button" class="quiet" aria-label={`Remove ${name}`} onClick={() => onRemove(name)}>
              Remove
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

const PROBLEMS: Readonly<Record<string, (column: string) => string>> = {
  empty: () => 'has no word',
  'same-as-target': () => 'is the column’s own name',
  'existing-column': (column) => `is already the column “${column}”`,
  listed: () => 'is in the list above',
  'equivalent-to-other': (column) => `seems to say the same as the column “${column}”`,
  spelling: () => 'has a word that the dictionary does not know',
};

function Problems({ check }: { readonly check: NameCheck | undefined }) {
  const words = (check?.problems ?? []).map(({ kind, column }) => (PROBLEMS[kind] ?? (() => kind))(column ?? ''));
  return words.length === 0 ? null : <span class="doubt">{words.join('; ')}</span>;
}

/** Texts about a name without problems, by whether the judge has been heard. */
const UNOPPOSED: Readonly<Record<NameCheck['judged'], string>> = {
  yes: 'Nothing speaks against it.',
  later: 'No name stands in its way; its meaning is being compared…',
  no: 'No name stands in its way; its meaning was not compared.',
};

function Check({ check, onTake }: { readonly check: NameCheck; readonly onTake: (name: string) => void }) {
  if (check.problems.length === 0) return <span class="fits">{UNOPPOSED[check.judged]}</span>;
  return (
    <>
      <Problems check={check} />
      {check.suggestions.map((name) => (
        <button
          key={name}
          type="button"
          class="quiet"
          onClick={() => {
            onTake(name);
            focusOn('#own-name');
          }}
        >
          {name}?
        </button>
      ))}
    </>
  );
}
