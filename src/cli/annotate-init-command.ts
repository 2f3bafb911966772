import { basename, extname } from 'node:path';
import { z } from 'zod';
import type { AnnotationKind } from '../annotate/annotation.js';
import type { NewPerson } from '../annotate/project/project-content.js';
import { DATASET_FORMATS } from '../formats/dataset-formats.js';
import { checkWrittenFile } from '../run/written-file.js';
import { countNoun, formatCount } from '../report/figures.js';
import { defineCommand } from './command.js';
import { choice, flag, positive, repeated, text } from './option-field.js';
import { COLUMNS_OPTION, DATASET_OPTIONS, SEED_OPTION } from './shared-options.js';

const { tables, examples, databases, connection } = DATASET_OPTIONS;

const options = z.object({
  run: text('run', 'folder of candidates or augment, a candidates.jsonl, or adveta:DIR'),
  out: text('file', 'the project to make; an existing file is refused'),
  dataset: choice(
    DATASET_FORMATS,
    'format',
    'format of the data set (default: that of the run; paths likewise)',
  ).exactOptional(),
  ...{ tables, examples, databases, connection },
  annotator: repeated('name', 'someone who answers'),
  reviewer: repeated('name', 'someone who sees all answers and decides'),
  overlap: positive('n', 'annotators per chunk; agreement needs two').default(1),
  chunkSize: positive('n', 'most items of a chunk; a table’s columns stay together').default(20),
  listLength: positive('n', 'most candidates of a list').default(20),
  kind: choice(['rpl', 'add', 'both'], 'kind', 'names that replace a column, columns that join its table, or both', {
    flagOnly: true,
  }).default('both'),
  ...COLUMNS_OPTION,
  qualification: flag('let annotators begin when they have answered three in four known items right'),
  ...SEED_OPTION,
});
type Given = z.infer<typeof options>;

const KINDS: Readonly<Record<Given['kind'], readonly AnnotationKind[]>> = {
  rpl: ['RPL'],
  add: ['ADD'],
  both: ['RPL', 'ADD'],
};

function peopleOf({ annotator, reviewer }: Given): readonly NewPerson[] {
  const as = (role: NewPerson['role']) => (name: string) => ({ name, role });
  return [...annotator.map(as('annotator')), ...reviewer.map(as('reviewer'))];
}

/** What to do next, by what the project still lacks. */
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
  const [{ AnnotationProject }, { peopleLines }] = await Promise.all([
    import('../annotate/project/annotation-project.js'),
    import('./annotate-lines.js'),
  ]);
  const project = AnnotationProject.open(file, { readonly: true });
  try {
    const { items, kindCounts, chunks, openPlaces } = project.summary();
    const counts = `${formatCount(kindCounts.RPL)} RPL and ${formatCount(kindCounts.ADD)} ADD`;
    const hasAnnotators = project.people().some(({ role }) => role === 'annotator');
    return [
      `${file}: ${countNoun(items, 'item')}, ${counts}, in ${countNoun(chunks, 'chunk')}`,
      ...peopleLines(project),
      ...nextLines(file, hasAnnotators, openPlaces),
    ];
  } finally {
    project.close();
  }
}

/** `perturbql annotate init`. */
export const command = defineCommand({
  options,
  example:
    'perturbql annotate init --run RUN --out project.db --annotator Ada --annotator Ben --overlap 2 --reviewer Rita',
  onInterrupt: 'stops',
  async run(given, { host }) {
    const { run, out, dataset, overlap, chunkSize, columns, listLength, seed } = given;
    checkWrittenFile('out', out);
    const [{ initProject }, { DEFAULT_SETTINGS }] = await Promise.all([
      import('../annotate/init/init-project.js'),
      import('../annotate/project/project-content.js'),
    ]);
    const name = basename(out, extname(out));
    const qualification = { ...DEFAULT_SETTINGS.qualification, required: given.qualification };
    const path = (given: string | null): string | undefined => given ?? undefined;
    const { skipped, undecided } = await initProject(
      {
        ...{ run, out, columns, listLength },
        paths: {
          dataset,
          tables: path(given.tables),
          examples: path(given.examples),
          databases: path(given.databases),
          connection: path(given.connection),
        },
        people: peopleOf(given),
        kinds: KINDS[given.kind],
        settings: { name, seed, overlap, chunkSize, qualification },
      },
      host,
    );
    for (const { id, reason } of skipped) host.note(`left out: ${id}, ${reason}`);
    if (undecided > 0) host.note(`left out: ${countNoun(undecided, 'column')} that the run did not decide on`);
    return { lines: await projectLines(out) };
  },
});
