import { basename, extname } from 'node:path';
import { z } from 'zod';
import type { AnnotationKind } from '../annotate/annotation.js';
import { initProject } from '../annotate/init/init-project.js';
import { AnnotationProject } from '../annotate/project/annotation-project.js';
import { DEFAULT_SETTINGS, type NewPerson } from '../annotate/project/project-content.js';
import { DATASET_FORMATS } from '../formats/dataset-formats.js';
import { COLUMN_CHOICES } from '../perturb/column-choice.js';
import { countNoun, formatCount } from '../report/figures.js';
import { checkWrittenFile } from '../run/written-file.js';
import { peopleLines } from './annotate-lines.js';
import { ConsoleHost } from './console-host.js';
import { positiveOption } from './number-options.js';
import type { RawOptions } from './options.js';
import { parseCommonOptions, parseOptions, withInterrupt } from './run-context.js';

const path = z.string().min(1).optional();
const names = z.array(z.string()).default([]);

const schema = z.object({
  run: z.string().min(1),
  out: z.string().min(1),
  dataset: z.enum(DATASET_FORMATS).optional(),
  tables: path,
  examples: path,
  databases: path,
  connection: path,
  annotator: names,
  reviewer: names,
  overlap: positiveOption,
  chunkSize: positiveOption,
  listLength: positiveOption,
  kind: z.enum(['rpl', 'add', 'both']),
  columns: z.enum(COLUMN_CHOICES),
  qualification: z.boolean().default(false),
});
type Options = z.infer<typeof schema>;

const KINDS: Readonly<Record<Options['kind'], readonly AnnotationKind[]>> = {
  rpl: ['RPL'],
  add: ['ADD'],
  both: ['RPL', 'ADD'],
};

function peopleOf({ annotator, reviewer }: Options): readonly NewPerson[] {
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

function printProject(file: string): void {
  const project = AnnotationProject.open(file, { readonly: true });
  try {
    const { items, kindCounts, chunks, openPlaces } = project.summary();
    const counts = `${formatCount(kindCounts.RPL)} RPL and ${formatCount(kindCounts.ADD)} ADD`;
    console.log(`${file}: ${countNoun(items, 'item')}, ${counts}, in ${countNoun(chunks, 'chunk')}`);
    for (const line of peopleLines(project)) console.log(line);
    const hasAnnotators = project.people().some(({ role }) => role === 'annotator');
    for (const line of nextLines(file, hasAnnotators, openPlaces)) console.log(line);
  } finally {
    project.close();
  }
}

/** `perturbql annotate init`. */
export async function run(raw: RawOptions): Promise<void> {
  const options = parseOptions(schema, raw);
  checkWrittenFile('out', options.out);
  const { run: from, out, dataset, tables, examples, databases, connection, overlap, chunkSize } = options;
  const { seed } = parseCommonOptions({ seed: raw.seed });
  const { columns, listLength } = options;
  const name = basename(out, extname(out));
  const qualification = { ...DEFAULT_SETTINGS.qualification, required: options.qualification };
  await withInterrupt(async (signal) => {
    const host = new ConsoleHost(signal);
    const { skipped, undecided } = await initProject(
      {
        run: from,
        out,
        paths: { dataset, tables, examples, databases, connection },
        people: peopleOf(options),
        kinds: KINDS[options.kind],
        columns,
        listLength,
        settings: { name, seed, overlap, chunkSize, qualification },
      },
      host,
    );
    host.stop();
    for (const { id, reason } of skipped) host.note(`left out: ${id}, ${reason}`);
    if (undecided > 0) host.note(`left out: ${countNoun(undecided, 'column')} that the run did not decide on`);
    printProject(out);
  }, false);
}
