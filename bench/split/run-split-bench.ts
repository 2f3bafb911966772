import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { COMPOSITION_KINDS } from '../../src/formats/artifacts/compositions.js';
import { EnglishParser } from '../../src/compositional/parser/english-parser.js';
import { type Dataset, PATH_DEFAULTS } from '../../src/formats/dataset.js';
import { loadSpiderDataset } from '../../src/formats/spider-dataset.js';
import type { FigureTable } from '../bench-figures.js';
import type { BenchOutput } from '../run-bench.js';
import { spiderSsQuestions, trainQuestions } from './annotated-questions.js';
import type { BreakScores } from './break-scores.js';
import { composedOf, composedSources } from './composed-questions.js';
import { measureRules, measureWithGold } from './measure-split.js';
import { PAPER_RULES } from './paper-rules.js';
import { measureStability } from './stability.js';

/** The paper's similarities of dev (Table 4), in percent. */
const TABLE_4 = { SUB: { withinOne: 92.9, withinTwo: 94.1 }, APP: { withinOne: 88.9, withinTwo: 92.6 } } as const;

/** Where the bench reads from. */
interface Place {
  readonly root: string;
  readonly data: string;
  readonly parser: EnglishParser;
}

function spider(data: string, file: string): Dataset {
  const folder = join(data, 'spider');
  return loadSpiderDataset({ ...PATH_DEFAULTS, tables: join(folder, 'tables.json'), examples: join(folder, file) });
}

function row(what: string, { people, found, precision, recall, f1, exact, questions }: BreakScores) {
  return { what, questions, people, found, precision, recall, f1, exact };
}

function splitTable(about: string, rows: FigureTable['rows']): FigureTable {
  return {
    id: 'split',
    title: 'Breaks of questions against people’s',
    about,
    columns: {
      what: { head: 'rules' },
      questions: { head: 'questions' },
      people: { head: 'breaks of people' },
      found: { head: 'found' },
      precision: { head: 'precision', decimals: 3 },
      recall: { head: 'recall', decimals: 3 },
      f1: { head: 'F1', decimals: 3 },
      exact: { head: 'exact', decimals: 3 },
    },
    rows,
  };
}

async function trainRows({ root, data, parser }: Place): Promise<FigureTable['rows']> {
  const dataset = spider(data, 'train.json');
  const questions = await trainQuestions(root, dataset, parser);
  return {
    'train-ours': row('train: `perturbql split`', measureRules(questions, dataset)),
    'train-gold': row('train: with the query', measureWithGold(questions, dataset)),
  };
}

async function devTable(place: Place): Promise<FigureTable> {
  const dataset = spider(place.data, 'dev.json');
  const { questions, hashed, unknown } = await spiderSsQuestions(place.data, dataset, place.parser);
  const about = `Spider dev against Spider-SS: places of breaks in ${questions.length} questions (${hashed} by the hash of their words, the others by their number; ${unknown} left out), and the share of questions with the same breaks. The rows of train are questions of Spider train that we annotated to make the rules (bench/split/train-breaks.json).`;
  return splitTable(about, {
    paper: row('the dependencies of Spider-SS §2.2 as they are written', measureRules(questions, dataset, PAPER_RULES)),
    ours: row('`perturbql split`', measureRules(questions, dataset)),
    gold: row('`perturbql split` with the query', measureWithGold(questions, dataset)),
    ...(await trainRows(place)),
  });
}

async function stabilityTable({ data, parser }: Place): Promise<FigureTable> {
  const dataset = spider(data, 'dev.json');
  const rows: Record<string, Record<string, number | string>> = {};
  for (const kind of COMPOSITION_KINDS) rows[`paper-${kind}`] = { what: `Spider-SS, CG-${kind}`, ...TABLE_4[kind] };
  for (const [name, source] of Object.entries(composedSources(join(data, 'spider-ss', 'dev.json'), parser))) {
    const composed = await composedOf(dataset, source);
    for (const kind of COMPOSITION_KINDS) {
      const own = composed.filter((example) => example.kind === kind);
      const { questions, segments, ...shares } = await measureStability(own, dataset.databases, parser);
      const percent = Object.entries(shares).map(([key, share]): [string, number] => [key, share * 100]);
      rows[`${name}-${kind}`] = { what: `${name}, ${kind}`, questions, segments, ...Object.fromEntries(percent) };
    }
  }
  return {
    id: 'split-stability',
    title: 'Composed questions split again',
    about:
      'Sub-sentences of questions composed of Spider dev, without execution, that come back when the composed question is split again from its text alone: the same, and within one and two tokens, in percent (Spider-SS, Table 4). `automatic`: composed of sub-sentences that the same rules found, as in the paper; `annotated`: of people’s.',
    columns: {
      what: { head: 'composed of' },
      questions: { head: 'questions' },
      segments: { head: 'sub-sentences' },
      same: { head: 'same, %', decimals: 1 },
      withinOne: { head: 'within 1, %', decimals: 1 },
      withinTwo: { head: 'within 2, %', decimals: 1 },
    },
    rows,
  };
}

/**
 * Measures the split of questions against people's, and its stability. `--only train` scores our own annotation alone,
 * by which rules are made; `--only stability` splits composed questions again.
 */
export async function runSplitBench(args: readonly string[], root: string, output: BenchOutput): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: { data: { type: 'string', default: '../shared/data' }, only: { type: 'string' } },
  });
  const parser = await EnglishParser.open(join(root, 'models', 'parser'));
  const place: Place = { root, data: values.data, parser };
  const isWanted = (part: string): boolean => values.only === undefined || values.only === part;
  try {
    if (values.only === 'train') output.print(JSON.stringify(await trainRows(place), null, 2));
    const tables = [
      ...(isWanted('dev') ? [await devTable(place)] : []),
      ...(isWanted('stability') ? [await stabilityTable(place)] : []),
    ];
    for (const table of tables) {
      output.print(JSON.stringify(table.rows, null, 2));
      output.record(table);
    }
  } finally {
    await parser.close();
  }
}
