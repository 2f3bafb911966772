import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PageAssets } from '../../../src/annotate/server/page-assets.js';
import { makeTempFolder } from '../../e2e/run-cli.js';
import { writePage } from './app-fixture.js';

let temp: ReturnType<typeof makeTempFolder>;
let page: string;
beforeEach(() => {
  temp = makeTempFolder();
  page = writePage(temp.path);
});
afterEach(() => temp.remove());

describe('the files of the page', () => {
  it('are found by their paths alone', () => {
    const assets = PageAssets.load(page);
    expect(assets.find('/app.js')).toMatchObject({ type: 'text/javascript; charset=utf-8' });
    expect(assets.find('/')).toEqual(assets.find('/index.html'));
    for (const path of ['app.js', '/App.js', '/parts/', '/constructor', '']) expect(assets.find(path), path).toBeNull();
  });

  it('have different validators', () => {
    const assets = PageAssets.load(page);
    const tags = ['/index.html', '/app.js', '/parts/key.svg'].map((path) => assets.find(path)!.etag);
    expect(new Set(tags).size).toBe(3);
    for (const tag of tags) expect(tag).toMatch(/^"[0-9a-f]{32}"$/);
  });

  it('do not come through a link out of the folder', () => {
    symlinkSync(join(temp.path, 'secret.js'), join(page, 'linked.js'));
    symlinkSync(temp.path, join(page, 'out'));
    const assets = PageAssets.load(page);
    expect(assets.find('/linked.js')).toBeNull();
    expect(assets.find('/out/secret.js')).toBeNull();
  });

  it('that have not been built are named with what builds them', () => {
    rmSync(join(page, 'index.html'));
    expect(() => PageAssets.load(page)).toThrow(
      expect.objectContaining({ code: 'CONFIG', fix: 'Run `npm run build`.', where: { file: page } }) as Error,
    );
    expect(() => PageAssets.load(join(temp.path, 'missing'))).toThrow('the annotation page has not been built');
  });
});
