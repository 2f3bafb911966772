import { useEffect, useState } from 'preact/hooks';
import type { NameCheck } from '../annotation.js';
import { useDesk } from './desk.js';

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

/** Typing rests this long before a name is checked. */
const REST_MS = 250;

/** Returns the objections to the name being written, or null until the server has answered. */
export function useNameCheck(id: string, text: string): NameCheck | null {
  const { api } = useDesk();
  const [check, setCheck] = useState<NameCheck | null>(null);
  useEffect(() => {
    setCheck(null);
    return text.trim() === '' ? undefined : checkUntilJudged(() => api.check(id, text), setCheck, REST_MS);
  }, [id, text]);
  return check;
}

/** Returns the objections to names written before. */
export function useNameChecks(id: string, names: readonly string[]): ReadonlyMap<string, NameCheck> {
  const { api } = useDesk();
  const [checks, setChecks] = useState<ReadonlyMap<string, NameCheck>>(new Map());
  useEffect(() => {
    const open = names.filter((name) => (checks.get(name)?.judged ?? 'later') === 'later');
    const ends = open.map((name) =>
      checkUntilJudged(
        () => api.check(id, name),
        (check) => setChecks((last) => new Map(last).set(name, check)),
        0,
      ),
    );
    return () => ends.forEach((end) => end());
  }, [id, names.join('\n')]);
  return checks;
}
