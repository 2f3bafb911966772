import { FeatureVector } from './features.js';
import type { Edge, OthersSay, Path, Unit } from './reading-path.js';
import { NO_WORD, type Transitions } from './transitions.js';

function addOthers(
  sum: FeatureVector,
  { agree, agreeDatabase, habit, elsewhere, topicRead, topicNear }: OthersSay,
): void {
  if (agree !== null) sum.add('agree', agree).add('disagree', 1 - agree);
  if (agreeDatabase !== null) sum.add('agreeDatabase', agreeDatabase);
  sum.add('habit', habit).add('elsewhere', elsewhere).add('topicRead', topicRead).add('topicNear', topicNear);
}

function addEdge(sum: FeatureVector, edge: Edge, { isInner, before }: Path, transitions: Transitions): void {
  const { hypothesis, letters, context, isOfKeyTable, others } = edge;
  if (isInner) sum.add('inner').add('innerShort', letters.length < 3 ? 1 : 0);
  for (const [i, value] of hypothesis.features.values.entries()) sum.values[i]! += value;
  for (const [feature, value] of context) sum.add(feature, value);
  if (isOfKeyTable) sum.add('inKeyTable');
  if (others !== null) addOthers(sum, others);
  if (hypothesis.first === NO_WORD || before!.word === NO_WORD) return;
  for (const [feature, value] of transitions.values(before!.word, hypothesis.first)) sum.add(feature, value);
}

/** Features of a whole path of a unit, for whoever fits weights. */
export function pathFeatures(path: Path, { type }: Unit, transitions: Transitions): FeatureVector {
  const sum = new FeatureVector();
  for (let at: Path | null = path; at?.before != null; at = at.before) {
    if (at.edge !== null) addEdge(sum, at.edge, at, transitions);
    // Without an edge, a path that has a word has come to its end.
    else if (at.word !== NO_WORD)
      for (const [feature, value] of transitions.endValues(at.word, type)) sum.add(feature, value);
  }
  return sum;
}
