import type { ComponentChildren } from 'preact';
import { hasNames } from '../answer-edits.js';
import { KINDS, readingWords } from '../words.js';
import { ItemSurroundings, SplitSurroundings } from './item-surroundings.js';
import type { WorkedItem } from '../use-item.js';
import { ConflictPanel } from './versions.js';
import { LastSteps, OtherSteps, WorkBar } from './work-bar.js';
import type { AnnotationItem, ItemContext } from '../../annotation.js';
import { Heading } from './screen-parts.js';

interface ItemTitleProps {
  readonly item: AnnotationItem;
  readonly context: ItemContext;
  readonly place: string;
}

/** Which column of which table, or which question, and what is asked of it. */
export function ItemTitle({ item, context, place }: ItemTitleProps) {
  const { title } = KINDS[item.kind];
  const name = item.split?.example ?? item.column;
  const column = context.columns.find(({ originalName }) => originalName === item.columnOriginal);
  const noun = item.split === undefined ? 'column' : 'question';
  return (
    <div class="item-title">
      <p class="eyebrow">
        {item.dbId}
        {item.split === undefined && (
          <>
            {' '}
            <span class="dot">/</span> {item.table}
          </>
        )}
        <span class="place">{place}</span>
      </p>
      <Heading title={`${name}: ${title.toLowerCase()}, ${place}`}>
        <span class="tag">{item.kind}</span> <span class="target-name">{name}</span>{' '}
        {item.split === undefined && item.columnOriginal !== item.column && <code>{item.columnOriginal}</code>}
        {item.split === undefined && column?.readingConfidence !== undefined && (
          <span class="soft"> {readingWords(column.readingConfidence)}</span>
        )}
        <span class="hidden">
          , {title.toLowerCase()}, {noun} {place}
        </span>
      </Heading>
    </div>
  );
}

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
