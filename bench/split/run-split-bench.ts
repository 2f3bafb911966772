import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { EnglishParser } from '../../src/compositional/parser/english-parser.js';
import type { DependencyToken } from '../../src/compositional/parser/parse.js';
import { BREAK_RULES } from '../../src/compositional/split/break-rules.js';
import { SchemaPhrases } from '../../src/compositional/split/schema-phrases.js';
import { splitTokens, viewForSplit } from '../../src/compositional/split/split-question.js';
import type { BreakRule } from '../../src/compositional/split/split-rule.js';
import { loadSpiderDataset } from '../../src/formats/spider-dataset.js';
import { elementAt } from '../../src/present.js';
import { type Dataset, PATH_DEFAULTS } from '../../src/formats/dataset.js';
import type { Example } from '../../src/schema/schema.js';
import type { FigureTable } from '../bench-figures.js';
import type { BenchOutput } from '../run-bench.js';
import { type BreakScores, scoreBreaks } from './break-scores.js';
import { PAPER_RULES } from './paper-rules.js';
import { peopleBreaks } from './people-breaks.js';

const recordsSchema = z.array(z.object({ question_md5: z.string(), question_type: z.array(z.int()) }));
const wordsSchema = z.array(z.object({ question_toks: z.array(z.string()) }));

/** A question whose words are known to be those that people split. */
interface Question {
  readonly example: Example;
  readonly tokens: readonly DependencyToken[];
  readonly people: readonly number[];
}

interface Prepared {
  readonly questions: readonly Question[];
  /** Questions left out, as their words are not those of Spider-SS. */
  readonly unknown: number;
  /** Questions whose words have the hash that Spider-SS gives. */
  readonly hashed: number;
}

async function parseAll(root: string, examples: readonly Example[]): Promise<readonly (readonly DependencyToken[])[]> {
  const parser = await EnglishParser.open(join(root, 'models', 'parser'));
  try {
    return await parser.parse(examples.map(({ question }) => question));
  } finally {
    await parser.close();
  }
}

async function prepare(root: string, data: string, { examples }: Dataset): Promise<Prepared> {
  const read = (...path: readonly string[]): unknown => JSON.parse(readFileSync(join(data, ...path), 'utf8'));
  const records = recordsSchema.parse(read('spider-ss', 'dev.json'));
  const words = wordsSchema.parse(read('spider', 'dev.json'));
  const all = [...examples()];
  const parsed = await parseAll(root, all);
  let [unknown, hashed] = [0, 0];
  const questions = all.flatMap((example, at): Question[] => {
    const tokens = elementAt(parsed, at);
    const found = peopleBreaks(example.question, elementAt(words, at).question_toks, tokens, elementAt(records, at));
    if (found === null) unknown++;
    else if (found.certainty === 'hash') hashed++;
    return found === null ? [] : [{ example, tokens, people: found.breaks }];
  });
  return { questions, unknown, hashed };
}

function measure({ questions }: Prepared, { databases }: Dataset, rules: readonly BreakRule[]): BreakScores {
  const phrases = new Map([...databases.values()].map((database) => [database.id, new SchemaPhrases(database)]));
  const found = questions.map(({ example, tokens }) => {
    const mentions = phrases.get(example.dbId)?.find(tokens) ?? [];
    const starts = splitTokens(viewForSplit(tokens, mentions), rules).slice(1);
    return starts.map((start) => elementAt(tokens, start).start);
  });
  return scoreBreaks(
    found,
    questions.map(({ people }) => people),
  );
}

function figuresOf({ unknown, hashed }: Prepared, paper: BreakScores, ours: BreakScores): FigureTable {
  const row = (what: string, { people, found, precision, recall, f1, exact }: BreakScores) => ({
    what,
    people,
    found,
    precision,
    recall,
    f1,
    exact,
  });
  return {
    id: 'split',
    title: 'Breaks of questions against people’s',
    about: `Spider dev against Spider-SS: places of breaks in ${ours.questions} questions (${hashed} by the hash of their words, the others by their number; ${unknown} left out), and the share of questions with the same breaks.`,
    columns: {
      what: { head: 'rules' },
      people: { head: 'breaks of people' },
      found: { head: 'found' },
      precision: { head: 'precision', decimals: 3 },
      recall: { head: 'recall', decimals: 3 },
      f1: { head: 'F1', decimals: 3 },
      exact: { head: 'exact', decimals: 3 },
    },
    rows: {
      paper: row('the dependencies of Spider-SS §2.2 as they are written', paper),
      ours: row('`perturbql split`', ours),
    },
  };
}

/** Measures the split of Spider's dev questions against people's. */
export async function runSplitBench(args: readonly string[], root: string, output: BenchOutput): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { data: { type: 'string', default: '../shared/data' } } });
  const spider = join(values.data, 'spider');
  const [tables, examples] = [join(spider, 'tables.json'), join(spider, 'dev.json')];
  const dataset = loadSpiderDataset({ ...PATH_DEFAULTS, tables, examples });
  const prepared = await prepare(root, values.data, dataset);
  const [paper, ours] = [PAPER_RULES, BREAK_RULES].map((rules) => measure(prepared, dataset, rules)) as [
    BreakScores,
    BreakScores,
  ];
  output.print(JSON.stringify({ paper, ours }, null, 2));
  output.record(figuresOf(prepared, paper, ours));
}
