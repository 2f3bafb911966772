import type { Edge } from './reading-path.js';

/** What tells, beside its posterior, how often a reading is right. */
export const CONFIDENCE_FEATURES = [
  'belief',
  'listed',
  'commonness',
  'fewLetters',
  'shownShare',
  'severalWords',
  'pieces',
  'known',
  'agree',
  'scattered',
  'hiddenEnding',
] as const;

type ConfidenceFeature = (typeof CONFIDENCE_FEATURES)[number];

/** Maps what is known of a reading to the share of such readings that were right on databases kept apart. */
export interface Calibration {
  readonly weights: Readonly<Record<ConfidenceFeature, number>>;
  readonly offset: number;
  /** The least confidence of what is read: of expansions, and of words that are written together. */
  readonly least: { readonly expanded: number; readonly joined: number };
}

const BOUND = 1e-6;
/** Endings by which words of one stem differ: where their letters are left out, any of them may be meant. */
const ENDING = /(?:ed|ing|ions?|ments?|ers?|ors?|al|ive|ic|ity|ance|ence|age)$/;

const isScattered = ({ hypothesis }: Edge): boolean =>
  hypothesis.manner === 'picked' || hypothesis.manner === 'contracted';

function hasHiddenEnding({ hypothesis: { words }, letters }: Edge): boolean {
  const last = words.at(-1)!;
  const [ending] = ENDING.exec(last) ?? [];
  return ending !== undefined && !letters.endsWith(ending.slice(-2));
}

const KNOWN: ReadonlySet<string> = new Set(['inTable', 'inTableName', 'inDatabase', 'inText']);
const isKnown = ({ context, isOfKeyTable }: Edge): boolean =>
  isOfKeyTable || context.some(([feature, value]) => value > 0 && KNOWN.has(feature));

const shareOf = (edges: readonly Edge[], has: (edge: Edge) => boolean): number =>
  edges.filter(has).length / Math.max(1, edges.length);

/** Features of the reading of a part, which some edges make, and of its posterior. */
export function confidenceFeatures(posterior: number, edges: readonly Edge[]): Readonly<Record<ConfidenceFeature, number>> {
  const bounded = Math.min(1 - BOUND, Math.max(BOUND, posterior));
  const expanded = edges.filter(({ hypothesis }) => hypothesis.isExpanded);
  const listed = expanded.filter(({ hypothesis }) => hypothesis.features.get('listed') > 0);
  const commonness = listed.reduce((sum, { hypothesis }) => sum + hypothesis.features.get('listedCommonness'), 0);
  const letters = expanded.reduce((sum, edge) => sum + edge.letters.length, 0);
  const shown = expanded.reduce((sum, { hypothesis }) => sum + hypothesis.reading.length, 0);
  const agreements = expanded.flatMap(({ others }) => others?.agree ?? []);
  return {
    belief: Math.log(bounded / (1 - bounded)),
    listed: shareOf(expanded, (edge) => listed.includes(edge)),
    commonness: commonness / Math.max(1, listed.length),
    fewLetters: shareOf(expanded, (edge) => edge.letters.length < 3),
    shownShare: letters === 0 ? 0 : Math.log(letters / shown),
    severalWords: shareOf(expanded, ({ hypothesis }) => hypothesis.words.length > 1),
    pieces: edges.length - 1,
    known: shareOf(expanded, isKnown),
    agree: agreements.length === 0 ? 0 : Math.min(...agreements),
    scattered: shareOf(expanded, isScattered),
    hiddenEnding: shareOf(expanded, hasHiddenEnding),
  };
}

/** Probability that a reading is right. */
export function confidenceOf(
  features: Readonly<Record<ConfidenceFeature, number>>,
  { weights, offset }: Pick<Calibration, 'weights' | 'offset'>,
): number {
  const sum = CONFIDENCE_FEATURES.reduce((all, feature) => all + weights[feature] * features[feature], offset);
  return 1 / (1 + Math.exp(-sum));
}
