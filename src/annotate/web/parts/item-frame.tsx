import type { ComponentChildren } from 'preact';
import { hasNames } from '../answer-edits.js';
import { KINDS } from '../kind-words.js';
import { SplitSurroundings } from '../split/split-surroundings.js';
import type { WorkedItem } from '../use-item.js';
import { ConflictPanel } from './conflict-panel.js';
import { ItemSurroundings } from './item-surroundings.js';
import { ItemTitle } from './item-title.js';
import { LastSteps, OtherSteps, WorkBar } from './work-bar.js';

interface ItemFrameProps extends WorkedItem {
  readonly moreSteps?: ComponentChildren;
  /** The answer. */
  readonly children: ComponentChildren;
}

/** Renders the common part of annotating and adjudicating: the item and its context, the answer, and the steps. */
export function ItemFrame(props: ItemFrameProps) {
  const { item, context, place, edited, steps, hasPrevious, accept, moreSteps, children } = props;
  const { answer, saveState, resolve } = edited;
  return (
    <>
      <ItemTitle item={item} context={context} place={place} />
      {saveState.kind === 'conflict' && <ConflictPanel item={item} conflict={saveState} onChoose={resolve} />}
      <div class="columns">
        {item.split === undefined ? (
          <ItemSurroundings item={item} context={context} />
        ) : (
          <SplitSurroundings task={item.split} context={context} />
        )}
        <section class="answer" aria-labelledby="names" data-item={item.id}>
          {children}
        </section>
      </div>
      <WorkBar
        answer={answer}
        saveState={saveState}
        more={
          <>
            {moreSteps}
            <OtherSteps actions={steps} hasPrevious={hasPrevious} />
          </>
        }
      >
        <LastSteps actions={steps} hasNames={hasNames(answer)} none={KINDS[item.kind].none} accept={accept} />
      </WorkBar>
    </>
  );
}
