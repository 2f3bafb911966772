import type { AnnotationItem } from '../../annotation.js';
import { KINDS } from '../kind-words.js';
import { Heading } from './heading.js';

/** Which column of which table, and what is asked of it. */
export function ItemTitle({ item, place }: { readonly item: AnnotationItem; readonly place: string }) {
  const { title } = KINDS[item.kind];
  return (
    <div class="item-title">
      <p class="eyebrow">
        {item.dbId} <span class="dot">/</span> {item.table}
        <span class="place">{place}</span>
      </p>
      <Heading title={`${item.column}: ${title.toLowerCase()}, ${place}`}>
        <span class="tag">{item.kind}</span> <span class="target-name">{item.column}</span>{' '}
        {item.columnOriginal !== item.column && <code>{item.columnOriginal}</code>}
        <span class="hidden">
          , {title.toLowerCase()}, column {place}
        </span>
      </Heading>
    </div>
  );
}
