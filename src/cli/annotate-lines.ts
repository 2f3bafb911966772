import type { AnnotationProject } from '../annotate/project/annotation-project.js';
import { mayAnnotate } from '../annotate/project/project-content.js';
import { countNoun, formatCount } from '../report/figures.js';

/** How far someone is, in words. */
function progressOf(project: AnnotationProject, name: string): string {
  const { done, total, perHour } = project.progress(name);
  const chunks = countNoun(project.chunksOf(name).length, 'chunk');
  const pace = perHour === null ? '' : `, ${Math.round(perHour)} an hour`;
  return `${formatCount(done)} of ${countNoun(total, 'item')} in ${chunks}${pace}`;
}

/** A line per person of a project: role and progress, and where the qualification still stands before them. */
export function peopleLines(project: AnnotationProject): readonly string[] {
  const people = project.people();
  const width = Math.max(0, ...people.map(({ name }) => name.length));
  return people.map((person) => {
    const { name, role } = person;
    const head = `  ${name.padEnd(width)}  ${role.padEnd(9)}`;
    // Who reviews may have answered elsewhere, and has chunks then.
    if (role === 'reviewer' && project.chunksOf(name).length === 0) return head.trimEnd();
    const waits =
      role === 'annotator' && !mayAnnotate(person, project.settings) ? ', qualification not passed yet' : '';
    return `${head}  ${progressOf(project, name)}${waits}`;
  });
}
