import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { LABEL_STUDIO_FORMAT } from '../../../src/annotate/exchange/label-studio-format.js';
import { renderLabelStudioConfig } from '../../../src/annotate/exchange/label-studio-config.js';
import {
  createFile,
  createFolder,
  faultOf,
  readAll,
  sampleAnswer,
  sampleItem,
  sampleRecord,
  sampleSet,
} from './exchange-fixture.js';

interface Task {
  data: Record<string, unknown>;
  annotations: Record<string, unknown>[];
  drafts: Record<string, unknown>[];
}

function writeTasks(...answers: ReturnType<typeof sampleAnswer>[]): { folder: string; tasks: Task[] } {
  const folder = join(createFolder(), 'tasks');
  LABEL_STUDIO_FORMAT.write(sampleSet(sampleRecord({ answers })), folder);
  return { folder, tasks: JSON.parse(readFileSync(join(folder, 'tasks.json'), 'utf8')) as Task[] };
}

/** What Label Studio makes of tasks: its own ids and accounts, results with what it adds, times of its own. */
function throughLabelStudio({ folder, tasks }: ReturnType<typeof writeTasks>, change: (task: Task) => void): string {
  for (const [i, task] of tasks.entries()) {
    Object.assign(task, { id: 100 + i, project: 7, inner_id: i + 1 });
    for (const annotation of task.annotations) {
      Object.assign(annotation, {
        id: 900,
        completed_by: 1,
        lead_time: 4.2,
        updated_at: '2026-09-01T12:00:00.728378Z',
      });
    }
    change(task);
  }
  const file = join(folder, 'project-7-at-2026-09-01.json');
  writeFileSync(file, JSON.stringify(tasks));
  return file;
}

const result = (from: string, value: unknown): unknown => ({
  id: 'x1',
  from_name: from,
  to_name: 'column',
  origin: 'manual',
  value,
});

describe('a labelling configuration', () => {
  const config = renderLabelStudioConfig('<Header/> & "quotes" \'s');

  test('escapes the project’s name', () => {
    expect(config).toContain('<Header value="&lt;Header/&gt; &amp; &quot;quotes&quot; &#39;s"/>');
  });

  test('is well-formed, and its controls are those that results name', () => {
    const open: string[] = [];
    for (const [tag, end, name, empty] of config.matchAll(
      /<(\/?)(\w+)(?:\s+\w+="[^"<&]*(?:&\w+;|&#\d+;|[^"<&])*")*\s*(\/?)>/gu,
    )) {
      if (end === '/') expect(open.pop()).toBe(name);
      else if (empty !== '/') open.push(name!);
      expect(tag).not.toContain('undefined');
    }
    expect(open).toEqual([]);
    expect(config.replace(/<[^>]*>/gu, '').trim()).toBe('');
    const controls = [...config.matchAll(/<(?:Choices|TextArea) name="(\w+)" toName="column"/gu)].map(
      ([, name]) => name,
    );
    const answer = sampleAnswer({ written: ['native land'], comment: 'why', flagged: true });
    const results = writeTasks(answer).tasks[0]!.annotations[0]!['result'] as { from_name: string }[];
    expect(controls).toEqual(results.map(({ from_name }) => from_name));
  });

  test('shows only what tasks have', () => {
    const variables = [...config.matchAll(/"\$(\w+)"/gu)].map(([, name]) => name!);
    expect(Object.keys(writeTasks().tasks[0]!.data)).toEqual(expect.arrayContaining(variables));
  });
});

describe('tasks', () => {
  test('come back from Label Studio with their annotators, though it knows other people', async () => {
    const answers = [sampleAnswer(), sampleAnswer({ annotator: 'ben', state: 'skipped', accepted: [] })];
    const file = throughLabelStudio(writeTasks(...answers), () => undefined);
    const [record] = await readAll('label-studio', file);
    const savedAt = '2026-09-01T12:00:00.728Z';
    expect(record!.answers).toEqual(answers.map((answer) => ({ ...answer, savedAt })));
  });

  test('bring what people annotated there: choices in the list’s order, texts, skips, drafts, ground truth', async () => {
    const accounts = [{ id: 3, email: 'zoe@example.org' }, 4, null];
    const file = throughLabelStudio(writeTasks(), (task) => {
      task.annotations = accounts.map((completed_by, i) => ({
        completed_by,
        was_cancelled: i === 1,
        ground_truth: i === 2,
        result:
          i === 1
            ? []
            : [result('accepted', { choices: ['nation', 'homeland'] }), result('written', { text: ['<b>land</b>'] })],
        updated_at: '2026-09-01T12:00:00Z',
      }));
      task.drafts = [{ user: 'dora@example.org', result: [result('comment', { text: ['half', 'way'] })] }];
    });
    const [record] = await readAll('label-studio', file);
    expect(record!.answers).toMatchObject([
      { annotator: '4', state: 'skipped', accepted: [], savedAt: '2026-09-01T12:00:00.000Z' },
      { annotator: 'dora@example.org', state: 'draft', comment: 'half\nway' },
      { annotator: 'zoe@example.org', state: 'done', accepted: ['homeland', 'nation'], written: ['<b>land</b>'] },
    ]);
    expect(record!.adjudications).toMatchObject([{ annotator: 'label-studio', accepted: ['homeland', 'nation'] }]);
  });

  test('hold names as they are, whatever they look like', () => {
    const item = sampleItem({
      candidates: [{ name: '<img src=x onerror=alert(1)> & $rows', source: 'retrieval', origin: null }],
    });
    const folder = join(createFolder(), 'tasks');
    LABEL_STUDIO_FORMAT.write(sampleSet(sampleRecord({ item })), folder);
    const tasks = JSON.parse(readFileSync(join(folder, 'tasks.json'), 'utf8')) as Task[];
    expect(tasks[0]!.data['candidates']).toEqual([{ value: item.candidates[0]!.name }]);
  });

  test.each([
    ['{}', /a JSON array of tasks is expected/u],
    [
      '[{"data": {"accepted": {"choices": []}}}]',
      /tasks\.json, task 1: field "meta" is missing\n\s+fix: .*not JSON-MIN/u,
    ],
  ])('that are none are refused: %s', async (text, message) => {
    const fault = await faultOf(() => readAll('label-studio', createFile('tasks.json', text)));
    expect(fault.render()).toMatch(message);
  });

  test('with a broken origin are refused by the item', async () => {
    const file = throughLabelStudio(writeTasks(sampleAnswer()), (task) => {
      task.annotations[0]!['result'] = [result('perturbql', { text: ['{'] })];
    });
    const fault = await faultOf(() => readAll('label-studio', file));
    expect(fault.render()).toMatch(/Home_Country\/RPL: what was exported here is no JSON any more/u);
  });

  test('with a wrong result are refused by the item', async () => {
    const file = throughLabelStudio(writeTasks(sampleAnswer()), (task) => {
      task.annotations[0]!['result'] = [result('perturbql', { text: ['{"annotator": ""}'] })];
    });
    const fault = await faultOf(() => readAll('label-studio', file));
    expect(fault.where).toMatchObject({ file, id: sampleItem().id });
  });
});
