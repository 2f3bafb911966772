import type { AnnotationItem, ItemContext } from '../../annotation.js';
import { readingWords } from '../item-words.js';
import { KINDS } from '../kind-words.js';
import { Heading } from './heading.js';

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
