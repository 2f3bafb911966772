import { z } from 'zod';
import { countNoun, formatBytes } from '../report/figures.js';
import { unpackSuite } from '../testsuite/suite/unpack-suite.js';
import type { RawOptions } from './options.js';
import { parseOptions } from './run-context.js';

const schema = z.object({ out: z.string() });

/** `perturbql suite unpack`. */
export function run(raw: RawOptions, folder: string): Promise<void> {
  const { out } = parseOptions(schema, raw);
  const { schemas, databases, bytes } = unpackSuite(folder, out);
  console.log(
    `${countNoun(databases, 'database')} of ${countNoun(schemas, 'schema')} in ${out}, ${formatBytes(bytes)}`,
  );
  return Promise.resolve();
}
