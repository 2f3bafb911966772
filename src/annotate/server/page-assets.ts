import { type Dirent, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { ConfigError } from '../../errors.js';
import { sha256Of } from '../../run/sha256.js';
import { packagePath } from '../../package-path.js';

/** A file of the page, ready to be sent. */
export interface PageAsset {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly type: string;
  /** Strong validator, in its quotes. */
  readonly etag: string;
}

const TYPES: ReadonlyMap<string, string> = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.svg', 'image/svg+xml'],
]);
const START = '/index.html';

/** Where `npm run build` puts the page; the same from src/ and from dist/. */
export function builtPageFolder(): string {
  return packagePath('dist/annotate/web');
}

function listFolder(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return [];
  }
}

function readAsset(file: string, type: string): PageAsset {
  const body = new Uint8Array(readFileSync(file));
  return { body, type, etag: `"${sha256Of(body).slice(0, 32)}"` };
}

/**
 * The files of the page by their paths, read once at the start: a request is answered from this list alone, so that no
 * path in it can lead out of the folder. Links in the folder and files of other types are not taken.
 */
export class PageAssets {
  readonly #files: ReadonlyMap<string, PageAsset>;

  private constructor(files: ReadonlyMap<string, PageAsset>) {
    this.#files = files;
  }

  /** @throws ConfigError when the page has not been built. */
  static load(folder: string): PageAssets {
    const files = new Map<string, PageAsset>();
    for (const entry of listFolder(folder)) {
      const type = TYPES.get(extname(entry.name));
      if (!entry.isFile() || type === undefined) continue;
      const file = join(entry.parentPath, entry.name);
      files.set(`/${relative(folder, file).split(sep).join('/')}`, readAsset(file, type));
    }
    if (files.has(START)) return new PageAssets(files);
    throw new ConfigError('the annotation page has not been built', {
      where: { file: folder },
      fix: 'Run `npm run build`.',
    });
  }

  /** The file at a path of the server, such as "/app.js"; null where there is none. */
  find(path: string): PageAsset | null {
    return this.#files.get(path === '/' ? START : path) ?? null;
  }
}
