import type { ComposedExample } from '../../src/formats/artifacts/compositions.js';
import type { EnglishParser } from '../../src/compositional/parser/english-parser.js';
import type { DependencyToken } from '../../src/compositional/parser/parse.js';
import { SchemaPhrases } from '../../src/compositional/split/schema-phrases.js';
import { splitTokens, viewForSplit } from '../../src/compositional/split/split-question.js';
import { itemAt } from '../../src/present.js';
import type { Database } from '../../src/schema/schema.js';

/** How sub-sentences of composed questions come back when these are split again (Spider-SS, Table 4). */
interface Stability {
  readonly questions: number;
  readonly segments: number;
  /** Shares of sub-sentences that come back but for so many tokens. */
  readonly same: number;
  readonly withinOne: number;
  readonly withinTwo: number;
}

/** Tokens [first, end). */
type Run = readonly [first: number, end: number];

function runsOf(starts: readonly number[], count: number): readonly Run[] {
  return starts.map((first, i): Run => [first, starts[i + 1] ?? count]);
}

/** The tokens that the sub-sentences of a composed question begin with. */
function composedStarts({ segments }: ComposedExample, tokens: readonly DependencyToken[]): readonly number[] {
  let place = 0;
  return segments.map(({ text }) => {
    const at = tokens.findIndex(({ end }) => end > place);
    place += text.length;
    return at;
  });
}

/** The fewest tokens that are in a run and not in one of others, or the other way around. */
function deviation([first, end]: Run, others: readonly Run[]): number {
  return Math.min(...others.map(([from, to]) => Math.abs(first - from) + Math.abs(end - to)));
}

/** Splits composed questions again, from the question alone, and compares their sub-sentences. */
export async function measureStability(
  composed: readonly ComposedExample[],
  databases: ReadonlyMap<string, Database>,
  parser: EnglishParser,
): Promise<Stability> {
  const phrases = new Map([...databases.values()].map((database) => [database.id, new SchemaPhrases(database)]));
  const parsed = await parser.parse(composed.map(({ question }) => question));
  const deviations = composed.flatMap((example, i) => {
    const tokens = itemAt(parsed, i);
    const again = splitTokens(viewForSplit(tokens, phrases.get(example.db_id)?.find(tokens) ?? []));
    const found = runsOf(again, tokens.length);
    return runsOf(composedStarts(example, tokens), tokens.length).map((run) => deviation(run, found));
  });
  const within = (most: number): number =>
    deviations.filter((tokens) => tokens <= most).length / Math.max(1, deviations.length);
  return {
    questions: composed.length,
    segments: deviations.length,
    same: within(0),
    withinOne: within(1),
    withinTwo: within(2),
  };
}
