import { useEffect, useRef } from 'preact/hooks';
import { type AnnotationItem, type Answer, contentOf, type StoredAnswer } from '../../annotation.js';
import type { SaveState } from '../draft-keeper.js';
import { answerInWords, STATE_WORDS } from '../words.js';
import { Flag } from './marks.js';

interface ConflictPanelProps {
  readonly item: AnnotationItem;
  readonly conflict: SaveState & { readonly kind: 'conflict' };
  readonly onChoose: (choice: 'mine' | 'theirs') => void;
}

/** Two versions of one answer; the annotator says which holds. The server keeps the other one too. */
export function ConflictPanel({ item, conflict, onChoose }: ConflictPanelProps) {
  const panel = useRef<HTMLElement>(null);
  useEffect(() => panel.current?.focus(), []);
  const { mine, current } = conflict;
  return (
    <section
      id="conflict"
      class="conflict-panel"
      role="alert"
      tabIndex={-1}
      ref={panel}
      aria-labelledby="conflict-title"
    >
      <h2 id="conflict-title">This answer was saved elsewhere in the meantime</h2>
      <p>Nothing is lost: both versions are kept. Which one holds?</p>
      <div class="versions">
        <Version title="Yours, on this page" item={item} answer={mine}>
          <button type="button" class="primary" onClick={() => onChoose('mine')}>
            Keep this one
          </button>
        </Version>
        <Version title={`Saved at ${timeOf(current.savedAt)}`} item={item} answer={current}>
          <button type="button" onClick={() => onChoose('theirs')}>
            Take the saved one
          </button>
        </Version>
      </div>
    </section>
  );
}

interface VersionProps {
  readonly title: string;
  readonly item: AnnotationItem;
  readonly answer: Answer;
  readonly children: preact.ComponentChildren;
}

/** An answer in short. */
function Version({ title, item, answer, children }: VersionProps) {
  return (
    <div class="version">
      <h3>{title}</h3>
      <p>
        <span class={`state ${answer.state}`}>{STATE_WORDS[answer.state]}</span> {answer.flagged && <Flag />}
      </p>
      <p class="names">{answerInWords(item, answer)}</p>
      {answer.comment !== '' && <p class="soft">“{answer.comment}”</p>}
      {children}
    </div>
  );
}

/** Time of day of a save, and its day where that isn't today. */
function timeOf(savedAt: string): string {
  const time = new Date(savedAt);
  const isToday = time.toDateString() === new Date().toDateString();
  const clock = time.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
  return isToday ? clock : `${time.toLocaleDateString()}, ${clock}`;
}

interface KeptVersionsProps {
  readonly item: AnnotationItem;
  readonly versions: readonly StoredAnswer[];
  readonly onTake: (answer: Answer) => void;
}

/** Versions that lost against another save: kept, and there to be taken after all. */
export function KeptVersions({ item, versions, onTake }: KeptVersionsProps) {
  if (versions.length === 0) return null;
  return (
    <details class="kept-versions">
      <summary>Kept versions: {versions.length}</summary>
      <div class="versions">
        {versions.map((version) => (
          <Version key={version.savedAt} title={`From ${timeOf(version.savedAt)}`} item={item} answer={version}>
            <button type="button" onClick={() => onTake(contentOf(version))}>
              Take this one
            </button>
          </Version>
        ))}
      </div>
    </details>
  );
}
