import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import { mean, sampleCorrelation } from 'simple-statistics';
import { createRng, shuffled } from '../../src/seeded-rng.js';
import type { EntailmentPair, EntailmentScore, StageContext, TargetTable } from '../../src/stage.js';
import type { LabeledPair } from './labeled-pairs.js';
import type { Contender } from './measure-set.js';
import { rocAuc } from './roc-auc.js';

/** The paper's hard cases (ADVETA Table 9): five where the premise entails the hypothesis, five where it does not. */
const HARD_CASES = [
  ['runner-up', 'second place', true],
  ['first name', 'given name', true],
  ['airline code', 'airline number', true],
  ['cartoon air date', 'cartoon release time', true],
  ['book author', 'book written by', true],
  ['student height', 'student altitude', false],
  ['company sales', 'company profits', false],
  ['people killed', 'people injured', false],
  ['population number', 'population code', false],
  ['political party', 'political celebration', false],
] as const;
/** Entailment from which a hard case counts as entailed: more than what is left for the other two labels. */
const ENTAILED = 0.5;
/** Pairs of each NLI set: enough for one percent of standard error. */
const NLI_PAIRS = 1000;

/** Mean scores in both directions, 0 to 1 (ADVETA Table 7). */
interface MeanScores {
  readonly e1: number;
  readonly e2: number;
}

/** How one scorer does in the paper's studies of NLI models (ADVETA appendix B.1). */
export interface StudyRow {
  readonly scorer: string;
  readonly input: string;
  /** Human RPL, one of the ten nearest names, a column from anywhere, each against the same targets. */
  readonly means: { readonly human: MeanScores; readonly nearest: MeanScores | null; readonly random: MeanScores };
  /** ROC AUC of min(e1, e2): human RPL against columns from anywhere. */
  readonly randomAuc: number;
  /** Pearson correlation of (e1 + e2) / 2 with the human score (ADVETA Table 8); null without the file. */
  readonly simlex: number | null;
  /** Of the ten hard cases, how many are on their side of 0.5. */
  readonly hardCases: number;
  /** Three-way accuracy by NLI set; null for scorers that know no labels. */
  readonly nli: Readonly<Record<string, number>> | null;
}

/** What the studies draw on, the same for every scorer. */
export interface StudyData {
  readonly human: readonly LabeledPair[];
  readonly entityOf: (target: TargetTable) => string;
  /** The ten nearest names of a name; null without word vectors. */
  readonly nearest: ((name: string) => readonly string[]) | null;
  readonly simlex: readonly (readonly [string, string, number])[] | null;
  readonly nli: ReadonlyMap<string, readonly LabeledSentences[]>;
  readonly seed: number;
}

/** A premise and a hypothesis with their label. */
interface LabeledSentences extends EntailmentPair {
  readonly label: 'contradiction' | 'neutral' | 'entailment';
}

/** SimLex-999's pairs with their human scores, 0 to 10; null where the file is absent. */
export function loadSimLex(dataFolder: string): StudyData['simlex'] {
  const file = join(dataFolder, 'words', 'simlex999.txt');
  if (!existsSync(file)) return null;
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines.map((line) => {
    const [a = '', b = '', score = ''] = line.split('\t');
    return [a, b, Number(score)] as const;
  });
}

/** Name of a set: `sick_test` and `sick_train` are both SICK. */
const setOf = (source: string): string => source.split('_')[0]!;

/** A seeded sample of the sentence pairs that no judge of ours has learned from: SICK, MED and HELP; empty without the file. */
export async function loadUnseenNli(dataFolder: string, seed: number): Promise<StudyData['nli']> {
  const file = join(dataFolder, 'nli', 'nli.jsonl.gz');
  const bySet = new Map<string, LabeledSentences[]>();
  if (!existsSync(file)) return bySet;
  for await (const line of createInterface({ input: createReadStream(file).pipe(createGunzip()) })) {
    const { source, ...pair } = JSON.parse(line) as LabeledSentences & { source: string };
    const set = setOf(source);
    if (set === 'breaking') continue;
    bySet.set(set, [...(bySet.get(set) ?? []), pair]);
  }
  return new Map([...bySet].map(([set, pairs]) => [set, shuffled(pairs, createRng(seed, set)).slice(0, NLI_PAIRS)]));
}

type BothWays = readonly [EntailmentScore, EntailmentScore];

/** Measures one scorer in every study that the data allows. */
export async function measureStudies(
  { scorer, input }: Contender,
  data: StudyData,
  context: StageContext,
): Promise<StudyRow> {
  const score = (pairs: readonly EntailmentPair[]): Promise<readonly EntailmentScore[]> => scorer.score(pairs, context);
  const both = async (pairs: readonly (readonly [string, string])[]): Promise<readonly BothWays[]> => {
    const scores = await score(
      pairs.flatMap(([a, b]) => [
        { premise: a, hypothesis: b },
        { premise: b, hypothesis: a },
      ]),
    );
    return pairs.map((_, i) => [scores[2 * i]!, scores[2 * i + 1]!]);
  };
  const statements = (names: readonly (string | null)[]): (readonly [string, string])[] =>
    data.human.flatMap(({ target, column }, i) => {
      const { name, type } = target.table.columns[column]!;
      const render = (text: string): string => input.render(data.entityOf(target), text, type);
      return names[i] == null ? [] : [[render(name), render(names[i])] as const];
    });
  const human = await both(statements(data.human.map(({ candidate }) => candidate)));
  const random = await both(statements(drawAnywhere(data)));
  const nearest = data.nearest === null ? null : await both(statements(drawNearest(data)));
  const word = (text: string): string => input.render('', text, 'text');
  const hard = await both(HARD_CASES.map(([a, b]) => [word(a), word(b)] as const));
  return {
    scorer: scorer.id,
    input: input.id,
    means: { human: means(human), nearest: nearest === null ? null : means(nearest), random: means(random) },
    randomAuc: rocAuc(human.map(lower), random.map(lower)),
    simlex: data.simlex === null ? null : await correlate(data.simlex, both, word),
    hardCases: hard.filter(([{ entailment }], i) => entailment > ENTAILED === HARD_CASES[i]![2]).length,
    nli: scorer.id === 'nli' ? await accuracies(data.nli, score) : null,
  };
}

function drawAnywhere({ human, seed }: StudyData): string[] {
  const rng = createRng(seed, 'random');
  const names = human.map(({ target, column }) => target.table.columns[column]!.name);
  return names.map((name) => {
    const others = names.filter((other) => other !== name);
    return others[rng.int(others.length)]!;
  });
}

function drawNearest({ human, nearest, seed }: StudyData): (string | null)[] {
  const rng = createRng(seed, 'nearest');
  return human.map(({ target, column }) => {
    const found = nearest!(target.table.columns[column]!.name);
    return found.length === 0 ? null : found[rng.int(found.length)]!;
  });
}

const lower = ([forward, backward]: BothWays): number => Math.min(forward.entailment, backward.entailment);

function means(scores: readonly BothWays[]): MeanScores {
  return {
    e1: mean(scores.map(([{ entailment }]) => entailment)),
    e2: mean(scores.map(([, { entailment }]) => entailment)),
  };
}

async function correlate(
  pairs: NonNullable<StudyData['simlex']>,
  both: (pairs: readonly (readonly [string, string])[]) => Promise<readonly BothWays[]>,
  render: (text: string) => string,
): Promise<number> {
  const scores = await both(pairs.map(([a, b]) => [render(a), render(b)] as const));
  return sampleCorrelation(
    scores.map(([{ entailment: e1 }, { entailment: e2 }]) => (e1 + e2) / 2),
    pairs.map(([, , human]) => human),
  );
}

async function accuracies(
  sets: StudyData['nli'],
  score: (pairs: readonly EntailmentPair[]) => Promise<readonly EntailmentScore[]>,
): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const [set, pairs] of sets) {
    const scores = await score(pairs);
    found[set] = mean(pairs.map(({ label }, i) => (likeliest(scores[i]!) === label ? 1 : 0)));
  }
  return found;
}

function likeliest({ entailment, neutral, contradiction }: EntailmentScore): LabeledSentences['label'] {
  if (entailment >= neutral && entailment >= contradiction) return 'entailment';
  return neutral >= contradiction ? 'neutral' : 'contradiction';
}

const STUDY_COLUMNS = [
  'scorer',
  'input',
  'mean e1 / e2: human RPL',
  'nearest names',
  'random columns',
  'AUC, human RPL against random',
  'SimLex-999, Pearson',
  'hard cases of 10',
  'NLI accuracy, unseen sets',
];

const twoDecimals = (value: number): string => value.toFixed(2);
const renderMeans = (scores: MeanScores | null): string =>
  scores === null ? '–' : `${twoDecimals(scores.e1)} / ${twoDecimals(scores.e2)}`;

/** The studies as a Markdown table. */
export function renderStudies(rows: readonly StudyRow[]): string {
  const lines = rows.map(({ scorer, input, means: { human, nearest, random }, randomAuc, simlex, hardCases, nli }) =>
    [
      scorer,
      input,
      ...[human, nearest, random].map(renderMeans),
      randomAuc.toFixed(3),
      simlex === null ? '–' : simlex.toFixed(3),
      String(hardCases),
      nli === null
        ? '–'
        : Object.entries(nli)
            .map(([set, accuracy]) => `${set.toUpperCase()} ${twoDecimals(accuracy)}`)
            .join(', '),
    ].join(' | '),
  );
  return [
    '## The paper’s studies (appendix B.1)',
    '',
    `| ${STUDY_COLUMNS.join(' | ')} |`,
    `| ${STUDY_COLUMNS.map(() => '---').join(' | ')} |`,
    ...lines.map((line) => `| ${line} |`),
    '',
    'The paper’s RoBERTa-MNLI: 0.77 / 0.76, 0.52 / 0.59, 0.17 / 0.15; SimLex-999 0.70; all ten hard cases.',
  ].join('\n');
}
