import { z } from 'zod';
import { defineCommand } from './command.js';
import { JSON_OPTION } from './shared-options.js';

function renderList([title, entries]: [string, object]): readonly string[] {
  const lines = Array.isArray(entries)
    ? (entries as readonly string[])
    : Object.entries(entries).map(
        ([name, value]) => `${name} = ${typeof value === 'string' ? value : JSON.stringify(value)}`,
      );
  return [`${title}:`, ...lines.map((line) => `  ${line}`)];
}

/** `perturbql list`: everything that can be named on the command line, from the registry. */
export const command = defineCommand({
  options: z.object({ ...JSON_OPTION }),
  example: 'perturbql list',
  readsConfig: false,
  async run() {
    const { namedParts } = await import('./named-parts.js');
    const json = namedParts();
    return { json, lines: Object.entries(json).flatMap(renderList) };
  },
});
