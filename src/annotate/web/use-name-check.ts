import { useEffect, useState } from 'preact/hooks';
import type { NameCheck } from '../annotation.js';
import { checkUntilJudged } from './check-until-judged.js';
import { useDesk } from './desk.js';

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
