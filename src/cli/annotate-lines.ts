import { isLocked, type KindCounts } from '../annotate/annotation.js';
import type { AnnotationProject } from '../annotate/project/annotation-project.js';
import { countNoun, formatCount } from '../counts.js';

/** The items of a project by kind: "120 RPL and 80 ADD". */
export function kindsInWords({ RPL, ADD, SPLIT }: KindCounts): string {
  if (SPLIT !== undefined && RPL + ADD === 0) return `${formatCount(SPLIT)} SPLIT`;
  const names = `${formatCount(RPL)} RPL and ${formatCount(ADD)} ADD`;
  return SPLIT === undefined ? names : `${names} and ${formatCount(SPLIT)} SPLIT`;
}

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
    const waits = isLocked(person, project.settings.qualification) ? ', qualification not passed yet' : '';
    return `${head}  ${progressOf(project, name)}${waits}`;
  });
}
