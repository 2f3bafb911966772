import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { AttackReport } from '../../../src/attack/attack-report.js';
import { renderAttackPage } from '../../../src/attack/report/attack-page.js';
import type { CaseData } from '../../../src/attack/report/packed-cases.js';
import { contrastKinds } from '../../../src/attack/report/contrast-section.js';
import { syntheticDatabases, syntheticReport } from './synthetic-report.js';

const report = syntheticReport({ examples: 40, databases: 6 });
const page = renderAttackPage(report, syntheticDatabases());
const withoutCode = (markup: string): string => markup.replace(/<(style|script)[^>]*>.*?<\/\1>/gs, '');
const textOf = (markup: string): string =>
  withoutCode(markup)
    .replace(/<[^>]*>/g, ' ')
    .replace(/[\s\u00a0]+/g, ' ');
const dataOf = (markup: string): CaseData =>
  JSON.parse(/<script type="application\/json" id="case-data">(.*?)<\/script>/s.exec(markup)![1]!) as CaseData;

const EVIL = '</script><script>alert("x")</script><!--\'&🦄\u0000\u2028';

/** The report with a hostile text wherever a text can stand. */
function hostileReport(): AttackReport {
  const spoil = (value: unknown, key = ''): unknown => {
    if (Array.isArray(value)) return value.map((one) => spoil(one, key));
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, spoil(one, name)]));
    const kept = [
      'kind',
      'metric',
      'condition',
      'exact',
      'execution',
      'failure',
      'hardness',
      'strategy',
      'format',
      'dbId',
    ];
    return typeof value === 'string' && !kept.includes(key) ? `${value}${EVIL}` : value;
  };
  return spoil({ ...report, warnings: ['odd'] }) as AttackReport;
}

describe('renderAttackPage', () => {
  it.each([
    'Accuracy',
    'By hardness',
    'Exact match by component',
    'RPL against ADD',
    'By database',
    'Columns that break most',
    'Candidates that break most',
    'Outcomes and failures',
    'Cases',
    'Settings',
  ])('has the section "%s", linked from the top', (heading) => {
    const id = new RegExp(`<h2 id="([a-z]+)-heading">${heading}</h2>`).exec(page)?.[1];
    expect(page).toContain(`href="#${id}"`);
    expect(page).toContain(` id="${id}"`);
  });

  it('prints the paper’s table: original, mean ± std, what changed', () => {
    const text = textOf(page);
    const tenths = (share: number): string => (100 * share).toFixed(1);
    for (const { accuracy, std, drop } of report.scores) {
      if (drop === null) expect(text).toContain(tenths(accuracy));
      else {
        expect(text).toContain(`${tenths(accuracy)} ± ${tenths(std!)}`);
        expect(text).toContain(`−${tenths(drop.absolute)} · −${tenths(drop.relative!)} %`);
      }
    }
    expect(text).not.toMatch(/NaN|undefined|null|Infinity/);
  });

  it('loads nothing, and lets in its own style and script alone', () => {
    const code = page.replace(/<script type="application\/json".*?<\/script>/s, '');
    expect(code).not.toMatch(/https?:\/\//);
    expect(code).not.toMatch(/\b(src|srcset|poster)=|@import|url\(|\sstyle=|\son[a-z]+="/);
    expect(page).toContain('default-src &#39;none&#39;');
    for (const element of ['style', 'script']) {
      const content = new RegExp(`<${element}>(.*?)</${element}>`, 's').exec(page)![1]!;
      expect(page).toContain(`sha256-${createHash('sha256').update(content).digest('base64')}`);
    }
  });

  it('keeps hostile texts as text, in its markup and in its data', () => {
    const hostile = renderAttackPage(hostileReport());
    expect(hostile.match(/<script/g)).toHaveLength(2);
    expect(hostile.match(/<\/script/g)).toHaveLength(2);
    expect(hostile).not.toContain('<!--');
    expect(hostile).not.toContain('\u0000');
    expect(withoutCode(hostile)).not.toContain('<script');
    expect(dataOf(hostile).strings).toContain(`${report.cases[0]!.question}${EVIL}`);
  });

  it('holds all cases, and a run of 1,034 examples stays small', () => {
    expect(dataOf(page).cases).toHaveLength(40);
    const whole = renderAttackPage(syntheticReport({ examples: 1034, metrics: ['exact'] }));
    expect(dataOf(whole).cases).toHaveLength(1034);
    expect(dataOf(whole).cases.reduce((sum, one) => sum + one[6].length, 0)).toBe(10_340);
    expect(whole.length).toBeLessThan(5_000_000);
  });

  it('shows the largest of many databases', () => {
    const [row] = report.byDatabase;
    const many = Array.from({ length: 700 }, (_, i) => ({ ...row!, key: `db ${i}`, examples: i }));
    const crowded = renderAttackPage({ ...report, byDatabase: many, cases: [] });
    expect(crowded).toContain('Shown are the 300 with most examples');
    expect(crowded.match(/<bdi>db \d+<\/bdi>/g)).toHaveLength(300);
    expect(crowded).not.toContain('<bdi>db 399<');
  });

  it('is accessible: one h1, scoped headers, labelled fields, unique ids, titled plots', () => {
    expect(page.match(/<h1/g)).toHaveLength(1);
    const markup = withoutCode(page);
    expect([...markup.matchAll(/<th(?=[\s>])[^>]*>/g)].filter(([tag]) => !tag.includes('scope='))).toEqual([]);
    for (const [, before] of markup.matchAll(/(.{0,60})<(?:select|input)\b/gs))
      expect(before).toMatch(/<label[^>]*>[^<]+$/s);
    const ids = [...markup.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [, title] of markup.matchAll(/role="img"\s+aria-labelledby="([^" ]+) /g)) {
      expect(page).toContain(`<title id="${title}">`);
    }
  });

  it('gives the same bytes for the same report', () => {
    expect(renderAttackPage(syntheticReport({ examples: 40, databases: 6 }), syntheticDatabases())).toBe(page);
  });

  it.each<[string, Partial<AttackReport>]>([
    [
      'nothing scored',
      { scores: [], cases: [], byHardness: [], byDatabase: [], byComponent: [], columns: [], candidates: [] },
    ],
    ['nothing right', { columns: [], candidates: [] }],
    ['no cases', { cases: [] }],
  ])('stands a run with %s', (_, parts) => {
    expect(textOf(renderAttackPage({ ...report, ...parts }))).not.toMatch(/NaN|undefined|Infinity/);
  });

  it('stands one seed, one metric, no intervals', () => {
    const one = syntheticReport({ examples: 5, databases: 2, seeds: [3], metrics: ['execution'] });
    const bare = one.scores.map((score) => ({
      ...score,
      interval: null,
      drop: score.drop && { ...score.drop, interval: null, relative: null },
    }));
    const text = textOf(renderAttackPage({ ...one, scores: bare }));
    expect(text).toContain('Execution accuracy');
    expect(text).not.toMatch(/NaN|undefined|Infinity|±\s*null/);
  });
});

describe('contrastKinds', () => {
  it('counts each example and seed that was right on the original once', () => {
    const { both, onlyRpl, onlyAdd, neither } = contrastKinds(report.cases, 'exact');
    const rightOnes = report.cases.filter(({ original }) => original.exact === 'correct').length;
    expect(both + onlyRpl + onlyAdd + neither).toBe(5 * rightOnes);
    const score = report.scores.find(({ metric, condition }) => metric === 'exact' && condition === 'RPL')!;
    expect(both + onlyRpl).toBe(score.drop!.mcnemar.onlyFirst);
  });
});
