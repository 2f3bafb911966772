import type { CandidateDecision } from '../../formats/artifacts/candidates.js';
import type { DifficultyRater } from '../../perturb/candidate-difficulty.js';
import { spacedName } from '../../schema/name-identity.js';
import { sourceTraits } from '../../stage.js';
import type { NameKind, CandidateScores, ListedCandidate } from '../annotation.js';

/** A list to choose from, and what the pipeline thought of each name. */
export interface CandidateList {
  readonly candidates: readonly ListedCandidate[];
  readonly scores: readonly CandidateScores[];
}

const lower = ({ e1, e2 }: CandidateDecision): number => Math.min(e1 ?? 0, e2 ?? e1 ?? 0);
const upper = ({ e1, e2 }: CandidateDecision): number => Math.max(e1 ?? 1, e2 ?? e1 ?? 1);

/** Rejections of names that the judge found distinct from the target: the last to replace it. */
const DISTINCT = new Set(['unassociated', 'enough-additions', 'entailed-by-other']);

/** Rejections of names that were open to ADD, and went too little with the table or less than others. */
const LESS_ASSOCIATED = new Set(['unassociated', 'enough-additions']);

/** How far a decision is from one that accepts the kind, in order of rank and then of distance; null where it can't be one. */
function distanceFrom(kind: NameKind, decision: CandidateDecision): readonly [rank: number, distance: number] | null {
  const { bucket, reason, e1, source, association, similarity } = decision;
  // Of additions, those close to the column come before those that merely belong to the row.
  if (bucket === kind) return [0, decision.goes_with === 'row' ? 1 : 0];
  // What goes too little with the table was not judged, and yet is well formed.
  if (e1 === null && !LESS_ASSOCIATED.has(reason)) return null;
  if ((sourceTraits(source).bucket ?? kind) !== kind) return null;
  if (kind === 'RPL') {
    // Of distinct names entailment is noise: word vectors say which are of the same sort at least (ADVETA §4.2).
    return bucket === 'ADD' || DISTINCT.has(reason) ? [2, -(similarity ?? -1)] : [1, -lower(decision)];
  }
  if (bucket === 'RPL') return null;
  if (LESS_ASSOCIATED.has(reason)) return [e1 === null ? 3 : 1, -(association ?? 0)];
  return [2, upper(decision)];
}

function toScores(decision: CandidateDecision): CandidateScores {
  const { candidate, bucket, reason, similarity, association, e1, e2, goes_with: goesWith } = decision;
  const scores = { name: candidate, bucket, reason, similarity, association, e1, e2 };
  return goesWith === undefined ? scores : { ...scores, goesWith };
}

function toListed(decision: CandidateDecision, difficulty: number): ListedCandidate {
  const { candidate, source, origin } = decision;
  const place = origin === null ? null : { table: origin.table, title: origin.title, column: origin.column };
  return { name: candidate, source, origin: place, difficulty };
}

/**
 * The list of a column for one kind, at most `length` names: what the pipeline accepted, in its order, then what else it
 * judged, what came nearest first, since annotators had full lists (ADVETA §3.1). For RPL that is by entailment, and
 * last, by similarity, what is distinct from the target; for ADD first what lacked association alone, then what lies
 * nearest to being distinct. Names that a naturalness rule turned down unjudged are not listed: misspelled or offensive
 * ones, names that the table has … Each has the difficulty that it would have if it were taken.
 */
export function listCandidates(
  decisions: readonly CandidateDecision[],
  kind: NameKind,
  length: number,
  rater: Pick<DifficultyRater, 'difficultyOf'>,
): CandidateList {
  const ranked = decisions.flatMap((decision) => {
    const distance = distanceFrom(kind, decision);
    return distance === null ? [] : [{ decision, distance }];
  });
  ranked.sort(({ distance: [a, x] }, { distance: [b, y] }) => a - b || x - y);
  const distinct = new Map<string, CandidateDecision>();
  for (const { decision } of ranked) {
    const key = spacedName(decision.candidate);
    if (!distinct.has(key)) distinct.set(key, decision);
  }
  const chosen = [...distinct.values()].slice(0, length);
  return {
    candidates: chosen.map((one) => toListed(one, rater.difficultyOf(one, kind))),
    scores: chosen.map(toScores),
  };
}
