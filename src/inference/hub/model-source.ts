import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '../../errors.js';
import { parseUrl } from '../../http/http-url.js';
import { withoutKeys } from '../../http/secret-mask.js';
import { homeFolder } from '../../run/cache-folder.js';

/** A model on a hub; its revision is a branch, tag or commit. */
export interface HubModel {
  readonly kind: 'hub';
  readonly id: string;
  readonly revision: string;
}

/** Where a model is pulled from. */
export type SourceName =
  HubModel | { readonly kind: 'url'; readonly url: string } | { readonly kind: 'path'; readonly path: string };

/** A file that a source has; what it says of size and contents is null where it says nothing. */
export interface SourceFile {
  readonly path: string;
  readonly bytes: number | null;
  readonly sha256: string | null;
  /** SHA-1 of the file as a git blob: what a hub knows of its small files. */
  readonly gitBlob: string | null;
}

/** The files of a source, and how to get one. */
export interface ModelSource {
  /** The description of the model's origin in the manifest. */
  readonly described: string;
  /** As the command line has it, pinned to what was pulled. */
  readonly argument: string;
  /** Null where the source has none: then the weights' hash serves instead. */
  readonly revision: string | null;
  /** Null where the source states none. */
  readonly license: string | null;
  readonly files: readonly SourceFile[];
  /** Writes a file, whole, checked and synced; `onBytes` hears how many of its bytes are there. */
  fetch(file: SourceFile, target: string, onBytes: (bytes: number) => void): Promise<void>;
}

const HUB_ID = /^([A-Za-z0-9][\w.-]*(?:\/[A-Za-z0-9][\w.-]*)?)(?:@([\w][\w./-]*))?$/;

/** Files that are word vectors, by the end of their name. */
export const VECTOR_FILE = /\.(?:txt|gz|pqv)$/i;
const HOME_FIX = 'Set HOME, or write the path without ~.';

/** A model on a hub, as the command line names it; null for what is no such name. */
export function parseHubName(text: string): HubModel | null {
  const [, id, revision = 'main'] = HUB_ID.exec(text) ?? [];
  return id === undefined ? null : { kind: 'hub', id, revision };
}

/**
 * Reads a source as the command line has it: a URL, a path that exists or begins as one, else a hub's `owner/name`,
 * with `@revision` where not its main branch is meant.
 * @throws ConfigError when it is none of them.
 */
export function parseSource(text: string): SourceName {
  if (/^https?:\/\//i.test(text)) {
    parseUrl(text, `"${withoutKeys(text)}"`, 'Write it as https://host/folder.');
    return { kind: 'url', url: text };
  }
  const path = text.startsWith('~/') ? join(homeFolder(HOME_FIX), text.slice(2)) : text;
  if (existsSync(path)) return { kind: 'path', path };
  const hub = parseHubName(text);
  if (hub !== null && !VECTOR_FILE.test(text)) return hub;
  throw new ConfigError(`there is no file or folder "${text}", and it is no name of a model`, {
    fix: 'Give a hub’s owner/name (or owner/name@revision), a URL, or the path of a folder or vector file.',
  });
}
