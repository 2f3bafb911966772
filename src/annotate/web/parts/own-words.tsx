import { useState } from 'preact/hooks';
import type { AnnotationItem, Answer, NameCheck } from '../../annotation.js';
import { focusOn, type KeyHandlers, leaveOnEscape } from '../use-keys.js';
import { ActionButton, KeyCap } from './action-button.js';
import { Flag } from './marks.js';
import { removeWritten, writeName } from '../answer-edits.js';
import type { EditedAnswer } from '../use-answer.js';
import { useDesk } from '../desk.js';
import { useNameCheck, useNameChecks } from '../use-name-check.js';

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
function WrittenNames({ item, answer, own, onWrite, onRemove, onLeave }: WrittenNamesProps) {
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

interface RemarksProps {
  readonly answer: Answer;
  readonly onComment: (comment: string) => void;
  readonly onFlag: () => void;
  readonly onLeave: () => void;
}

/** Comment and flag. */
function Remarks({ answer, onComment, onFlag, onLeave }: RemarksProps) {
  return (
    <div class="remarks">
      <label for="comment">Comment</label>
      <textarea
        id="comment"
        rows={2}
        maxLength={5000}
        value={answer.comment}
        onInput={(event) => onComment(event.currentTarget.value)}
        onKeyDown={leaveOnEscape(onLeave)}
      />
      <div class="row">
        <ActionButton action="flag" pressed={answer.flagged} onClick={onFlag}>
          {answer.flagged ? <Flag /> : null} Flag for a reviewer
        </ActionButton>
        <ActionButton action="comment" look="quiet" onClick={() => focusOn('#comment')}>
          Comment
        </ActionButton>
      </div>
    </div>
  );
}

interface OwnWordsProps {
  readonly item: AnnotationItem;
  readonly edited: EditedAnswer;
  /** The written names to list here. */
  readonly own: readonly string[];
  /** Where the focus goes when a field is left. */
  readonly onLeave: () => void;
}

/** Renders the rest of an answer besides names of the list: own names for RPL (ADVETA §3.1), comment and flag. */
export function OwnWords({ item, edited: { answer, edit }, own, onLeave }: OwnWordsProps) {
  return (
    <>
      {item.kind === 'RPL' && (
        <WrittenNames
          item={item}
          answer={answer}
          own={own}
          onWrite={(next) => edit(next, 'names')}
          onRemove={(name) => edit(removeWritten(answer, name), 'names')}
          onLeave={onLeave}
        />
      )}
      <Remarks
        answer={answer}
        onComment={(comment) => edit({ ...answer, comment }, 'comment')}
        onFlag={() => edit({ ...answer, flagged: !answer.flagged }, 'flag')}
        onLeave={onLeave}
      />
    </>
  );
}

/** The keys of `OwnWords`. */
export function ownWordsKeys(item: AnnotationItem, { answer, edit }: EditedAnswer): KeyHandlers {
  return {
    comment: () => focusOn('#comment'),
    flag: () => edit({ ...answer, flagged: !answer.flagged }, 'flag'),
    ...(item.kind === 'RPL' ? { write: () => focusOn('#own-name') } : {}),
  };
}
