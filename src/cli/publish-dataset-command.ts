import { z } from 'zod';
import type { Published } from '../publish/publish-dataset.js';
import { defineCommand } from './command.js';
import { described, flag, repeated, text } from '../options/option-field.js';
import { JSON_OPTION } from './shared-options.js';

function* linesOf({ folder, data, license, upload }: Published): Generator<string> {
  for (const { config, split, rows } of data) yield `${config}, ${split}: ${rows} rows`;
  yield `license: ${license}`;
  if (upload === null) yield `written: ${folder ?? ''}`;
  else if (upload.commit === null) yield `nothing has changed: ${upload.url}`;
  else yield `${upload.changed} files in commit ${upload.commit}: ${upload.url}`;
}

/** `perturbql publish-dataset`. */
export const command = defineCommand({
  options: z.object({
    to: text('where', 'folder to write, or hub:owner/name to upload to with the token of HF_TOKEN', {
      missing: 'Name a new folder, or hub:owner/name.',
    }),
    license: described(z.string().regex(/^[a-z0-9][a-z0-9.+-]*$/, 'a hub’s identifier of a license is expected'), {
      value: 'name',
      description:
        'license of the run’s inputs as the hub names it, such as cc-by-sa-4.0 (default: what their card or license file says)',
      expected: { what: 'a hub’s word for a license', example: 'cc-by-sa-4.0' },
    })
      .nullable()
      .default(null),
    licenseFile: repeated('file', 'text of a license that goes along, next to those found with the inputs'),
    private: flag('make a data set that only its owner sees; an existing one stays unchanged'),
    endpoint: text('url', 'address of the hub (default: HF_ENDPOINT)').exactOptional(),
    ...JSON_OPTION,
  }),
  argument: { name: '<run>', description: 'folder that augment, mutate or compose wrote' },
  example: 'perturbql publish-dataset RUN --license cc-by-sa-4.0 --to DATASET',
  onInterrupt: 'pauses',
  async run({ licenseFile, ...options }, { args: [run = ''], host }) {
    const { publishDataset } = await import('../publish/publish-dataset.js');
    const published = await publishDataset({ ...options, run, licenseFiles: licenseFile }, host);
    return { json: published, lines: linesOf(published) };
  },
});
