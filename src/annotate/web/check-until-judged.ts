import type { NameCheck } from '../annotation.js';

/** A judge that is still at it is asked again after this time. */
const AGAIN_MS = 1000;

/**
 * Has a name checked after `restMs`, and again until the judge has spoken, where there is one. Without an answer of the
 * server the name is taken unchecked: checks refuse nothing. Returns how to end that.
 */
export function checkUntilJudged(
  ask: () => Promise<NameCheck>,
  found: (check: NameCheck) => void,
  restMs: number,
): () => void {
  let wanted = true;
  function check(): void {
    ask().then(
      (result) => {
        if (!wanted) return;
        found(result);
        if (result.judged === 'later') timer = setTimeout(check, AGAIN_MS);
      },
      () => undefined,
    );
  }
  let timer = setTimeout(check, restMs);
  return () => {
    wanted = false;
    clearTimeout(timer);
  };
}
