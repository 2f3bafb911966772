import { z } from 'zod';
import { AnnotationProject } from '../annotate/project/annotation-project.js';
import { countNoun, formatCount } from '../report/figures.js';
import { peopleLines } from './annotate-lines.js';
import type { RawOptions } from './options.js';
import { parseOptions } from './run-context.js';

const schema = z.object({ project: z.string().min(1), json: z.boolean().default(false) });

function statusJson(project: AnnotationProject): unknown {
  const people = project.people().map((person) => ({
    ...person,
    ...project.progress(person.name),
    chunks: project.chunksOf(person.name),
  }));
  return { settings: project.settings, ...project.summary(), people };
}

function* statusLines(project: AnnotationProject): Iterable<string> {
  const { name, overlap, qualification } = project.settings;
  const { items, kindCounts, chunks, openPlaces, answered, adjudicated, toReview } = project.summary();
  yield `${name}: ${countNoun(items, 'item')}, ${formatCount(kindCounts.RPL)} RPL and ${formatCount(kindCounts.ADD)} ADD, in ${countNoun(chunks, 'chunk')}`;
  yield `  annotators per chunk: ${overlap}; qualification: ${qualification.required ? `required, ${qualification.passMark * 100} % to pass` : 'offered'}`;
  yield `  handed in by someone: ${formatCount(answered)}; decided by a reviewer: ${formatCount(adjudicated)}; to review: ${formatCount(toReview)}`;
  if (openPlaces > 0) yield `  places in chunks that wait for an annotator: ${formatCount(openPlaces)}`;
  yield* peopleLines(project);
}

/** `perturbql annotate status`. */
export async function run(raw: RawOptions): Promise<void> {
  const { project: file, json } = parseOptions(schema, raw);
  const project = AnnotationProject.open(file, { readonly: true });
  try {
    if (json) console.log(JSON.stringify(statusJson(project), null, 2));
    else for (const line of statusLines(project)) console.log(line);
  } finally {
    project.close();
  }
}
