import { useState } from 'preact/hooks';
import type { CandidateScores } from '../annotation.js';
import { useDesk } from './desk.js';

/** Scores by name, hidden until asked for: they would lead the annotator (issue 7). */
export function useScores(id: string): {
  readonly shown: ReadonlyMap<string, CandidateScores> | null;
  readonly flip: () => void;
} {
  const { api, say } = useDesk();
  const [shown, setShown] = useState<ReadonlyMap<string, CandidateScores> | null>(null);
  function flip(): void {
    if (shown !== null) {
      setShown(null);
      say('Scores are hidden.');
      return;
    }
    api.scores(id).then(
      (scores) => {
        setShown(new Map(scores.map((score) => [score.name, score])));
        say('Scores are shown.');
      },
      (error: Error) => say(`No scores: ${error.message}.`),
    );
  }
  return { shown, flip };
}
