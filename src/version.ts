import { readFileSync } from 'node:fs';
import { packagePath } from './package-path.js';

const manifest = JSON.parse(readFileSync(packagePath('package.json'), 'utf8')) as { version: string };

/** Version of the installed package; part of every run's manifest. */
export const VERSION = manifest.version;
