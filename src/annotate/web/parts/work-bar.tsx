import type { SaveState } from '../draft-keeper.js';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Answer } from '../../annotation.js';
import { STATE_WORDS } from '../words.js';
import { ActionButton } from './action-button.js';
import { mustGet } from '../../../present.js';

/**
 * Checks whether an answer is on the server, for eyes and screen readers. "Saved" means that the server has confirmed
 * it.
 */
function SaveStatus({ state }: { readonly state: SaveState }) {
  return (
    <span class={`save ${state.kind}`} role="status" data-save={state.kind}>
      {wordsOf(state)}
    </span>
  );
}

function wordsOf(state: SaveState): string {
  switch (state.kind) {
    case 'untouched':
      return '';
    case 'saving':
      return 'Saving…';
    case 'saved':
      return 'Saved';
    case 'away':
      return 'Not saved: server is away, kept here, trying again';
    case 'conflict':
      return 'Not saved: changed elsewhere, choose a version';
    case 'refused':
      return `Not saved, kept here: ${state.message}`;
  }
}

interface WorkBarProps {
  readonly answer: Answer;
  readonly saveState: SaveState;
  /** The steps that end an item. */
  readonly children: ComponentChildren;
  /** Steps that are needed less: on a narrow screen one asks for them. */
  readonly more: ComponentChildren;
}

/** The steps of a screen, always in reach, and whether all is saved. */
export function WorkBar({ answer, saveState, children, more }: WorkBarProps) {
  const [isOpen, setOpen] = useState(false);
  const state = saveState.kind === 'untouched' ? 'open' : answer.state;
  return (
    <div class="bar" role="region" aria-label="Steps" ref={useHeightForStyle()}>
      <div class="bar-status">
        <span class={`state ${state}`}>{STATE_WORDS[state]}</span>
        <SaveStatus state={saveState} />
      </div>
      <button
        type="button"
        class="quiet bar-open"
        aria-expanded={isOpen}
        aria-controls="more-steps"
        onClick={() => setOpen(!isOpen)}
      >
        {isOpen ? 'Fewer steps' : 'More steps'}
      </button>
      <div class={isOpen ? 'bar-steps more shown' : 'bar-steps more'} id="more-steps">
        {more}
      </div>
      <div class="bar-steps">{children}</div>
    </div>
  );
}

/** Tells the style sheet how high the bar is (`--bar`), as it wraps: content and messages keep clear of it. */
function useHeightForStyle() {
  const bar = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { style } = document.documentElement;
    const drawn = mustGet(bar.current, 'bar.current');
    const observer = new ResizeObserver(() => style.setProperty('--bar', `${drawn.offsetHeight}px`));
    observer.observe(drawn);
    return () => {
      observer.disconnect();
      style.removeProperty('--bar');
    };
  }, []);
  return bar;
}

interface OtherStepsProps {
  readonly actions: Readonly<Record<'next' | 'previous' | 'undo' | 'redo', () => void>>;
  readonly hasPrevious: boolean;
}

/** Steps that end no item. */
export function OtherSteps({ actions, hasPrevious }: OtherStepsProps) {
  return (
    <>
      <ActionButton action="previous" look="quiet" disabled={!hasPrevious} onClick={actions.previous}>
        Previous
      </ActionButton>
      <ActionButton action="next" look="quiet" onClick={actions.next}>
        Next
      </ActionButton>
      <ActionButton action="undo" look="quiet" onClick={actions.undo}>
        Undo
      </ActionButton>
      <ActionButton action="redo" look="quiet" onClick={actions.redo}>
        Redo
      </ActionButton>
    </>
  );
}

interface LastStepsProps {
  readonly actions: Readonly<Record<'accept' | 'none' | 'skip', () => void>>;
  readonly hasNames: boolean;
  /** The word on the button for nothing. */
  readonly none: string;
  readonly accept: string;
}

/** The steps that end an item. */
export function LastSteps({ actions, hasNames, none, accept }: LastStepsProps) {
  return (
    <>
      <ActionButton action="skip" onClick={actions.skip}>
        Skip
      </ActionButton>
      <ActionButton action="none" disabled={hasNames} onClick={actions.none}>
        {none}
      </ActionButton>
      <ActionButton action="accept" look="primary" onClick={actions.accept}>
        {accept}
      </ActionButton>
    </>
  );
}
