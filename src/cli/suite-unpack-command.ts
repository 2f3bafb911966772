import { z } from 'zod';
import { countNoun } from '../counts.js';
import { formatBytes } from '../report/figures.js';
import { defineCommand } from './command.js';
import { text } from '../options/option-field.js';
import { SUITE_ARGUMENT } from './suite-shared.js';

/** `perturbql suite unpack`. */
export const command = defineCommand({
  options: z.object({ out: text('dir', 'empty or new folder for <db_id>/*.sqlite') }),
  argument: SUITE_ARGUMENT,
  example: 'perturbql suite unpack SUITE --out database',
  async run({ out }, { args: [folder = ''] }) {
    const { unpackSuite } = await import('../testsuite/suite/unpack-suite.js');
    const { schemas, databases, bytes } = unpackSuite(folder, out);
    return {
      lines: [
        `${countNoun(databases, 'database')} of ${countNoun(schemas, 'schema')} in ${out}, ${formatBytes(bytes)}`,
      ],
    };
  },
});
