import { basename, extname } from 'node:path';
import { z } from 'zod';
import type { NameKind } from '../annotate/annotation.js';
import type { InitOptions } from '../annotate/init/init-project.js';
import type { NewPerson } from '../annotate/project/project-content.js';
import { ConfigError } from '../errors.js';
import { DATASET_FORMATS, DATASET_INPUTS } from '../formats/dataset-formats.js';
import type { RunHost } from '../run/run-host.js';
import { checkWrittenFile } from '../run/output-place.js';
import { countNoun, formatCount } from '../counts.js';
import { defineCommand } from './command.js';
import { choice, flag, positive, repeated, text } from '../options/option-field.js';
import { COLUMNS_OPTION, DATASET_OPTIONS, SEED_OPTION } from './shared-options.js';

const { tables, examples, databases, connection } = DATASET_OPTIONS;

const options = z.object({
  run: text(
    'run',
    `folder of candidates or augment, a candidates.jsonl, or adveta:DIR; not for --kind split`,
  ).exactOptional(),
  out: text('file', 'the project to make; an existing file is refused'),
  dataset: choice(
    DATASET_FORMATS,
    'format',
    'format of the data set (default: that of the run, paths likewise, not those of the configuration file; with --kind split spider)',
  ).exactOptional(),
  tables,
  examples,
  databases,
  connection,
  annotator: repeated('name', 'someone who answers'),
  reviewer: repeated('name', 'someone who sees all answers and decides'),
  overlap: positive('n', 'annotators per chunk; agreement needs two').default(1),
  chunkSize: positive('n', 'most items of a chunk; a table’s columns stay together').default(20),
  listLength: positive('n', 'most candidates of a list').default(20),
  kind: choice(
    ['rpl', 'add', 'both', 'split'],
    'kind',
    'names that replace a column, columns that join its table, both, or sub-sentences of questions',
    { flagOnly: true },
  ).default('both'),
  ...COLUMNS_OPTION,
  qualification: flag('annotators start after answering three in four known items right'),
  ...SEED_OPTION,
});
type Given = z.infer<typeof options>;

const KINDS: Readonly<Record<Exclude<Given['kind'], 'split'>, readonly NameKind[]>> = {
  rpl: ['RPL'],
  add: ['ADD'],
  both: ['RPL', 'ADD'],
};

function peopleOf({ annotator, reviewer }: Given): readonly NewPerson[] {
  const as = (role: NewPerson['role']) => (name: string) => ({ name, role });
  return [...annotator.map(as('annotator')), ...reviewer.map(as('reviewer'))];
}

/** Returns the next steps for the user, by what the project still lacks. */
function nextLines(file: string, hasAnnotators: boolean, openPlaces: number): readonly string[] {
  const invite = `  perturbql annotate invite NAME --project ${file}`;
  if (!hasAnnotators) return ['next, name who answers:', invite];
  return [
    ...(openPlaces === 0 ? [] : [`${countNoun(openPlaces, 'place')} in chunks wait for further annotators:`, invite]),
    'next, serve the page; it prints a link for each person:',
    `  perturbql annotate serve --project ${file}`,
  ];
}

async function projectLines(file: string): Promise<readonly string[]> {
  const [{ AnnotationProject }, { kindsInWords, peopleLines }] = await Promise.all([
    import('../annotate/project/annotation-project.js'),
    import('./annotate-lines.js'),
  ]);
  return AnnotationProject.with(file, { readonly: true }, (project) => {
    const { items, kindCounts, chunks, openPlaces } = project.summary();
    const counts = kindsInWords(kindCounts);
    const hasAnnotators = project.people().some(({ role }) => role === 'annotator');
    return [
      `${file}: ${countNoun(items, 'item')}, ${counts}, in ${countNoun(chunks, 'chunk')}`,
      ...peopleLines(project),
      ...nextLines(file, hasAnnotators, openPlaces),
    ];
  });
}

async function settingsOf({ out, overlap, chunkSize, seed, qualification }: Given): Promise<InitOptions['settings']> {
  const { DEFAULT_SETTINGS } = await import('../annotate/project/project-content.js');
  const round = { ...DEFAULT_SETTINGS.qualification, required: qualification };
  return { name: basename(out, extname(out)), seed, overlap, chunkSize, qualification: round };
}

const DATA = ['dataset', ...DATASET_INPUTS] as const;

/** The data set that flags name or, where the run doesn't say which one it was made of, the configuration file. */
async function pathsOf(run: string, given: Given, flags: ReadonlySet<string>): Promise<InitOptions['paths']> {
  const { readRunInputs } = await import('../variants/candidates/run-inputs.js');
  const ofRun = readRunInputs(run) !== null;
  const chosen = DATA.filter((name) => !ofRun || flags.has(name));
  return Object.fromEntries(chosen.map((name) => [name, given[name]]));
}

/** A project of the candidates of a run. */
async function initNames(
  given: Given,
  kinds: readonly NameKind[],
  flags: ReadonlySet<string>,
  host: RunHost,
): Promise<void> {
  const { run, out, columns, listLength } = given;
  if (run === undefined) {
    throw new ConfigError('option --run is missing', {
      fix: 'Give --run <run>: folder of candidates or augment, a candidates.jsonl, or adveta:DIR.',
    });
  }
  const { initProject } = await import('../annotate/init/init-project.js');
  const { skipped, undecided, short } = await initProject(
    {
      run,
      out,
      columns,
      listLength,
      kinds,
      paths: await pathsOf(run, given, flags),
      people: peopleOf(given),
      settings: await settingsOf(given),
    },
    host,
  );
  for (const { id, reason } of skipped) host.note(`left out: ${id}, ${reason}`);
  if (undecided > 0) host.note(`left out: ${countNoun(undecided, 'column')} that the run did not decide on`);
  for (const { kind, lists, of, fewest } of short) {
    host.note(
      `shorter than ${countNoun(listLength, 'name')}: ${formatCount(lists)} of ${countNoun(of, `${kind} list`)}, the shortest with ${fewest}; the run has no more for their columns`,
    );
  }
}

function refuseForSplit({ run, qualification }: Given): void {
  const given = run !== undefined ? '--run' : qualification ? '--qualification' : null;
  if (given === null) return;
  throw new ConfigError(`option ${given} is for kinds that ask for names`, {
    fix: 'With --kind split, name the data set instead: --tables and --examples, without --qualification.',
  });
}

/** A project of a data set's questions, split and aligned automatically. */
async function initSplits(given: Given, host: RunHost): Promise<void> {
  refuseForSplit(given);
  const { dataset, tables, examples, databases, connection, out } = given;
  const [{ requireFreePlace }, { initSplitProject }, { proposeSplits }, { AutomaticSource }, { EnglishParser }, rooms] =
    await Promise.all([
      import('../annotate/project/project-file.js'),
      import('../annotate/init/init-split-project.js'),
      import('../compositional/compose/propose-splits.js'),
      import('../compositional/compose/automatic-source.js'),
      import('../compositional/parser/english-parser.js'),
      import('../formats/dataset.js'),
    ]);
  requireFreePlace(out);
  const source = new AutomaticSource(await EnglishParser.open());
  try {
    const paths = { ...rooms.PATH_DEFAULTS, ...(dataset === undefined ? {} : { dataset }) };
    const proposals = await proposeSplits({ ...paths, tables, examples, databases, connection }, source, host);
    for (const { id, reason } of proposals.leftOut) host.note(`left out: ${id}, ${reason}`);
    const settings = { ...(await settingsOf(given)), dataset: proposals.dataset };
    initSplitProject({ splits: proposals.splits, out, people: peopleOf(given), settings });
  } finally {
    await source.dispose();
  }
}

/** `perturbql annotate init`. */
export const command = defineCommand({
  options,
  example:
    'perturbql annotate init --run RUN --out project.db --annotator Ada --annotator Ben --overlap 2 --reviewer Rita',
  onInterrupt: 'stops',
  async run(given, { host, flags }) {
    checkWrittenFile('out', given.out);
    if (given.kind === 'split') await initSplits(given, host);
    else await initNames(given, KINDS[given.kind], flags, host);
    return { lines: await projectLines(given.out) };
  },
});
