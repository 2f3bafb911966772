import { z } from 'zod';
import { defineCommand } from './command.js';
import { JSON_OPTION } from './shared-options.js';
import type { Finding } from './verify-models.js';

function render({ name, folder, faults }: Finding): readonly string[] {
  if (faults.length === 0) return [`ok      ${name}  ${folder}`];
  return [
    `broken  ${name}`,
    ...faults.flatMap(({ file, message, fix }) => [`        ${file}: ${message}`, `        fix: ${fix}`]),
  ];
}

/** `perturbql models verify`. */
export const command = defineCommand({
  options: z.object({ ...JSON_OPTION }),
  argument: { name: '[name]', description: 'a model of the list (default: all)' },
  example: 'perturbql models verify',
  async run(_, { args: [name] }) {
    const { verifyModels } = await import('./verify-models.js');
    const json = await verifyModels(name);
    return { json, lines: json.flatMap(render), failedCheck: json.some(({ faults }) => faults.length > 0) };
  },
});
