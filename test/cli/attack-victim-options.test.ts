import { describe, expect, it } from 'vitest';
import { parseVictim } from '../../src/cli/attack-victim-options.js';
import { ConfigError } from '../../src/errors.js';
import { errorOf } from '../error-of.js';

const parse = (parameters: string): unknown =>
  parseVictim({
    ...{ victim: 'endpoint', baseUrl: 'http://host/v1', model: 'm', temperature: '0', answerTimeout: '120' },
    parameters,
  });

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
