import { z } from 'zod';
import { type Role, ROLES } from '../annotate/annotation.js';
import type { AnnotationProject } from '../annotate/project/annotation-project.js';
import { ConfigError } from '../errors.js';
import { PROJECT_OPTION } from './annotate-shared.js';
import { defineCommand } from './command.js';
import { choice } from '../options/option-field.js';

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
export const command = defineCommand({
  options: z.object({
    ...PROJECT_OPTION,
    role: choice(ROLES, 'role', 'what a new person does (default: annotator)').exactOptional(),
  }),
  argument: { name: '<name>', description: 'the person' },
  example: 'perturbql annotate invite Cleo --project project.db',
  async run({ project: file, role }, { args: [given = ''] }) {
    const [rooms, { InviteTokens: InviteTokens }, { peopleLines }] = await Promise.all([
      import('../annotate/project/annotation-project.js'),
      import('../annotate/server/invite-tokens.js'),
      import('./annotate-lines.js'),
    ]);
    return rooms.AnnotationProject.with(file, {}, (project) => {
      // First: where links can't be kept, nobody's is made useless.
      const links = InviteTokens.open(project, file);
      const name = invite(project, given.trim(), role);
      const address = `${name}’s link is the address that \`perturbql annotate serve\` prints, and`;
      return { lines: [address, `  /#token=${links.tokenOf(name)}`, ...peopleLines(project)] };
    });
  },
});
