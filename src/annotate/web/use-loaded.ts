import { useCallback, useEffect, useState } from 'preact/hooks';
import { ServerAwayError } from './api-client.js';

const RETRY_MS = 1500;

/** The state of a load so far. `away`: the server gives no answer, and is asked again automatically. */
export interface Loaded<T> {
  readonly value: T | null;
  readonly error: Error | null;
  readonly away: boolean;
  readonly reload: () => void;
}

/** Loads when `key` changes; what was loaded for another key is never shown. */
export function useLoaded<T>(key: string, load: () => Promise<T>): Loaded<T> {
  const [round, setRound] = useState(0);
  const [state, setState] = useState<{ key: string; value: T | null; error: Error | null }>({
    key,
    value: null,
    error: null,
  });
  const reload = useCallback(() => setRound((last) => last + 1), []);
  useEffect(() => {
    let current = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    load().then(
      (value) => current && setState({ key, value, error: null }),
      (error: Error) => {
        if (!current) return;
        setState((last) => ({ key, value: last.key === key ? last.value : null, error }));
        if (error instanceof ServerAwayError) timer = setTimeout(reload, RETRY_MS);
      },
    );
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [key, round]);
  const { value, error } = state.key === key ? state : { value: null, error: null };
  return { value, error, away: error instanceof ServerAwayError, reload };
}
