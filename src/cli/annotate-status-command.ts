import { z } from 'zod';
import type { AnnotationProject } from '../annotate/project/annotation-project.js';
import { countNoun, formatCount } from '../counts.js';
import { PROJECT_OPTION } from './annotate-shared.js';
import { defineCommand } from './command.js';
import { JSON_OPTION } from './shared-options.js';

function statusJson(project: AnnotationProject): unknown {
  const people = project.people().map((person) => ({
    ...person,
    ...project.progress(person.name),
    chunks: project.chunksOf(person.name),
  }));
  return { settings: project.settings, ...project.summary(), people };
}

function* statusLines(project: AnnotationProject, kinds: string, people: Iterable<string>): Iterable<string> {
  const { name, overlap, qualification } = project.settings;
  const { items, chunks, openPlaces, answered, adjudicated, toReview } = project.summary();
  yield `${name}: ${countNoun(items, 'item')}, ${kinds}, in ${countNoun(chunks, 'chunk')}`;
  yield `  annotators per chunk: ${overlap}; qualification: ${qualification.required ? `required, ${qualification.passMark * 100}% to pass` : 'optional'}`;
  yield `  handed in by someone: ${formatCount(answered)}; decided by a reviewer: ${formatCount(adjudicated)}; to review: ${formatCount(toReview)}`;
  if (openPlaces > 0) yield `  places in chunks that wait for an annotator: ${formatCount(openPlaces)}`;
  yield* people;
}

/** `perturbql annotate status`. */
export const command = defineCommand({
  options: z.object({ ...PROJECT_OPTION, ...JSON_OPTION }),
  example: 'perturbql annotate status --project project.db',
  async run({ project: file }) {
    const [rooms, { kindsInWords, peopleLines }] = await Promise.all([
      import('../annotate/project/annotation-project.js'),
      import('./annotate-lines.js'),
    ]);
    return rooms.AnnotationProject.with(file, { readonly: true }, (project) => {
      const kinds = kindsInWords(project.summary().kindCounts);
      return { json: statusJson(project), lines: [...statusLines(project, kinds, peopleLines(project))] };
    });
  },
});
