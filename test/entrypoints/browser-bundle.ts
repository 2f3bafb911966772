import { builtinModules, isBuiltin } from 'node:module';
import { join } from 'node:path';
import { build } from 'esbuild';
import { PROJECT } from '../docs/markdown-pages.js';

interface BrowserBundle {
  /** One script that sets the global `entrypoint` to what the entrypoint exports. */
  readonly code: string;
  /** What it imports of Node, with the file that does: "node:fs in src/run/sha256.ts". */
  readonly ofNode: readonly string[];
}

/** A entrypoint of the library as a bundler makes it for a browser. */
export async function bundleDoor(entrypoint: string): Promise<BrowserBundle> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: PROJECT,
    entryPoints: [join('src/entrypoints', `${entrypoint}.ts`)],
    bundle: true,
    platform: 'browser',
    format: 'iife',
    globalName: 'entrypoint',
    target: 'chrome111',
    external: ['node:*', ...builtinModules, '*.node'],
    metafile: true,
    write: false,
    logLevel: 'silent',
  });
  const ofNode = Object.entries(metafile.inputs).flatMap(([file, { imports }]) =>
    imports.filter(({ path }) => isBuiltin(path)).map(({ path }) => `${path} in ${file}`),
  );
  return { code: outputFiles[0]!.text, ofNode };
}
