import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { packagePath } from '../../package-path.js';
import { renderJsonArray, renderJsonLines } from '../json-file.js';
import type { OutputFolder, OutputSet } from '../output-set.js';
import type { ExportName } from './export-names.js';
import { type ExportRow, messageOf, type PromptedRow, promptedRows, type PromptOptions } from './export-row.js';

/**
 * Writes what a training or evaluation framework needs besides the data, below a folder named after the export: its
 * configuration, and the function that has perturbql judge. They are the files of `integrations/loops/`, as they are.
 */
export function writeLoopFiles(name: ExportName, folder: OutputFolder): void {
  const source = packagePath(`integrations/loops/${name}`);
  const paths = readdirSync(source, { recursive: true, encoding: 'utf8' }).sort();
  for (const path of paths) {
    const file = join(source, path);
    if (statSync(file).isFile()) folder.write(join(name, path), readFileSync(file, 'utf8'));
  }
}

/** Fields that data sets have for what a question takes for granted. */
const KNOWLEDGE_FIELDS = ['external_knowledge', 'evidence'];

function knowledgeOf({ fields }: ExportRow): string {
  const own = JSON.parse(fields ?? '{}') as Readonly<Record<string, unknown>>;
  const found = KNOWLEDGE_FIELDS.map((name) => own[name]).find((value) => typeof value === 'string');
  return found ?? '';
}

/** An export with a JSON record per question. */
interface LineExport {
  /** Below the export's folder. */
  readonly file: string;
  /** Lays a row out as the export's readers expect it; `index` counts rows from 0. */
  readonly record: (row: PromptedRow, index: number) => object;
  /** True if the records are a JSON array instead of JSON lines. */
  readonly isArray?: true;
  /** True if its framework needs further files (`writeLoopFiles`). */
  readonly hasLoop?: true;
}

const LINE_EXPORTS = {
  /** A conversation per line, schema and question in, SQL out, as fine-tuning services read it. */
  chat: {
    file: 'chat.jsonl',
    record: ({ id, messages, query, fields }) => ({
      id,
      messages: [...messages, { role: 'assistant', content: query }],
      // Fields of the data set's own, where its examples have some.
      ...(fields === undefined ? {} : { metadata: JSON.parse(fields) as unknown }),
    }),
  },
  /** Fields as NVIDIA's own `bird_sql` server of NeMo Gym reads them, and what tells where a row comes from. */
  'nemo-gym': {
    file: 'resources_servers/perturbql_sql/data/tasks.jsonl',
    record: ({ messages, question, query, schema, db_id, kind, id, source_id, original_db_id }, index) => ({
      responses_create_params: { input: messages },
      question,
      gt_sql: query,
      sql_context: schema,
      db_id,
      id: index,
      kind,
      example_id: id,
      source_id,
      original_db_id,
    }),
    hasLoop: true,
  },
  /** Fields of `TaskData` in Prime Intellect's Verifiers, and those that the environment adds. */
  verifiers: {
    file: 'perturbql_sql/tasks.jsonl',
    record: (row) => {
      const { id, kind, db_id, query } = row;
      return { id, prompt: messageOf(row, 'user'), system_prompt: messageOf(row, 'system'), kind, db_id, query };
    },
    hasLoop: true,
  },
  /**
   * Questions in the form of SynSQL-2.5M, as OmniSQL's and Arctic-Text2SQL's scripts read them next to `tables.json` and
   * `database/`.
   */
  omnisql: {
    file: 'data.json',
    record: (row) => {
      const { id, kind, db_id, question, query } = row;
      // OmniSQL trains on `cot`, what a model is to answer; without thoughts, that is the query in a code block.
      const cot = `\`\`\`sql\n${query}\n\`\`\``;
      return { id, kind, db_id, question, external_knowledge: knowledgeOf(row), cot, sql: query, query };
    },
    isArray: true,
  },
  /** Tasks of the LM Evaluation Harness, one for the questions of each kind, and a group of the first three. */
  'lm-eval': {
    file: 'questions.jsonl',
    record: ({ id, messages, query, kind, db_id }) => {
      // The harness has one text for chat models and others.
      const prompt = messages.map(({ content }) => content).join('\n\n');
      return { id, kind: kind.toLowerCase(), db_id, prompt, query };
    },
    hasLoop: true,
  },
  /** A task of Inspect with its samples and scorer. */
  inspect: {
    file: 'samples.jsonl',
    record: ({ id, messages, query, kind, db_id, source_id, original_db_id }) => {
      return { id, input: messages, target: query, metadata: { kind, db_id, source_id, original_db_id } };
    },
    hasLoop: true,
  },
  /** A configuration of promptfoo with its tests, prompt and assertion. */
  promptfoo: {
    file: 'tests.jsonl',
    record: (row) => {
      const { id, query, kind, db_id } = row;
      const texts = { system: messageOf(row, 'system') ?? '', user: messageOf(row, 'user') };
      return { description: id, vars: { ...texts, db_id, gold: query }, metadata: { kind, db_id } };
    },
    hasLoop: true,
  },
} as const satisfies Partial<Record<ExportName, LineExport>>;

export type LineExportName = keyof typeof LINE_EXPORTS;

/** promptfoo's prompt, which names its messages by variables: what it fills in for them is not read as a template. */
function renderPromptfooPrompt(hasSystem: boolean): string {
  const roles = hasSystem ? ['system', 'user'] : ['user'];
  return `${JSON.stringify(roles.map((role) => ({ role, content: `{{${role}}}` })))}\n`;
}

/** Writes an export with a JSON record per question, and what its framework needs besides. */
export function exportLines(name: LineExportName, set: OutputSet, folder: OutputFolder, options: PromptOptions): void {
  const { file, record, isArray, hasLoop }: LineExport = LINE_EXPORTS[name];
  const records = function* (): Generator<object> {
    let index = 0;
    for (const row of promptedRows(set, options)) yield record(row, index++);
  };
  folder.write(`${name}/${file}`, isArray ? renderJsonArray(records()) : renderJsonLines(records()));
  if (name === 'promptfoo') {
    folder.write('promptfoo/prompt.json', renderPromptfooPrompt(options.template.system !== null));
  }
  if (hasLoop) writeLoopFiles(name, folder);
}
