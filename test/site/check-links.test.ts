import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { findLinkFaults } from '../../site/check-links.mjs';

const folder = mkdtempSync(join(tmpdir(), 'perturbql-links-'));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('finds links that lead nowhere, anchors that are missing, and what comes from other hosts', () => {
  mkdirSync(join(folder, 'guides'));
  writeFileSync(join(folder, 'index.html'), '<h1 id="top">T</h1><a href="/base/guides/one.html#s">1</a>');
  writeFileSync(
    join(folder, 'guides/one.html'),
    `<h2 id="s">S</h2><a href="../index#top">up</a><a href="https://example.org">other</a>
    <a href="../gone.html">gone</a><a href="#nothing">none</a><script src="https://cdn.example.org/x.js"></script>
    <img alt="" src="//cdn.example.org/x.png">`,
  );
  expect(findLinkFaults(folder, '/base/')).toEqual([
    'guides/one.html: ../gone.html leads nowhere',
    'guides/one.html: #nothing has no such anchor',
    'guides/one.html: https://cdn.example.org/x.js is loaded from another host',
    'guides/one.html: //cdn.example.org/x.png is loaded from another host',
  ]);
});
