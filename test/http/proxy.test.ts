import { describe, expect, test } from 'vitest';
import { ConfigError } from '../../src/errors.js';
import { proxyFor } from '../../src/http/proxy.js';
import { errorOf } from '../error-of.js';

const at = (url: string, environment: NodeJS.ProcessEnv): string | null => proxyFor(new URL(url), environment);

describe('proxyFor', () => {
  test.each<[string, NodeJS.ProcessEnv, string | null]>([
    ['https://hub.example/x', {}, null],
    ['https://hub.example/x', { HTTPS_PROXY: 'http://proxy:8080' }, 'http://proxy:8080'],
    ['http://hub.example/x', { HTTPS_PROXY: 'http://proxy:8080' }, null],
    ['http://hub.example/x', { HTTP_PROXY: 'proxy:8080' }, 'http://proxy:8080'],
    ['https://hub.example/x', { ALL_PROXY: 'http://all:1' }, 'http://all:1'],
    ['https://hub.example/x', { HTTPS_PROXY: 'http://big:1', https_proxy: 'http://small:1' }, 'http://small:1'],
    ['https://hub.example/x', { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'other, hub.example' }, null],
    ['https://cdn.hub.example/x', { HTTPS_PROXY: 'http://p:1', NO_PROXY: '.hub.example' }, null],
    ['https://cdn.hub.example/x', { HTTPS_PROXY: 'http://p:1', no_proxy: '*.hub.example' }, null],
    ['https://myhub.example/x', { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'hub.example' }, 'http://p:1'],
    ['https://hub.example:8443/x', { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'hub.example:443' }, 'http://p:1'],
    ['https://hub.example/x', { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'hub.example:443' }, null],
    ['https://hub.example/x', { HTTPS_PROXY: 'http://p:1', NO_PROXY: '*' }, null],
  ])('%s with %j', (url, environment, proxy) => expect(at(url, environment)).toBe(proxy));

  test.each([
    'http://me:50%off@proxy:1',
    'http://me:8080/hush@proxy:1',
    'http://me:8080#hush@proxy:1',
    'http://me:8080?hush@proxy:1',
    'me:8080/hush@proxy:1',
  ])('refuses a password that an address can’t hold, and does not repeat it: %s', (address) => {
    const error = errorOf(ConfigError, () => at('https://hub.example/x', { HTTPS_PROXY: address }));
    expect(error.fix).toMatch(/%25 for %/);
    expect(error.render()).not.toMatch(/hush|off|8080/);
  });
});
