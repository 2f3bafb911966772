import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ARGILLA_FORMAT, argillaUser } from '../../../src/annotate/exchange/argilla-format.js';
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

interface Response {
  value: unknown;
  user_id: string;
  status?: string;
}

interface ArgillaRecord {
  id: string;
  fields: Record<string, string>;
  metadata: Record<string, unknown>;
  responses: Record<string, Response[]>;
  suggestions: Record<string, { value: unknown; score: null; agent: string }>;
}

function writeRecords(change: Parameters<typeof sampleRecord>[0]): { folder: string; records: ArgillaRecord[] } {
  const folder = join(createFolder(), 'dataset');
  ARGILLA_FORMAT.write(sampleSet(sampleRecord(change)), folder);
  return { folder, records: JSON.parse(readFileSync(join(folder, 'records.json'), 'utf8')) as ArgillaRecord[] };
}

const UUID = /^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/u;
const NAME = /^(?=.*[a-z0-9])[a-z0-9_-]+$/u;

describe('a dataset', () => {
  const answers = [
    sampleAnswer({ accepted: ['homeland', 'nation'], written: ['native land', 'land'], comment: 'why' }),
    sampleAnswer({ annotator: 'ben', state: 'skipped', accepted: [] }),
  ];
  const decision = sampleAnswer({ annotator: 'rex', accepted: ['nation'], revision: 1 });
  const { folder, records } = writeRecords({ answers, adjudications: [decision] });
  const record = records[0]!;

  test('has a record per item: texts to read, responses by user, the reviewer’s decision as suggestion', () => {
    const [ann, ben] = [argillaUser('ann'), argillaUser('ben')];
    expect([ann, ben]).toEqual([expect.stringMatching(UUID), expect.stringMatching(UUID)]);
    expect(record.id).toBe(sampleItem().id);
    expect(record.fields['candidates']).toBe('1. homeland\n2. native country\n3. nation');
    expect(record.responses).toEqual({
      accepted: [{ value: ['1', '3'], user_id: ann, status: 'submitted' }],
      written: [{ value: 'native land\nland', user_id: ann, status: 'submitted' }],
      comment: [{ value: 'why', user_id: ann, status: 'submitted' }],
      flagged: [
        { value: 'no', user_id: ann, status: 'submitted' },
        { value: 'no', user_id: ben, status: 'discarded' },
      ],
    });
    expect(record.suggestions).toEqual({
      accepted: { value: ['3'], score: null, agent: 'rex' },
      flagged: { value: 'no', score: null, agent: 'rex' },
    });
  });

  test('has settings for just these fields, questions and labels', () => {
    const settings = JSON.parse(readFileSync(join(folder, 'settings.json'), 'utf8')) as {
      fields: { name: string }[];
      metadata: { name: string }[];
      questions: { name: string; settings: { type: string; options?: { value: string }[] } }[];
    };
    expect(settings.fields.map(({ name }) => name)).toEqual(Object.keys(record.fields));
    const questions = new Map(settings.questions.map((question) => [question.name, question.settings]));
    expect([...questions.keys()]).toEqual(['accepted', 'written', 'comment', 'flagged']);
    expect(questions.get('accepted')!.options!.map(({ value }) => value)).toEqual(['1', '2', '3']);
    expect([...questions.values()].map(({ type }) => type)).toEqual([
      'multi_label_selection',
      'text',
      'text',
      'label_selection',
    ]);
    const names = [...settings.fields, ...settings.metadata, ...settings.questions].map(({ name }) => name);
    expect(names.filter((name) => !NAME.test(name))).toEqual([]);
    expect(JSON.parse(readFileSync(join(folder, 'dataset.json'), 'utf8'))).toMatchObject({ name: 'sample' });
  });

  test('comes back as Argilla writes its records, without status', async () => {
    const bare = structuredClone(records);
    for (const list of Object.values(bare[0]!.responses)) for (const response of list) delete response.status;
    const [read] = await readAll('argilla', createFile('records.json', JSON.stringify(bare)));
    expect(read!.answers).toEqual(answers);
    expect(read!.adjudications).toEqual([decision]);
  });

  test('comes back as the Hugging Face dataset of its records, with answers of people who were not known', async () => {
    const zoe = '11111111-2222-4333-8444-555555555555';
    const flat: Record<string, unknown> = {
      id: record.id,
      status: 'completed',
      ...record.fields,
      ...record.metadata,
      'accepted.responses': [['1', '3'], ['2']],
      'accepted.responses.users': [argillaUser('ann'), zoe],
      'accepted.responses.status': ['submitted', 'draft'],
      'written.responses': ['  native land\n\nland'],
      'written.responses.users': [argillaUser('ann')],
      'written.responses.status': ['submitted'],
      'comment.responses': null,
      'accepted.suggestion': ['2'],
      'accepted.suggestion.agent': 'rex',
      'written.suggestion': null,
    };
    const [read] = await readAll('argilla', createFile('records.jsonl', `${JSON.stringify(flat)}\n`));
    expect(read!.answers).toMatchObject([
      { annotator: zoe, state: 'draft', accepted: ['native country'] },
      {
        annotator: 'ann',
        state: 'done',
        accepted: ['homeland', 'nation'],
        written: ['native land', 'land'],
        comment: '',
      },
    ]);
    expect(read!.adjudications).toMatchObject([{ annotator: 'rex', accepted: ['native country'] }]);
  });

  test.each([
    ['{"id": "x"}', /records\.jsonl:1, record: field "metadata\.perturbql" is wrong|is missing/u],
    ['[1]', /record 1/u],
    ['{', /records\.jsonl:1: this is not JSON/u],
  ])('that is none is refused: %s', async (text, message) => {
    const fault = await faultOf(() => readAll('argilla', createFile('records.jsonl', text)));
    expect(fault.render()).toMatch(message);
  });

  test('with metadata that are broken is refused by the record', async () => {
    const broken = structuredClone(records);
    broken[0]!.metadata['perturbql'] = '{';
    const fault = await faultOf(() => readAll('argilla', createFile('broken.json', JSON.stringify(broken))));
    expect(fault.render()).toMatch(/broken\.json, record 1: what was exported here is no JSON any more/u);
  });

  test('with a label that the list lacks is refused by the item', async () => {
    const wrong = structuredClone(records);
    wrong[0]!.responses['accepted']![0]!.value = ['7'];
    const file = join(folder, 'wrong.json');
    writeFileSync(file, JSON.stringify(wrong));
    const fault = await faultOf(() => readAll('argilla', file));
    expect(fault.render()).toMatch(/Home_Country\/RPL: the list has no candidate number 7/u);
  });
});
