import { readFileSync } from 'node:fs';

const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };

/** Version of the installed package; part of every run's manifest. */
export const VERSION = manifest.version;
