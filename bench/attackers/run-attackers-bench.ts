import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ConfigError } from '../../src/errors.js';
import type { RecipeName } from '../../src/recipes/recipe-names.js';
import type { FigureTable } from '../bench-figures.js';
import type { BenchOutput } from '../run-bench.js';
import { type ArmOptions, type ArmResult, DefenseArms } from './defense-arms.js';
import { ARM_NAMES, type ArmName, PAPER_TABLE_10, PAPER_TABLE_3, PAPER_TABLE_6 } from './paper-figures.js';
import { proposeNames, shownKey, type ShownNames } from './shown-names.js';

const PERCENT = { decimals: 1 } as const;
/** The approaches of ADVETA's Table 10, in its order. */
const SHOWN_RECIPES = ['bert-attack', 'textfooler', 'w2v', 'cta'] as const satisfies readonly RecipeName[];

/** The arms that are asked for; without a masked language model there is no BERT-Attack. */
function armsOf(given: string | undefined, masked: string | null): readonly ArmName[] {
  const names = given?.split(',') ?? ARM_NAMES.filter((arm) => arm !== 'bert-attack' || masked !== null);
  const unknown = names.find((name) => !ARM_NAMES.some((arm) => arm === name));
  if (unknown !== undefined)
    throw new ConfigError(`there is no arm "${unknown}"`, { fix: `Known: ${ARM_NAMES.join(', ')}.` });
  if (names.includes('bert-attack') && masked === null) {
    throw new ConfigError('arm bert-attack needs a masked language model', {
      fix: 'Name one with --masked: a pulled one, or a folder.',
    });
  }
  return names as readonly ArmName[];
}

function defenseTable(results: readonly ArmResult[], { seeds, databases }: ArmOptions): FigureTable {
  const learned = databases === null ? 'all train databases' : `${databases} of 140 train databases`;
  const rows = results.map(({ arm, learned, scores }) => {
    const paper = PAPER_TABLE_3[arm];
    const { original, RPL, ADD } = scores;
    const cells = {
      arm,
      learned,
      dev: original.mean,
      rpl: RPL.mean,
      rplDeviation: RPL.deviation,
      add: ADD.mean,
      addDeviation: ADD.deviation,
      paperDev: paper.dev,
      paperRpl: paper.rpl,
      paperAdd: paper.add,
    };
    return [arm, cells] as const;
  });
  return {
    id: 'attackers',
    title: 'Training on what each approach makes',
    about:
      `ADVETA’s Table 3, Spider: exact match in percent on dev and on people’s names (ADVETA’s RPL and ADD, ${seeds} ${seeds === 1 ? 'world' : 'worlds'}; mean and standard deviation), ours with the built-in parser after Spider’s questions of ${learned} ` +
      'and an RPL and an ADD variant of each by the recipe, the paper’s with ETA. [recipes.md](recipes.md#the-papers-tables-3-6-and-10)',
    columns: {
      arm: { head: 'approach' },
      learned: { head: 'learned from' },
      dev: { head: 'Dev', ...PERCENT },
      rpl: { head: 'RPL', ...PERCENT },
      rplDeviation: { head: '±', ...PERCENT },
      add: { head: 'ADD', ...PERCENT },
      addDeviation: { head: '±', ...PERCENT },
      paperDev: { head: 'the paper’s Dev', ...PERCENT },
      paperRpl: { head: 'RPL', ...PERCENT },
      paperAdd: { head: 'ADD', ...PERCENT },
    },
    rows: Object.fromEntries(rows),
  };
}

function synonymsTable(results: readonly (ArmResult & { readonly synonyms: number })[]): FigureTable {
  const rows = results.map(({ arm, learned, scores, synonyms }) => {
    const paper = arm === 'mas' ? PAPER_TABLE_6.mas : PAPER_TABLE_6.original;
    const cells = { arm, learned, dev: scores.original.mean, synonyms };
    return [arm, { ...cells, paperDev: paper.dev, paperSynonyms: paper.synonyms }] as const;
  });
  return {
    id: 'attackers-synonyms',
    title: 'Several names for each column, asked in other words',
    about:
      'ADVETA’s Table 6: exact match in percent on Spider dev and on Spider-Syn, ours with the built-in parser, `mas` with the names of Spider-Syn’s release (`ManualMAS`), the paper’s with RAT-SQL (BERT). [recipes.md](recipes.md#the-papers-tables-3-6-and-10)',
    columns: {
      arm: { head: 'approach' },
      learned: { head: 'learned from' },
      dev: { head: 'Dev', ...PERCENT },
      synonyms: { head: 'Spider-Syn', ...PERCENT },
      paperDev: { head: 'the paper’s Dev', ...PERCENT },
      paperSynonyms: { head: 'Spider-Syn', ...PERCENT },
    },
    rows: Object.fromEntries(rows),
  };
}

function namesTable(names: ReadonlyMap<string, ShownNames>): FigureTable {
  const rows = (['RPL', 'ADD'] as const).flatMap((bucket) =>
    PAPER_TABLE_10[bucket].map((shown) => {
      const { columns, column, table } = shown;
      const cells = [...names].map(
        ([recipe, found]) => [recipe, found.get(shownKey(bucket, shown))!.join(', ')] as const,
      );
      const context = `${table}: ${columns.map((name) => (name === column ? `**${name}**` : name)).join(', ')}`;
      const paper = { paperBertAttack: shown.paper['bert-attack'], paperTextfooler: shown.paper.textfooler };
      return [
        `${bucket}-${column}`.replaceAll(' ', '-'),
        { bucket, context, ...Object.fromEntries(cells), ...paper },
      ] as const;
    }),
  );
  return {
    id: 'attackers-names',
    title: 'What each approach proposes',
    about:
      'The columns of ADVETA’s Table 10, in bold; up to four names by seed; tables and cells are ours, without questions. [recipes.md](recipes.md#the-papers-tables-3-6-and-10)',
    columns: {
      bucket: { head: 'perturbation' },
      context: { head: 'table' },
      ...Object.fromEntries([...names.keys()].map((recipe) => [recipe, { head: recipe }])),
      paperBertAttack: { head: 'the paper’s BERT-Attack' },
      paperTextfooler: { head: 'the paper’s TextFooler' },
    },
    rows: Object.fromEntries(rows),
  };
}

/**
 * Tables 3, 6 and 10 of ADVETA: what training on each approach's names and MAS give the built-in parser, and what each
 * approach proposes. Every step is kept in the state folder; the same command goes on after a stop.
 */
export async function runAttackersBench(args: readonly string[], root: string, output: BenchOutput): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      data: { type: 'string', default: '../shared/data' },
      state: { type: 'string', default: 'build/attackers' },
      masked: { type: 'string' },
      arms: { type: 'string' },
      seeds: { type: 'string', default: '5' },
      'train-databases': { type: 'string' },
      names: { type: 'boolean', default: false },
    },
  });
  const seeds = Number(values.seeds);
  const named = values.masked ?? null;
  const masked = named !== null && existsSync(named) ? resolve(named) : named;
  const arms = armsOf(values.arms, masked);
  const shown = new Map<string, ShownNames>();
  for (const recipe of SHOWN_RECIPES) {
    if (recipe !== 'bert-attack' || masked !== null) shown.set(recipe, await proposeNames(recipe, masked));
  }
  output.record(namesTable(shown));
  if (values.names) return;
  const databases = values['train-databases'] === undefined ? null : Number(values['train-databases']);
  const options = { root, data: resolve(values.data), state: resolve(values.state), masked, databases, seeds };
  const measured = new DefenseArms(options, output);
  const results: ArmResult[] = [];
  for (const arm of arms) {
    const result = measured.measure(arm);
    results.push(result);
    const { original, RPL, ADD } = result.scores;
    output.print(`${arm}: dev ${original.mean.toFixed(1)}, RPL ${RPL.mean.toFixed(1)}, ADD ${ADD.mean.toFixed(1)}`);
    output.record(defenseTable(results, options));
  }
  const annotated = results.filter(({ arm }) => arm in PAPER_TABLE_6);
  if (annotated.length < 2) return;
  output.record(
    synonymsTable(annotated.map((result) => ({ ...result, synonyms: measured.measureSynonyms(result.arm) }))),
  );
}
