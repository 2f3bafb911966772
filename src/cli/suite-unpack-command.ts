import { z } from 'zod';
import { unpackSuite } from '../testsuite/suite/unpack-suite.js';
import type { RawOptions } from './options.js';
import { parseOptions } from './run-context.js';

const schema = z.object({ out: z.string() });

/** `perturbql suite unpack`. */
export function run(raw: RawOptions, folder: string): Promise<void> {
  const { out } = parseOptions(schema, raw);
  const { schemas, databases, bytes } = unpackSuite(folder, out);
  console.log(`${databases} databases of ${schemas} schemas in ${out}, ${(bytes / 1e6).toFixed(1)} MB`);
  return Promise.resolve();
}
