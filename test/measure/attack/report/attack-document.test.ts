import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { AttackReport, AttackScore } from '../../../../src/measure/attack/attack-report.js';
import { attackDocument } from '../../../../src/measure/attack/report/attack-document.js';
import { CASE_STATUS_LABELS } from '../../../../src/measure/attack/report/attack-cases.js';
import type { CaseData, CasesSection, ReportCase } from '../../../../src/report/document/case.js';
import { Unpacker } from '../../../../src/report/document/pack-values.js';
import { renderDocument } from '../../../../src/report/document/render-document.js';
import { syntheticDatabases, syntheticReport } from './synthetic-report.js';

const report = syntheticReport({ examples: 40, databases: 6 });
const render = (one: AttackReport): string => renderDocument(attackDocument(one, syntheticDatabases()));
const page = render(report);
const withoutCode = (markup: string): string => markup.replace(/<(style|script)[^>]*>.*?<\/\1>/gs, '');
const textOf = (markup: string): string =>
  withoutCode(markup)
    .replace(/<[^>]*>/g, ' ')
    .replace(/[\s\u00a0]+/g, ' ');
const casesOf = (markup: string): readonly ReportCase[] => {
  const json = /<script type="application\/json" id="case-data">(.*?)<\/script>/s.exec(markup)![1]!;
  const unpacker = new Unpacker<ReportCase>((JSON.parse(json) as CaseData).packed);
  return Array.from({ length: unpacker.length }, (_, i) => unpacker.at(i));
};
const sectionOf = (one: AttackReport): CasesSection => attackDocument(one).chapters[0]!.sections[0] as CasesSection;

const EVIL = '</script><script>alert("x")</script><!--\'&🦄\u0000\u2028';

/** The report with a hostile text wherever a text can stand. */
function hostileReport(): AttackReport {
  const kept = new Set('kind metric condition exact execution failure hardness strategy format dbId'.split(' '));
  const spoil = (value: unknown, key = ''): unknown => {
    if (Array.isArray(value)) return value.map((one) => spoil(one, key));
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, spoil(one, name)]));
    return typeof value === 'string' && !kept.has(key) ? `${value}${EVIL}` : value;
  };
  return spoil({ ...report, warnings: ['odd'] }) as AttackReport;
}

const zero = (score: AttackScore): AttackScore => ({ ...score, accuracy: 0 });

describe('attackDocument', () => {
  it('opens with what the attack costs, and with how many questions turned wrong', () => {
    const { headline } = attackDocument(report);
    const drop = report.scores.find(({ metric, condition }) => metric === 'exact' && condition === 'RPL')!.drop!;
    const turned = report.cases.filter(
      ({ original, perturbed }) =>
        original.exact === 'correct' && perturbed.some(({ kind, exact }) => kind === 'RPL' && exact !== 'correct'),
    ).length;
    const points = Number((100 * drop.absolute).toFixed(1));
    expect(headline).toBe(
      `Renaming columns costs the model ${points} points of exact match; ${turned} of 40 questions turned wrong`,
    );
  });

  it('says how many questions were asked for how many cases, and offers no search among one database', () => {
    const { chapters } = attackDocument(report);
    const [{ note, sections }] = chapters as [(typeof chapters)[0]];
    const { cases } = sections[0] as CasesSection;
    expect(note).toContain(`${report.usage.questions}\u00a0questions were asked`);
    expect(note).toContain(`are one case: ${cases.length}.`);
    expect(page).toContain('Find a database');
    const one = { ...report, byDatabase: report.byDatabase.slice(0, 1) };
    expect(render(one)).not.toContain('Find a database');
  });

  it('says that nothing can be measured where nothing is right on the original tables, and why', () => {
    const lost = syntheticReport({ examples: 12, databases: 2, right: { original: 0, RPL: 0, ADD: 0 } });
    const { headline, lede } = attackDocument(lost);
    expect(headline).toMatch(
      /^Nothing can be measured: none of 12\u00a0answers on the original tables is right \(\d+ other than the gold query, .*\)\. Look at what the model says: answers\.jsonl$/,
    );
    expect(JSON.stringify(lede)).not.toContain('costs nothing');
  });

  it('tells of the metric by which something is right, where exact match has nothing', () => {
    const none = { ...report, scores: report.scores.map((score) => (score.metric === 'exact' ? zero(score) : score)) };
    expect(attackDocument(none).headline).toMatch(/ points of execution accuracy; /);
  });

  it('opens a case that turned wrong for the new name, and says why', () => {
    const section = sectionOf(report);
    const open = section.cases.find(({ id }) => id === section.open)!;
    expect(open.status).toBe('broken');
    expect(['old name', 'added column']).toContain(open.facets['reason']);
    expect(textOf(page)).toContain(open.reason!.replaceAll('“', '“'));
  });

  it('has cases newly wrong first, then newly right, then wrong in both', () => {
    const ranks = casesOf(page).map(({ status }) => CASE_STATUS_LABELS.findIndex(({ id }) => id === status));
    expect(ranks).toEqual([...ranks].sort((a, b) => a - b));
  });

  it('makes draws that changed the same, and were answered alike, one case', () => {
    const [first] = report.cases;
    const [variant] = first!.perturbed;
    const twins = [0, 1, 2].map((seed) => ({ ...variant!, seed }));
    const section = sectionOf({ ...report, cases: [{ ...first!, perturbed: twins }] });
    expect(section.cases.map(({ id }) => id)).toEqual([`${first!.id}/RPL/0`]);
    expect(section.cases[0]!.sides[1]!.label).toBe('RPL, seeds 0, 1, 2');
  });

  it.each<[string, string, 'RPL' | 'ADD', string]>([
    ['an old name', 'SELECT name FROM entry', 'RPL', 'The answer uses “name”, which is now called “full_name”.'],
    [
      'another column',
      'SELECT age FROM entry',
      'RPL',
      'The answer uses “age” in place of “full_name” (before: “name”).',
    ],
    ['an added column', 'SELECT nickname FROM entry', 'ADD', 'The answer uses “nickname”, added beside “name”.'],
    ['other tables', 'SELECT name FROM event', 'ADD', 'The answer reads other tables than the gold query.'],
  ])('says of an answer with %s why it is wrong', (_, predicted, kind, reason) => {
    const [first] = report.cases;
    const isRenamed = kind === 'RPL';
    const changed = {
      ...first!.perturbed[0]!,
      kind,
      predicted,
      failure: null,
      exact: 'wrong' as const,
      gold: isRenamed ? 'SELECT full_name FROM entry' : 'SELECT name FROM entry',
      changes: [
        {
          table: 'entry',
          column: 'name',
          candidate: isRenamed ? 'full name' : 'nickname',
          originalName: 'name',
          newName: isRenamed ? 'full_name' : 'nickname',
        },
      ],
    };
    const one = { ...first!, original: { ...first!.original, exact: 'correct' as const }, perturbed: [changed] };
    expect(sectionOf({ ...report, cases: [one] }).cases[0]!.reason).toBe(reason);
  });
});

describe('the page of an attack', () => {
  it.each([
    'Cases',
    'Accuracy',
    'By hardness',
    'By database',
    'Exact match by component',
    'Columns and names that break most',
    'Outcomes and cost',
    'Settings',
  ])('has the section "%s", linked from the top', (heading) => {
    const id = new RegExp(`<h2 id="([a-z]+)-heading">${heading}</h2>`).exec(page)?.[1];
    expect(page).toContain(`href="#${id}"`);
    expect(page).toContain(` id="${id}"`);
  });

  it('prints the paper’s table: original, mean, what changed ± its deviation, each kind of figure in one form', () => {
    const text = textOf(page);
    const tenths = (share: number): string => (100 * share).toFixed(1);
    for (const { accuracy, std, drop } of report.scores) {
      if (drop === null) expect(text).toContain(`${tenths(accuracy)}%`);
      else {
        expect(text).toMatch(
          new RegExp(`${tenths(accuracy)}%\\s*−${tenths(drop.absolute)} ± ${tenths(std!)}`.replaceAll('.', '\\.')),
        );
        expect(text).toContain(`−${tenths(drop.relative!)}%`);
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
    const hostile = render(hostileReport());
    const code = hostile.replace(/<script>.*?<\/script>/gs, '<script></script>');
    expect(code.match(/<script/g)).toHaveLength(2);
    expect(code.match(/<\/script/g)).toHaveLength(2);
    expect(code).not.toContain('<!--');
    expect(code).not.toContain('\u0000');
    expect(withoutCode(hostile)).not.toContain('<script');
    expect(casesOf(hostile).map(({ question }) => question)).toContain(`${report.cases[0]!.question}${EVIL}`);
  });

  it('holds all cases, and a run of 1,034 examples stays small', () => {
    const whole = render(syntheticReport({ examples: 1034, metrics: ['exact'] }));
    expect(new Set(casesOf(whole).map(({ id }) => id.split('/')[0])).size).toBe(1034);
    expect(whole.length).toBeLessThan(5_000_000);
  });

  it('shows the largest of many databases', () => {
    const [row] = report.byDatabase;
    const many = Array.from({ length: 700 }, (_, i) => ({ ...row!, key: `db ${i}`, examples: i }));
    const crowded = render({ ...report, byDatabase: many, cases: [] });
    expect(crowded).toContain('The 300 databases with the most examples');
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

  it('says what the intervals of the plot are drawn over', () => {
    expect(textOf(page)).toContain(
      '95% intervals are by bootstrap over examples, the turns of an interaction together',
    );
  });

  it('gives the same bytes for the same report', () => {
    expect(render(syntheticReport({ examples: 40, databases: 6 }))).toBe(page);
  });

  it.each<[string, Partial<AttackReport>]>([
    [
      'nothing scored',
      { scores: [], cases: [], byHardness: [], byDatabase: [], byComponent: [], columns: [], candidates: [] },
    ],
    ['nothing right', { columns: [], candidates: [] }],
    ['no cases', { cases: [] }],
  ])('stands a run with %s', (_, parts) => {
    expect(textOf(render({ ...report, ...parts }))).not.toMatch(/NaN|undefined|Infinity/);
  });

  it('stands one seed, one metric, no intervals', () => {
    const one = syntheticReport({ examples: 5, databases: 2, seeds: [3], metrics: ['execution'] });
    const bare = one.scores.map((score) => ({
      ...score,
      interval: null,
      drop: score.drop && { ...score.drop, interval: null, relative: null },
    }));
    const text = textOf(render({ ...one, scores: bare }));
    expect(text).toContain('Execution accuracy');
    expect(text).not.toMatch(/NaN|undefined|Infinity|±\s*null/);
  });
});
