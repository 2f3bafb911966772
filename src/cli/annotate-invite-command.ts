import { z } from 'zod';
import { type Role, ROLES } from '../annotate/annotation.js';
import { AnnotationProject } from '../annotate/project/annotation-project.js';
import { LinkBook } from '../annotate/server/link-book.js';
import { ConfigError } from '../errors.js';
import { peopleLines } from './annotate-lines.js';
import type { RawOptions } from './options.js';
import { parseOptions } from './run-context.js';

const schema = z.object({ project: z.string().min(1), role: z.enum(ROLES).optional() });

/** Adds someone, or makes their old link useless. */
function invite(project: AnnotationProject, name: string, role: Role | undefined): string {
  const known = project.people().find((person) => person.name.toLowerCase() === name.toLowerCase());
  if (known === undefined) {
    project.addPerson(name, role ?? 'annotator');
    return name;
  }
  if (role !== undefined && role !== known.role)
    throw new ConfigError(`${known.name} is ${known.role} already`, { fix: 'Invite under another name.' });
  project.renewToken(known.name);
  return known.name;
}

/** `perturbql annotate invite`. */
export async function run(raw: RawOptions, ...[given]: string[]): Promise<void> {
  const { project: file, role } = parseOptions(schema, raw);
  const project = AnnotationProject.open(file);
  try {
    // First: where links can't be kept, nobody's is made useless.
    const links = LinkBook.open(project, file);
    const name = invite(project, given!.trim(), role);
    const token = links.tokenOf(name);
    console.log(`${name}’s link is the address that \`perturbql annotate serve\` prints, and`);
    console.log(`  /#token=${token}`);
    for (const line of peopleLines(project)) console.log(line);
  } finally {
    project.close();
  }
}
