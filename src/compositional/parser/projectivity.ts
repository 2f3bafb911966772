import { itemAt } from '../../present.js';

/** Between a label and that of the head which a token was lifted from (Nivre and Nilsson 2005, scheme HEAD). */
const LIFTED = '||';

/** A token's place in a tree, as it may be moved. */
export interface Arc {
  head: number;
  label: string;
}

/** The first token below a head, level by level and from left to right, that has a label. */
function findBelow(
  arcs: readonly Arc[],
  child: number,
  label: string,
  isWhite: (at: number) => boolean,
): number | null {
  const children = childrenOf(arcs);
  const seen = new Set([child]);
  for (let level = [itemAt(arcs, child).head]; level.length > 0;) {
    const next: number[] = [];
    for (const at of level.flatMap((head) => itemAt(children, head))) {
      if (seen.has(at) || isWhite(at)) continue;
      if (itemAt(arcs, at).label === label) return at;
      seen.add(at);
      next.push(at);
    }
    level = next;
  }
  return null;
}

function childrenOf(arcs: readonly Arc[]): readonly (readonly number[])[] {
  const children = arcs.map((): number[] => []);
  arcs.forEach(({ head }, at) => {
    if (head !== at) itemAt(children, head).push(at);
  });
  return children;
}

/**
 * Puts tokens back below the head that they were lifted from so that no arcs cross: "prep||nsubj" becomes "prep" below
 * the first "nsubj" below its head. Changes the list.
 */
export function restoreLifted(arcs: Arc[], isWhite: (at: number) => boolean): void {
  for (const [child, arc] of arcs.entries()) {
    const [label = '', headLabel] = arc.label.split(LIFTED);
    if (headLabel === undefined) continue;
    arc.head = findBelow(arcs, child, headLabel, isWhite) ?? arc.head;
    arc.label = label;
  }
}
