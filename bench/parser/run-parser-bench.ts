import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { EnglishParser } from '../../src/compositional/parser/english-parser.js';
import type { DependencyToken } from '../../src/compositional/parser/parse.js';
import { itemAt } from '../../src/present.js';
import type { FigureTable } from '../bench-figures.js';
import { ownSeconds } from '../metrics/cpu-time.js';
import type { BenchOutput } from '../run-bench.js';

const SETS = ['dev', 'train'] as const;
const MIN_EQUAL = 0.99;
const MIN_PER_SECOND = 2000;

const parsesSchema = z.array(
  z.object({ text: z.string(), tokens: z.array(z.tuple([z.string(), z.string(), z.int(), z.string()])) }),
);
type Parses = z.infer<typeof parsesSchema>;

interface Measured {
  readonly questions: number;
  readonly tokens: number;
  /** Shares of tokens with spaCy's head and label, and with its tag. */
  readonly attachment: number;
  readonly tags: number;
  /** Questions that are in other tokens. */
  readonly otherTokens: number;
  /** Questions a CPU second, the best of the rounds. */
  readonly perSecond: number;
}

/** spaCy's own parses, made by the exporting script. */
function parseWithSpacy(python: string, root: string, questions: readonly string[]): Parses {
  const folder = mkdtempSync(join(tmpdir(), 'bench-parser-'));
  const [texts, parses] = [join(folder, 'texts.txt'), join(folder, 'parses.json')];
  writeFileSync(texts, questions.join('\n'));
  try {
    const script = join(root, 'training', 'export_parser.py');
    execFileSync(python, [script, '--texts', texts, '--check', parses], { stdio: ['ignore', 'ignore', 'inherit'] });
    return parsesSchema.parse(JSON.parse(readFileSync(parses, 'utf8')));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function fastest(parser: EnglishParser, texts: readonly string[], rounds: number): Promise<number> {
  let best = 0;
  for (let round = 0; round < rounds; round++) {
    const before = ownSeconds();
    await parser.parse(texts);
    best = Math.max(best, texts.length / (ownSeconds() - before));
  }
  return best;
}

function compare(expected: Parses, parsed: readonly (readonly DependencyToken[])[]): Omit<Measured, 'perSecond'> {
  let [tokens, arcs, tags, otherTokens] = [0, 0, 0, 0];
  expected.forEach(({ tokens: wanted }, at) => {
    const found = itemAt(parsed, at);
    tokens += wanted.length;
    if (wanted.map(([text]) => text).join('\n') !== found.map(({ text }) => text).join('\n')) {
      otherTokens++;
      return;
    }
    wanted.forEach(([, tag, head, label], i) => {
      const token = itemAt(found, i);
      if (token.head === head && token.label === label) arcs++;
      if (token.tag === tag) tags++;
    });
  });
  return { questions: expected.length, tokens, attachment: arcs / tokens, tags: tags / tokens, otherTokens };
}

function figuresOf(measured: Readonly<Record<string, Measured>>): FigureTable {
  return {
    id: 'parser',
    title: 'The dependency parser against spaCy’s',
    about:
      'Questions of Spider: share of tokens with spaCy’s head and label, and with its tag, and questions parsed per CPU second.',
    columns: {
      questions: { head: 'questions' },
      tokens: { head: 'tokens' },
      attachment: { head: 'same head and label', decimals: 4 },
      tags: { head: 'same tag', decimals: 4 },
      otherTokens: { head: 'questions in other tokens' },
      perSecond: { head: 'questions per CPU second', decimals: 0 },
    },
    rows: Object.fromEntries(Object.entries(measured).map(([set, row]) => [set, { ...row }])),
  };
}

/** Compares the parser with spaCy on Spider's questions; false where it misses its goals on dev. */
export async function runParserBench(args: readonly string[], root: string, output: BenchOutput): Promise<boolean> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      data: { type: 'string', default: '../shared/data' },
      python: { type: 'string', default: 'python3' },
      rounds: { type: 'string', default: '5' },
    },
  });
  const parser = await EnglishParser.open(join(root, 'models', 'parser'));
  const measured: Record<string, Measured> = {};
  for (const set of SETS) {
    const file = readFileSync(join(values.data, 'spider', `${set}.json`), 'utf8');
    const questions = z.array(z.object({ question: z.string() })).parse(JSON.parse(file));
    const texts = questions.map(({ question }) => question.replaceAll('\n', ' '));
    const compared = compare(parseWithSpacy(values.python, root, texts), await parser.parse(texts));
    measured[set] = { ...compared, perSecond: await fastest(parser, texts, Number(values.rounds)) };
    output.print(JSON.stringify({ set, ...measured[set] }));
  }
  await parser.close();
  output.record(figuresOf(measured));
  const { dev } = measured;
  return dev !== undefined && dev.attachment >= MIN_EQUAL && dev.perSecond >= MIN_PER_SECOND;
}
