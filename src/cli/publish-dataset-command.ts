import { z } from 'zod';
import type { Published } from '../publish/publish-dataset.js';
import { defineCommand } from './command.js';
import { countNoun, formatCount } from '../counts.js';
import { described, repeated, text } from '../options/option-field.js';
import { JSON_OPTION } from './shared-options.js';

function* linesOf({ folder, data, license }: Published): Generator<string> {
  for (const { config, split, rows, goldUnchanged } of data) {
    yield `${config}, ${split}: ${countNoun(rows, 'row')}${goldUnchanged === 0 ? '' : `, ${formatCount(goldUnchanged)} of them with unchanged gold`}`;
  }
  yield `license: ${license}`;
  yield `written: ${folder}`;
}

/** `perturbql publish-dataset`. */
export const command = defineCommand({
  options: z.object({
    to: text('dir', 'folder to write', { missing: 'Name a new folder.' }),
    license: described(z.string().regex(/^[a-z0-9][a-z0-9.+-]*$/, 'a hub’s identifier of a license is expected'), {
      value: 'name',
      description:
        'license of the run’s inputs as the hub names it, such as cc-by-sa-4.0 (default: what their card or license file says)',
      expected: { what: 'a hub’s word for a license', example: 'cc-by-sa-4.0' },
    })
      .nullable()
      .default(null),
    licenseFile: repeated('file', 'text of a license that goes along, next to those found with the inputs'),
    ...JSON_OPTION,
  }),
  argument: { name: '<run>', description: 'folder that augment, mutate or compose wrote' },
  example: 'perturbql publish-dataset RUN --license cc-by-sa-4.0 --to DATASET',
  async run({ licenseFile, ...options }, { args: [run = ''], host }) {
    const { publishDataset } = await import('../publish/publish-dataset.js');
    const published = publishDataset({ ...options, run, licenseFiles: licenseFile }, host);
    return { json: published, lines: linesOf(published) };
  },
});
