import { renderJsonLines } from '../json-file.js';
import type { OutputFolder, OutputSet } from '../output-set.js';
import { writeLoopFiles } from './loop-files.js';
import { messageOf, type PromptOptions, promptedRows } from './export-row.js';

function* renderTests(set: OutputSet, options: PromptOptions): Generator<object> {
  for (const row of promptedRows(set, options)) {
    const { id, query, kind, db_id } = row;
    const texts = { system: messageOf(row, 'system') ?? '', user: messageOf(row, 'user') };
    yield { description: id, vars: { ...texts, db_id, gold: query }, metadata: { kind, db_id } };
  }
}

/** The prompt names its messages by variables: what promptfoo fills in for them is not read as a template. */
function renderPrompt(hasSystem: boolean): string {
  const roles = hasSystem ? ['system', 'user'] : ['user'];
  return `${JSON.stringify(roles.map((role) => ({ role, content: `{{${role}}}` })))}\n`;
}

/** `promptfoo/`: a configuration of promptfoo with its tests, prompt and assertion. */
export function exportPromptfoo(set: OutputSet, folder: OutputFolder, options: PromptOptions): void {
  folder.write('promptfoo/tests.jsonl', renderJsonLines(renderTests(set, options)));
  folder.write('promptfoo/prompt.json', renderPrompt(options.template.system !== null));
  writeLoopFiles('promptfoo', folder);
}
