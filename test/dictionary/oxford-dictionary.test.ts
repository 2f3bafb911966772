import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { OxfordDictionary, oxfordSettingsFrom, type OxfordSettings } from '../../src/dictionary/oxford-dictionary.js';
import { DictionaryError } from '../../src/errors.js';

interface Reply {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

interface Service {
  readonly dictionary: OxfordDictionary;
  readonly requests: IncomingMessage[];
}

/** A local service that answers with the given replies in turn, the last one from then on. */
async function serve(replies: readonly Reply[], settings: Partial<OxfordSettings> = {}): Promise<Service> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    const reply = replies[Math.min(requests.length, replies.length - 1)]!;
    requests.push(request);
    response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers });
    response.end(typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body ?? { error: 'no' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const dictionary = new OxfordDictionary({ appId: 'me', appKey: 'secret', apiUrl, backoffMs: 1, ...settings });
  return { dictionary, requests };
}

/** The documented shape of a thesaurus answer. */
const CITY = {
  id: 'city',
  metadata: { provider: 'Oxford University Press' },
  results: [
    {
      id: 'city',
      language: 'en',
      lexicalEntries: [
        {
          entries: [
            {
              senses: [
                {
                  id: 't1',
                  examples: [{ text: 'the big cities' }],
                  synonyms: [{ language: 'en', text: 'town' }, { text: 'municipality' }, { text: 'New York' }],
                  subsenses: [{ synonyms: [{ text: 'metropolis' }, { text: 'town' }] }],
                },
                { synonyms: [{ text: 'borough' }] },
                { synonyms: [{ text: 'burgh' }] },
              ],
            },
          ],
          lexicalCategory: { id: 'noun', text: 'Noun' },
          text: 'city',
        },
        {
          lexicalCategory: { id: 'verb', text: 'Verb' },
          entries: [{ senses: [{ synonyms: [{ text: 'urbanize' }] }] }],
        },
        { lexicalCategory: { id: 'interjection' }, entries: [{}] },
      ],
    },
  ],
};

describe('OxfordDictionary', () => {
  it('asks the documented path with the credentials in headers', async () => {
    const { dictionary, requests } = await serve([{ status: 200, body: CITY }]);
    await dictionary.synonyms('Zip code/x');
    expect(requests[0]?.url).toBe('/api/v2/thesaurus/en/zip%20code%2Fx');
    expect(requests[0]?.headers).toMatchObject({ app_id: 'me', app_key: 'secret' });
  });

  it('reads synonyms of senses and subsenses, in order, frequent senses only', async () => {
    const { dictionary } = await serve([{ status: 200, body: CITY }]);
    const nouns = await dictionary.synonyms('city', { pos: 'noun' });
    expect(nouns?.map(({ text }) => text)).toEqual(['town', 'municipality', 'metropolis', 'borough']);
    const all = await dictionary.synonyms('city');
    expect(all?.map(({ text }) => text)).toContain('urbanize');
  });

  it('asks once per word, also when asked at the same time', async () => {
    const { dictionary, requests } = await serve([{ status: 200, body: CITY }]);
    await Promise.all([
      dictionary.synonyms('city'),
      dictionary.synonyms('City'),
      dictionary.synonyms('city', { pos: 'verb' }),
    ]);
    await dictionary.synonyms('city');
    expect(requests).toHaveLength(1);
  });

  it('takes 404 for an unknown word', async () => {
    const { dictionary, requests } = await serve([{ status: 404 }]);
    expect(await dictionary.synonyms('xyzzy')).toBeNull();
    await dictionary.synonyms('xyzzy');
    expect(requests).toHaveLength(1);
  });

  it.each([401, 403])('tells to set the variables on %i, without another try', async (status) => {
    const { dictionary, requests } = await serve([{ status }]);
    const failure = dictionary.synonyms('city');
    await expect(failure).rejects.toThrow(DictionaryError);
    await expect(failure).rejects.toMatchObject({ fix: expect.stringContaining('OXFORD_APP_KEY') as string });
    expect(requests).toHaveLength(1);
  });

  it.each([429, 500, 503])('tries again after %i', async (status) => {
    const { dictionary, requests } = await serve([
      { status },
      { status, headers: { 'retry-after': '0' } },
      { status: 200, body: CITY },
    ]);
    expect((await dictionary.synonyms('city', { pos: 'verb' }))?.map(({ text }) => text)).toEqual(['urbanize']);
    expect(requests).toHaveLength(3);
  });

  it('gives up after the last try, and does not remember the failure', async () => {
    const { dictionary, requests } = await serve([{ status: 503 }, { status: 503 }, { status: 200, body: CITY }], {
      maxAttempts: 2,
    });
    await expect(dictionary.synonyms('city')).rejects.toThrow(/failed 2 times: status 503/);
    expect(await dictionary.synonyms('city')).not.toBeNull();
    expect(requests).toHaveLength(3);
  });

  it('gives up on a service that can’t be reached', async () => {
    const settings = { appId: 'me', appKey: 'x', apiUrl: 'http://127.0.0.1:1', maxAttempts: 2, backoffMs: 1 };
    await expect(new OxfordDictionary(settings).synonyms('city')).rejects.toThrow(DictionaryError);
  });

  it.each(['<html>', { error: 'quota' }, { results: 'none' }, { results: [{ lexicalEntries: [{ entries: 3 }] }] }])(
    'refuses an answer in another format: %j',
    async (body) => {
      const { dictionary } = await serve([{ status: 200, body }]);
      await expect(dictionary.synonyms('city')).rejects.toThrow(/another format/);
    },
  );

  it('shows no key that the service repeats, and sends none to where it redirects', async () => {
    const appKey = 'key-very-secret-123';
    const { dictionary } = await serve([{ status: 200, body: appKey }], { appKey });
    const failed = await dictionary.synonyms('city').catch((error: unknown) => error as DictionaryError);
    expect(failed).toBeInstanceOf(DictionaryError);
    expect((failed as DictionaryError).render()).toMatch(/another format\n {2}cause: /);
    expect((failed as DictionaryError).render()).not.toContain('key-very');
    const elsewhere = await serve([{ status: 200, body: CITY }]);
    await elsewhere.dictionary.synonyms('warm');
    const host = elsewhere.requests[0]?.headers.host ?? '';
    const moved = await serve([{ status: 302, headers: { location: `http://${host}/moved` } }], { appKey });
    expect(await moved.dictionary.synonyms('city')).not.toBeNull();
    expect(elsewhere.requests.at(-1)).toMatchObject({ url: '/moved' });
    expect(elsewhere.requests.at(-1)?.headers).not.toHaveProperty('app_key');
  });

  it('waits as long as a date in Retry-After asks', async () => {
    const [date, until] = [0, 1_000].map((ms) => new Date(1_700_000_000_000 + ms).toUTCString());
    const { dictionary } = await serve([
      { status: 429, headers: { date: date ?? '', 'retry-after': until ?? '' } },
      { status: 200, body: CITY },
    ]);
    const before = performance.now();
    await dictionary.synonyms('city');
    expect(performance.now() - before).toBeGreaterThan(900);
  });

  it('reads its settings from the environment', () => {
    expect(oxfordSettingsFrom({ OXFORD_APP_ID: 'a', OXFORD_APP_KEY: 'b' })).toEqual({ appId: 'a', appKey: 'b' });
    expect(oxfordSettingsFrom({ OXFORD_APP_ID: 'a', OXFORD_APP_KEY: 'b', OXFORD_API_URL: 'http://x' }).apiUrl).toBe(
      'http://x',
    );
    expect(() => oxfordSettingsFrom({ OXFORD_APP_ID: 'a' })).toThrow(DictionaryError);
    expect(() => OxfordDictionary.fromEnvironment({})).toThrow(/no key/);
  });

  it('keeps the key out of its fingerprint', () => {
    expect(new OxfordDictionary({ appId: 'me', appKey: 'secret' }).fingerprint).not.toContain('secret');
  });
});
