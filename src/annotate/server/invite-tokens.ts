import { existsSync } from 'node:fs';
import { z } from 'zod';
import { loadRecord } from '../../formats/json-file.js';
import { writeDurably } from '../../run/durable-file.js';
import type { AnnotationProject } from '../project/annotation-project.js';

const linksSchema = z.strictObject({ version: z.literal(1), tokens: z.record(z.string(), z.string()) });

/** Readable by its owner alone: who has a token answers in its person's name. */
const PRIVATE = 0o600;

/**
 * The tokens of a project's people, next to the project in a file of its own: a page that is open while the server is
 * restarted goes on with the same link, and the project, which holds only hashes, can be passed on without it.
 */
export class InviteTokens {
  readonly #project: AnnotationProject;
  readonly #file: string;
  readonly #tokens: Map<string, string>;

  private constructor(project: AnnotationProject, file: string, tokens: Readonly<Record<string, string>>) {
    this.#project = project;
    this.#file = file;
    this.#tokens = new Map(Object.entries(tokens));
  }

  /** @throws InputFormatError when the file is no book of links */
  static open(project: AnnotationProject, projectFile: string): InviteTokens {
    const file = `${projectFile}.links.json`;
    if (!existsSync(file)) return new InviteTokens(project, file, {});
    const fix = 'Remove it: new links are made at the next start.';
    const { tokens } = loadRecord(linksSchema, file, 'links', fix);
    return new InviteTokens(project, file, tokens);
  }

  /** The token of a person: the one that was given out, or a new one where none is kept that still holds. */
  tokenOf(name: string): string {
    const kept = this.#tokens.get(name);
    if (kept !== undefined && this.#project.personByToken(kept)?.name === name) return kept;
    const token = this.#project.renewToken(name);
    this.#tokens.set(name, token);
    this.#write();
    return token;
  }

  #write(): void {
    const tokens = Object.fromEntries(this.#tokens);
    writeDurably(this.#file, `${JSON.stringify({ version: 1, tokens }, null, 2)}\n`, PRIVATE);
  }
}

/** Where a person signs in. In the fragment, the token is sent to no server and is in no log. */
export function personalLink(url: string, token: string): string {
  return `${url}/#token=${token}`;
}
