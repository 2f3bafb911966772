import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { HAS_CHROMIUM } from '../chromium-path.js';
import { ChromiumPage } from './chromium.js';

/** Process groups, by Linux's /proc, of whatever was started with a text in its command line. */
function groupsOf(text: string): readonly string[] {
  return readdirSync('/proc').flatMap((pid) => {
    try {
      if (!/^\d+$/.test(pid) || !readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(text)) return [];
      // Behind the name in brackets: state, parent, group.
      return [readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')[2]!];
    } catch {
      return [];
    }
  });
}

describe.skipIf(!HAS_CHROMIUM || !existsSync('/proc'))('a browser page (skipped where there is no Chromium)', () => {
  it('has its helpers in a group with it alone, so that none writes to its folder while it is removed', async () => {
    const page = await ChromiumPage.start();
    const groups = groupsOf(page.folder);
    await page.close();
    expect(groups.length).toBeGreaterThan(1);
    expect(new Set(groups)).toEqual(new Set([String(page.pid)]));
    expect(existsSync(page.folder)).toBe(false);
  });
});
