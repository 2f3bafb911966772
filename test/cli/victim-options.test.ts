import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { TIMEOUT_OPTION } from '../../src/cli/shared-options.js';
import { VICTIM_OPTIONS, victimOf } from '../../src/cli/victim-options.js';
import { ConfigError } from '../../src/errors.js';
import { COMMAND } from '../../src/victims/kinds/command-kind.js';
import { errorOf } from '../error-of.js';

const OPTIONS = z.object({ ...VICTIM_OPTIONS, ...TIMEOUT_OPTION });
const parse = (parameters: string): unknown =>
  victimOf(OPTIONS.parse({ victim: 'endpoint', baseUrl: 'http://host/v1', model: 'm', parameters }), new Set());

describe('--parameters', () => {
  it('are further fields of the request', () => {
    expect(parse('{"max_tokens": 5, "temperature": 1}')).toMatchObject({
      settings: { parameters: { max_tokens: 5, temperature: 1 } },
    });
  });

  it.each(['model', 'messages', 'stream'])('are refused with %s, which the request has anyway', (name) => {
    const error = errorOf(ConfigError, () => parse(JSON.stringify({ max_tokens: 5, [name]: 'x' })));
    expect(error.message).toBe(`--parameters can't set "${name}"`);
  });
});

describe('an option that a victim can’t do without', () => {
  it.each([
    ['linker', '--linker build/linker-model'],
    ['command', '--command "python3 model.py"'],
    ['file', '--predictions predictions.jsonl'],
    ['endpoint', '--base-url http://localhost:8000/v1'],
  ] as const)('of %s is said with a value', (victim, example) => {
    const { message, fix } = errorOf(ConfigError, () => victimOf(OPTIONS.parse({ victim }), new Set()));
    expect(message).toBe(`victim ${victim} needs ${example.split(' ')[0]}`);
    expect(fix).toBe(`Give it, for instance ${example}.`);
  });
});

describe('--executions', () => {
  const endpoint = { victim: 'endpoint', baseUrl: 'http://host/v1', model: 'm', timeout: 7 } as const;

  it('let a model query as long as any query may take', () => {
    expect(
      victimOf(OPTIONS.parse({ ...endpoint, executions: 3, sendValues: true }), new Set(['executions'])),
    ).toMatchObject({
      executions: { count: 3, bytes: 8192, timeoutMs: 7000 },
    });
    expect(victimOf(OPTIONS.parse(endpoint), new Set())).not.toHaveProperty('executions');
  });

  it('are of no use to a victim that has no chat, and their bytes to one that has none', () => {
    const baseline = OPTIONS.parse({ executions: 3 });
    const message = errorOf(ConfigError, () => victimOf(baseline, new Set(['executions']))).message;
    expect(message).toBe('option --executions is of no use to victim baseline');
    const bytes = OPTIONS.parse({ ...endpoint, executionBytes: 99 });
    const other = errorOf(ConfigError, () => victimOf(bytes, new Set(['executionBytes']))).message;
    expect(other).toBe('option --execution-bytes is of no use to a model that executes nothing');
  });
});

describe('an option for another victim', () => {
  const options = OPTIONS.parse({ victim: 'baseline', baseUrl: 'http://host/v1' });

  it('is refused where a flag gives it', () => {
    const error = errorOf(ConfigError, () => victimOf(options, new Set(['victim', 'baseUrl'])));
    expect(error.message).toBe('option --base-url is of no use to victim baseline');
  });

  it('is passed over where the configuration file gives it', () => {
    expect(victimOf(options, new Set(['victim']))).toEqual({ kind: 'baseline', train: null });
  });
});

describe('the name of a command', () => {
  it.each([
    ['python3 models/my_model.py --key SECRET', 'command python3 my_model.py'],
    ['/opt/model --key SECRET', 'command model'],
  ])('is that of program and script, not of what may be a key: %s', async (command, description) => {
    const choice = COMMAND.choose(OPTIONS.parse({ victim: 'command', command }), new Set());
    expect((await COMMAND.create(choice, {} as never)).description).toBe(description);
  });
});
