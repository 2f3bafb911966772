import { useState } from 'preact/hooks';

type KeptAnswers = Readonly<Record<string, readonly string[]>>;

/** The names taken in a qualification round, by item; kept in this browser until there are none. */
export function useKeptAnswers(owner: string): readonly [KeptAnswers, (answers: KeptAnswers) => void] {
  const keptAs = `perturbql.qualification.${owner}`;
  const [answers, setAnswers] = useState(() => JSON.parse(localStorage.getItem(keptAs) ?? '{}') as KeptAnswers);
  function keep(next: KeptAnswers): void {
    if (Object.keys(next).length === 0) localStorage.removeItem(keptAs);
    else localStorage.setItem(keptAs, JSON.stringify(next));
    setAnswers(next);
  }
  return [answers, keep];
}
