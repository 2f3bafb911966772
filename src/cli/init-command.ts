import { countNoun, formatCount } from '../counts.js';
import { isFolder } from '../regular-file.js';
import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { z } from 'zod';
import { ConfigError } from '../errors.js';
import type { FoundDataset, FoundDatasets } from '../formats/detect/find-datasets.js';
import { pathIn, renderProjectFile } from '../formats/detect/project-file.js';
import { splitNamed } from '../formats/exports/export-names.js';
import { firstLeftOut } from '../report/left-out.js';
import { writeDurably } from '../run/durable-file.js';
import { defineCommand } from './command.js';
import { DEFAULT_CONFIG } from './global-options.js';
import { renderNextCommands } from './next-commands.js';
import { flag } from '../options/option-field.js';
import { LEAST_LEARNED } from '../victims/baseline/too-few-examples.js';

function describe({ paths, questions, databases, withRows, train }: FoundDataset): string {
  const some = withRows === 0 ? ' without rows' : `, ${formatCount(withRows)} of them with rows`;
  const rows = withRows === databases ? '' : some;
  const training = train === null ? '' : `; to learn from: ${pathIn('.', train)}`;
  const about = `${countNoun(questions, 'question')}, ${countNoun(databases, 'database')}${rows}`;
  return `${paths.dataset}: ${pathIn('.', paths.examples ?? '')} (${about}${training})`;
}

const OWN_MODEL = 'python3 my_model.py';

/** What augment makes of a file of questions: no training set where its name says that they are to test on. */
function productOf(examples: string): string {
  const isToTest = splitNamed(basename(examples)) !== 'train';
  return isToTest
    ? 'variants of these questions, which are to test on, not to train on'
    : 'a training set of these questions';
}

/** The commands of README.md on this data set: what to do with it first. */
function nextCommands({ paths, train }: FoundDataset, hasBaseline: boolean): Parameters<typeof renderNextCommands>[0] {
  const attack = 'attack --candidates RUN-candidates';
  return [
    ['candidates --out RUN-candidates', 'names for its columns'],
    [`${attack} --victim command --command "${OWN_MODEL}" --out RUN-attack`, 'how far your model falls'],
    ...(hasBaseline ? [[`${attack} --out RUN-baseline`, 'how far the built-in parser falls'] as const] : []),
    train === null
      ? ['augment --out RUN', productOf(paths.examples ?? '')]
      : [`augment --examples ${pathIn('.', train)} --out RUN-train`, 'a training set of the training questions'],
    ['audit --out RUN-audit', 'gold queries that can’t be trusted'],
  ];
}

/** How the built-in parser answers where there is no training set. */
function answerFromOthers(questions: number): string {
  if (questions === 1) return 'answer the one question with none to learn from';
  const others = questions === 2 ? 'other one' : `${formatCount(questions - 1)} others`;
  return `answer each of the ${formatCount(questions)} questions from the ${others}`;
}

/** Why the built-in parser is no stand-in for a model on a data set; null where it is. */
function noBaselineReason({ train, questions, toLearnFrom }: FoundDataset): string | null {
  if (toLearnFrom >= LEAST_LEARNED) return null;
  const from =
    train === null ? answerFromOthers(questions) : `learn from ${countNoun(toLearnFrom, 'training question')}`;
  return `The built-in parser can’t stand in for it here: it would ${from}, and below ${LEAST_LEARNED} its figures tell nothing.`;
}

/** Asks on the error stream; an answer is empty where the input has ended. */
type Ask = (question: string) => Promise<string>;

/** One reader for all questions: lines that come before they are asked for, from a pipe, are kept. */
async function withQuestions<T>(work: (ask: Ask) => Promise<T>): Promise<T> {
  const lines = createInterface({ input: process.stdin });
  const answers = lines[Symbol.asyncIterator]();
  try {
    return await work(async (question) => {
      process.stderr.write(question);
      const answer = await answers.next();
      return answer.done === true ? '' : answer.value.trim();
    });
  } finally {
    lines.close();
  }
}

async function choose(datasets: readonly FoundDataset[], ask: Ask | null): Promise<FoundDataset | undefined> {
  datasets.forEach((found, i) => console.log(`  ${i + 1}  ${describe(found)}`));
  if (ask === null || datasets.length < 2) return datasets[0];
  for (;;) {
    const answer = await ask(`Which one? 1 to ${datasets.length} [1]: `);
    const chosen = answer === '' ? datasets[0] : datasets[Number(answer) - 1];
    if (chosen !== undefined) return chosen;
  }
}

function nothingFound(folder: string, { refused }: FoundDatasets): ConfigError {
  const why = refused.map((reason) => `\n  ${reason.replaceAll('\n', '\n  ')}`).join('');
  return new ConfigError(`no data set was found below ${folder}${why}`, {
    fix:
      refused.length === 0
        ? 'Name the folder of your data (docs/datasets.md says what a data set is made of), or give --example.'
        : 'Fix what is named above; docs/datasets.md has the form of these files.',
  });
}

/** Looks through a folder, and through others that the user names while there is nothing. */
async function find(folder: string, ask: Ask | null): Promise<FoundDatasets> {
  if (!isFolder(folder)) {
    const what = existsSync(folder) ? 'is no folder' : 'does not exist';
    throw new ConfigError(`${folder} ${what}`, { fix: 'Name the folder of your data.' });
  }
  console.log(`Looking for data below ${folder}`);
  const { findDatasets } = await import('../formats/detect/find-datasets.js');
  const found = await findDatasets(folder);
  if (found.datasets.length > 0) return found;
  const other = ask === null ? '' : await ask('Nothing found. Another folder to look in (empty: stop): ');
  if (other === '') throw nothingFound(folder, found);
  return find(other, ask);
}

async function writeProject(folder: string, ask: Ask | null): Promise<void> {
  const { datasets, refused } = await find(folder, ask);
  for (const reason of refused) process.stderr.write(`can’t be read: ${reason}\n`);
  const chosen = await choose(datasets, ask);
  if (chosen === undefined) return;
  const noBaseline = noBaselineReason(chosen);
  const file = resolve(DEFAULT_CONFIG);
  writeDurably(file, renderProjectFile(chosen, process.cwd(), { hasBaseline: noBaseline === null }));
  const leftOut = firstLeftOut(chosen.leftOut, 'the report.json of a run');
  for (const sentence of leftOut) process.stderr.write(`warning: ${sentence}\n`);
  if (leftOut.length > 0) process.stderr.write('  fix: Fix these records in their files, or go on without them.\n');
  console.log(`\nWrote ${file} for ${pathIn('.', chosen.paths.examples ?? '')}:`);
  console.log('commands that are run in this folder read it, and need no paths to the data.');
  for (const line of renderNextCommands(nextCommands(chosen, noBaseline === null))) console.log(line);
  console.log(
    `${OWN_MODEL} stands for your own model, which reads questions as JSON lines (docs/guides/attack-my-model.md).`,
  );
  if (noBaseline !== null) console.log(noBaseline);
}

/** `perturbql init`. */
export const command = defineCommand({
  options: z.object({
    yes: flag('take what is found first, and ask nothing', { flagOnly: true }),
    example: flag('use the packaged examples', { flagOnly: true }),
  }),
  argument: { name: '[dir]', description: 'folder of the data (default: this one)' },
  example: 'perturbql init',
  readsConfig: false,
  async run({ yes, example }, { args: [folder = '.'] }) {
    if (existsSync(DEFAULT_CONFIG))
      throw new ConfigError('there is a project file already', {
        where: { file: DEFAULT_CONFIG },
        fix: 'Change it, or move it away first.',
      });
    if (example && folder !== '.') {
      const fix = `Leave out ${folder} to take the examples, or --example to look there.`;
      throw new ConfigError(`option --example is for the packaged examples, not for ${folder}`, { fix });
    }
    if (example) await writeProject((await import('../formats/packaged-examples.js')).PACKAGED_FOLDER, null);
    else if (yes) await writeProject(folder, null);
    else await withQuestions((ask) => writeProject(folder, ask));
  },
});
