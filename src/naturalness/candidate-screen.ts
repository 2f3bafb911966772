import { type Candidate, sourceTraits, type TargetColumn } from '../stage.js';

/** For each bucket the id of the rule that closes it to a candidate; null = open. */
export interface ScreenResult {
  readonly rpl: string | null;
  readonly add: string | null;
}

/**
 * Checks whether the dictionary proposes the name, alone or with retrieval: it then says the same, in a form that fits.
 */
export function isOfDictionary({ source, inDictionary }: Candidate): boolean {
  return sourceTraits(source).knownBy === 'dictionary' || inDictionary === true;
}

/** All rules in force, asked in order; the first that objects names the reason. */
export interface CandidateScreen {
  readonly fingerprint: string;
  check(candidate: Candidate, target: TargetColumn): Promise<ScreenResult>;
}
