import { describe, expect, it } from 'vitest';
import { createSecretMask, withoutKeys } from '../../src/http/secret-mask.js';

const KEY = 'sk-"quoted"/äö+1234';

describe('a mask of secrets', () => {
  it.each([
    ['as it is', KEY],
    ['in JSON', JSON.stringify({ message: `got ${KEY}` })],
    ['in JSON within JSON', JSON.stringify({ message: JSON.stringify({ key: KEY }) })],
    ['in an address', `https://host/?key=${encodeURIComponent(KEY)}`],
    ['in base64', Buffer.from(KEY).toString('base64')],
  ])('hides one that a text repeats %s', (_, text) => {
    const { text: mask, json } = createSecretMask([`Bearer ${KEY}`]);
    expect(mask(text)).toContain('[secret]');
    expect(mask(text)).not.toContain('quoted');
    expect(mask(text)).not.toContain(Buffer.from(KEY).toString('base64').slice(0, 8));
    if (text.startsWith('{')) expect(JSON.stringify(json(text))).not.toContain('1234');
  });

  it('hides user and password of Basic authentication', () => {
    const { text } = createSecretMask([`Basic ${Buffer.from('ann:hunter2-long').toString('base64')}`]);
    expect(text('ann said hunter2-long')).toBe('ann said [secret]');
  });

  it('leaves no end of a secret that another one begins', () => {
    expect(createSecretMask(['secret-1', 'secret-1-more']).text('a secret-1-more b')).toBe('a [secret] b');
  });

  it('leaves numbers of JSON, and values too short to be secrets', () => {
    const { json } = createSecretMask(['170000', 'abc']);
    expect(json('{"created": 1700001, "said": "abc 170000"}')).toEqual({ created: 1_700_001, said: 'abc [secret]' });
  });

  it('quotes no secret of a text that is no JSON', () => {
    expect(() => createSecretMask(['sk-12345678']).json('sk-12345678')).toThrow(/^(?!.*sk-1)/);
  });
});

describe('withoutKeys', () => {
  it.each([
    ['https://host/a/b.txt', 'https://host/a/b.txt'],
    ['https://ann:hush@host/a?sig=0123456789&raw=1', 'https://host/a?sig=[secret]&raw=1'],
    ['owner/name@main', 'owner/name@main'],
    ['./folder', './folder'],
  ])('%s → %s', (url, shown) => expect(withoutKeys(url)).toBe(shown));
});
