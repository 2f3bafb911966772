import { useEffect, useState } from 'preact/hooks';
import type { NameCheck } from '../annotation.js';
import { useDesk } from './desk.js';

/** Typing rests this long before a name is checked. */
const REST_MS = 250;

/** What speaks against the name that is being written; null until the server has said so. */
export function useNameCheck(id: string, text: string): NameCheck | null {
  const { api } = useDesk();
  const [check, setCheck] = useState<NameCheck | null>(null);
  useEffect(() => {
    setCheck(null);
    if (text.trim() === '') return;
    let current = true;
    const timer = setTimeout(() => {
      // Without an answer the name is taken unchecked: checks refuse nothing.
      api.check(id, text).then(
        (found) => current && setCheck(found),
        () => undefined,
      );
    }, REST_MS);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [id, text]);
  return check;
}

/** What speaks against names that were written before. */
export function useNameChecks(id: string, names: readonly string[]): ReadonlyMap<string, NameCheck> {
  const { api } = useDesk();
  const [checks, setChecks] = useState<ReadonlyMap<string, NameCheck>>(new Map());
  useEffect(() => {
    let current = true;
    for (const name of names.filter((one) => !checks.has(one))) {
      api.check(id, name).then(
        (found) => current && setChecks((last) => new Map(last).set(name, found)),
        () => undefined,
      );
    }
    return () => {
      current = false;
    };
  }, [id, names.join('\n')]);
  return checks;
}
