import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { summarizeCandidates } from '../../../src/variants/report/candidates-report.js';
import { candidatesDocument } from '../../../src/variants/report/candidates-document.js';
import { columnCases } from '../../../src/variants/report/column-cases.js';
import { renderDocument } from '../../../src/report/document/render-document.js';
import { context, decision, DECISIONS, SETTINGS } from './hand-made-run.js';

const pageOf = (decisions = DECISIONS, changes: Parameters<typeof context>[0] = {}): string =>
  renderDocument(
    candidatesDocument(summarizeCandidates(decisions, context(changes)), columnCases(decisions, context(changes))),
  );
const page = pageOf();
const textOf = (markup: string): string =>
  markup
    .replace(/<(style|script)[^>]*>.*?<\/\1>/gs, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');

const withoutScripts = (markup: string): string => markup.replace(/<script[^>]*>.*?<\/script>/gs, '');

/** Elements that must be closed, in order of appearance, each with its closing tag matched. */
function unbalanced(markup: string): string[] {
  const open: string[] = [];
  const wrong: string[] = [];
  const body = markup.replace(/<(style|script)[^>]*>.*?<\/\1>/gs, '');
  for (const [, closing, name, empty] of body.matchAll(/<(\/?)([a-z][a-z0-9]*)(?:\s(?:"[^"]*"|[^">])*?)?\s*(\/?)>/g)) {
    if (empty === '/' || ['meta', 'link', 'input', 'br'].includes(name!)) continue;
    if (closing === '') open.push(name!);
    else if (open.pop() !== name) wrong.push(name!);
  }
  return [...wrong, ...open];
}

describe('the page of candidates', () => {
  it.each(['Columns', 'Why names were rejected', 'Tables', 'Scores', 'Details'])(
    'has the section "%s", linked from the top',
    (heading) => {
      const id = new RegExp(`<h2 id="([a-z]+)-heading">${heading}</h2>`).exec(page)?.[1];
      expect(page).toContain(`href="#${id}"`);
      expect(page).toContain(` id="${id}"`);
    },
  );

  it('says what came out, by which settings', () => {
    const text = textOf(page);
    expect(text).toContain('2 of 5 columns got a replacement, 2 a misleading column to add');
    expect(text).toContain('2 columns got neither.');
    expect(text).toContain('RPL ≥ 0.65, ADD ≤ 0.45');
    expect(text).toContain('non-commercial weights');
    const [model] = SETTINGS.models;
    const free = pageOf(DECISIONS, { settings: { ...SETTINGS, models: [{ ...model!, nonCommercial: false }] } });
    expect(textOf(free)).not.toContain('non-commercial');
  });

  it('loads nothing: no address, no import, and a policy that forbids it', () => {
    expect(page).not.toMatch(/https?:\/\//);
    expect(withoutScripts(page)).not.toMatch(/\b(src|srcset|action|poster)=|@import|url\(/);
    const targets = [...withoutScripts(page).matchAll(/href="([^"]*)"/g)].map(([, target]) => target!);
    expect(targets.filter((target) => !target.startsWith('#') && target !== 'data:,')).toEqual([]);
    expect(page).toContain('default-src &#39;none&#39;');
  });

  it('lets in its own style and script by their hash', () => {
    for (const element of ['style', 'script']) {
      const content = new RegExp(`<${element}>(.*?)</${element}>`, 's').exec(page)![1]!;
      expect(page).toContain(`sha256-${createHash('sha256').update(content).digest('base64')}`);
    }
    expect(page).not.toMatch(/\sstyle=|\son[a-z]+=/);
  });

  it('escapes hostile and odd names wherever they are shown', () => {
    const evil = '<script>alert("x")</script>\'&🦄\u0000';
    const names = { db_id: evil, table: evil, column: evil, candidate: evil, against: `${evil}2`, near: true };
    const origin = { table: evil, title: evil, column: `${evil}3`, type: 'text', score: null } as const;
    const hostile = pageOf([decision({ ...names, origin }), decision({ ...names, bucket: 'rejected', reason: evil })], {
      dataset: evil,
      targetColumns: [{ dbId: evil, table: evil, column: 'lonely' }],
      counts: { [evil]: 1 },
      warnings: [evil],
      settings: {
        ...SETTINGS,
        recipe: evil,
        vectors: evil,
        models: [{ name: evil, revision: evil, sha256: evil, nonCommercial: true }],
      },
    });
    expect(hostile.match(/<script/g)).toHaveLength(2);
    expect(hostile).not.toContain('alert("x")');
    expect(hostile).not.toContain('\u0000');
    expect(hostile).toContain('&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;&#39;&amp;🦄');
    expect(unbalanced(hostile)).toEqual([]);
  });

  it('is accessible: one h1, landmarks, scoped headers, titled plots, unique ids', () => {
    expect(page.match(/<h1/g)).toHaveLength(1);
    for (const landmark of ['<header', '<nav aria-label', '<main', '<footer']) expect(page).toContain(landmark);
    expect([...page.matchAll(/<th(?=[\s>])[^>]*>/g)].filter(([tag]) => !tag.includes('scope='))).toEqual([]);
    const plots = [...page.matchAll(/<svg[^>]*role="img"[^>]*aria-labelledby="([^" ]+) ([^"]+)"/g)];
    expect(plots).toHaveLength(5);
    for (const [, title, description] of plots) {
      expect(page).toContain(`<title id="${title}">`);
      expect(page).toContain(`<desc id="${description}">`);
    }
    const ids = [...page.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(unbalanced(page)).toEqual([]);
  });

  it('draws the thresholds that were in force', () => {
    expect(page).toContain('x1="65%"');
    const other = { rplMin: 0.9, addMax: 0.1, source: 'settings' } as const;
    const moved = pageOf(DECISIONS, { settings: { ...SETTINGS, thresholds: other } });
    expect(moved).toContain('x1="90%"');
    expect(moved).not.toContain('x1="65%"');
    expect(pageOf(DECISIONS, { settings: { ...SETTINGS, thresholds: null } })).not.toContain('class="threshold"');
  });

  it('gives the same bytes for the same report', () => {
    expect(pageOf([...DECISIONS].reverse())).toBe(page);
  });

  it('stands a run without decisions, and one without a judge', () => {
    expect(unbalanced(pageOf([], { databases: [], targetColumns: [], counts: {} }))).toEqual([]);
    const unjudged = textOf(pageOf([decision({ e1: null, e2: null, against: null, reason: 'rank' })]));
    expect(unjudged).toContain('No judge was asked');
    expect(unjudged).not.toContain('NaN');
  });

  it('tells runs by the file of their examples, where that is known', () => {
    expect(textOf(pageOf(DECISIONS, { examplesName: 'school.json' }))).toContain('examples school.json');
  });
});

describe('the columns of a run', () => {
  const columns = columnCases(DECISIONS, context());
  const caseOf = (name: string) => {
    const found = columns.cases.find(({ question }) => question === name);
    if (found === undefined) throw new Error(`there is no column ${name}`);
    return found;
  };

  it('say what they lack, and the one with names of both kinds is open', () => {
    expect(columns.open).toBe('school/student/home town');
    expect(columns.cases.map(({ id, status }) => [id, status])).toEqual([
      ['school/class/room', 'none'],
      ['school/class/title', 'none'],
      ['school/student/age', 'rpl'],
      ['school/student/home town', 'both'],
      ['shop/product/name', 'add'],
    ]);
  });

  it('have accepted names with their sources and scores, and rejected ones with their reasons', () => {
    const [{ results, tables }] = caseOf('student . home town').sides;
    expect(results.map(({ label, count }) => [label.split(':')[0], count])).toEqual([
      ['Replacements (RPL)', 2],
      ['Additions (ADD)', 3],
      ['Rejected', 1],
    ]);
    expect(results[0]?.rows[0]).toEqual(['city of origin', 'retrieval: Exchange students', '0.90', '0.80', '–']);
    expect(results[1]?.rows.map(([name, , , , note]) => [name, note])).toContainEqual([
      'Current  Town',
      'closest to name',
    ]);
    expect(results[2]?.rows[0]?.[4]).toBe('Between the thresholds: neither the same nor clearly distinct');
    expect(tables[0]?.columns[0]).toEqual({ name: 'home town', change: 'renamed' });
  });

  it('show two rejected names of each reason, and count all', () => {
    const many = Array.from({ length: 7 }, (_, i) =>
      decision({ bucket: 'rejected', reason: i < 5 ? 'digits' : 'short', candidate: `name ${i}` }),
    );
    const [one] = columnCases(many, context()).cases.filter(({ id }) => id === 'school/student/home town');
    const [rejected] = one?.sides[0].results ?? [];
    expect(rejected?.rows.map(([name]) => name)).toEqual(['name 0', 'name 1', 'name 5', 'name 6']);
    expect(rejected?.count).toBe(7);
    expect(one?.reason).toBe('Of 7\u00a0proposed names none was accepted; the most frequent reason, of 5: Digits.');
  });

  it('say so where no name was proposed', () => {
    expect(caseOf('class . room').reason).toBe('No name was proposed.');
  });
});
