import type { Me } from '../api-shapes.js';

/** Names one person in one project, for what a browser keeps of them; no owner's name begins with another's. */
export function ownerOf({ project, person }: Me): string {
  return `${project.id}.${JSON.stringify(person.name)}`;
}
