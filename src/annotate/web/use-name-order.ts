import type { AnnotationItem, ListedCandidate } from '../annotation.js';
import { useDesk } from './desk.js';
import { hardestFirst, hasDifficulty } from './difficulty-order.js';
import { useKeptFlag } from './use-kept-flag.js';

/** The names of an item in the order that they are shown in. */
export interface NameOrder {
  readonly candidates: readonly ListedCandidate[];
  readonly isHardestFirst: boolean;
  /** Turns to the other order; null where the names have no difficulty. */
  readonly flip: (() => void) | null;
}

/** The names as listed, or from hard to easy where that was asked for, on whatever column. */
export function useNameOrder({ candidates }: AnnotationItem): NameOrder {
  const { say } = useDesk();
  const [isOn, flip] = useKeptFlag('hardest-first');
  if (!hasDifficulty(candidates)) return { candidates, isHardestFirst: false, flip: null };
  return {
    candidates: isOn ? hardestFirst(candidates) : candidates,
    isHardestFirst: isOn,
    flip: () => {
      flip();
      say(isOn ? 'Names are as listed.' : 'The hardest names come first.');
    },
  };
}
