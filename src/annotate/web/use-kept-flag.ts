import { useState } from 'preact/hooks';

/** True if only the harder columns of a chunk are shown. */
export const ONLY_HARD = 'only-hard';

/** A choice of yes or no that this browser keeps, no at first; and what turns it over. */
export function useKeptFlag(name: string): readonly [on: boolean, flip: () => void] {
  const keptAs = `perturbql.${name}`;
  const [on, setOn] = useState(() => localStorage.getItem(keptAs) !== null);
  function flip(): void {
    if (on) localStorage.removeItem(keptAs);
    else localStorage.setItem(keptAs, 'yes');
    setOn(!on);
  }
  return [on, flip];
}
