import { describe, expect, it } from 'vitest';
import type { MutateReport, ReportedRelation } from '../../../src/variants/mutate/mutate-report.js';
import { mutantSamples } from '../../../src/variants/report/mutant-samples.js';
import { mutateDocument } from '../../../src/variants/report/mutate-document.js';
import type { MutantRecord } from '../../../src/formats/artifacts/mutants.js';
import type { ReportDocument } from '../../../src/report/document/document.js';
import type { MutantVerification } from '../../../src/variants/verify/verify-mutants.js';
import { renderDocument } from '../../../src/report/document/render-document.js';
import type { Database } from '../../../src/schema/schema.js';
import { ChromiumPage } from '../../report/chromium.js';
import { HAS_CHROMIUM } from '../../chromium-path.js';
import { layoutFaults } from '../../report/layout-faults.js';

const relation = (name: string, changes: Partial<ReportedRelation> = {}): ReportedRelation => ({
  name,
  cases: 1234,
  applied: 18,
  notApplicable: {},
  unexpressible: {},
  dropped: {},
  expectations: { 'same-query': 1000, 'same-result': 200, 'other-query': 0, unanswerable: 0 },
  written: 1200,
  seeds: 18,
  fluency: 0.146,
  ...changes,
});

const REPORT: MutateReport = {
  format: 'perturbql-mutate',
  version: 1,
  perturbql: '1.2.3',
  dataset: 'spider',
  examples: 30,
  relations: {
    PI: relation('Prefix Insertion', {
      notApplicable: { 'no <interrogative> prefix': 12 },
      dropped: { 'contradicts its seed': 3 },
    }),
    'CRm+PI': relation('Column Removal, then Prefix Insertion', {
      fluency: null,
      unexpressible: { 'one-table': 4 },
    }),
  },
  total: { cases: 2468, written: 2400, schemas: 7 },
  fluency: { seeds: 0.2, mutants: null },
  databases: null,
  warnings: ['something to know'],
};
const column = (name: string) => ({ name, originalName: name, type: 'text' as const });
const schemaOf = (id: string): Database => ({
  id,
  tables: [
    {
      name: 'singer',
      originalName: 'singer',
      columns: [column('id'), column(id === 'concert' ? 'song' : 'title')],
    },
  ],
  primaryKeys: [],
  foreignKeys: [],
});
const RECORDS: readonly MutantRecord[] = Array.from({ length: 8 }, (_, i) => ({
  id: `dev:${i}~CSy.0`,
  seed: `dev:${i}`,
  relations: ['CSy'],
  db_id: 'concert_1',
  origin: 'concert',
  question: 'Which songs are there?',
  query: 'SELECT title FROM singer',
  expectation: 'same-result',
  details: ['singer.song is title'],
  fluency: null,
}));
const SAMPLES = mutantSamples({
  records: RECORDS,
  examples: RECORDS.map(({ seed: id }) => {
    return { id, dbId: 'concert', question: 'Which songs are there?', query: 'SELECT song FROM singer' };
  }),
  schemaOf,
  names: new Map([['CSy', 'Column Synonym']]),
});
const render = (report: MutateReport): string => renderDocument(mutateDocument(report, SAMPLES));
const page = render(REPORT);
const textOf = (markup: string): string =>
  markup
    .replace(/<(style|script)[^>]*>.*?<\/\1>/gs, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/[\s\u00a0]+/g, ' ');
const text = textOf(page);

describe('mutateDocument', () => {
  it('shows what was made and written by relation, and why there is no mutant', () => {
    expect(text).toContain('2,400 mutants of 30 examples');
    expect(text).toContain('PI Prefix Insertion 18 1,234 1,200 0.15');
    expect(text).toContain('CRm+PI Column Removal, then Prefix Insertion 18 1,234 1,200 –');
    expect(text).toContain(
      'PI no &lt;interrogative&gt; prefix 12 PI contradicts its seed 3 CRm+PI the database has one table 4',
    );
    expect(text).toContain('not executed');
    expect(text).toContain('something to know');
    expect(text).not.toMatch(/NaN|undefined/);
  });

  it('says which relations must not change the answer, which take it away, and which made nothing', () => {
    const none = { 'same-query': 0, 'same-result': 0, 'other-query': 0, unanswerable: 0 };
    const relations = {
      ...REPORT.relations,
      SK: relation('Surrogate Key', { written: 0, seeds: 0, expectations: none }),
      CEq: relation('Content Equivalence', { written: 0, seeds: 0, expectations: none }),
      NCR: relation('Needed Column Removal', { written: 57, expectations: { ...none, unanswerable: 57 } }),
      QCm: relation('Comparison Change', { written: 3, expectations: { ...none, 'other-query': 3 } }),
    };
    const lede = textOf(render({ ...REPORT, relations }));
    expect(lede).toContain(
      '2,400 by PI and CRm+PI must not change the answer. 3 by QCm ask something else, and another answer is right. 57 by NCR lack what the question needs: a model should say that there is no answer. SK and CEq made none. On 7 changed schemas.',
    );
  });

  it('draws how many mutants keep the answer, and how many results are as expected', () => {
    const lanes = ({ plot }: ReportDocument) =>
      plot?.groups[0]?.lanes.map(({ label, figure }) => `${label}: ${figure}`);
    expect(lanes(mutateDocument(REPORT, SAMPLES))).toEqual(['Same answer: 2,400']);
    const verification = {
      relations: { PI: { equal: 1199, different: 1 } },
      items: [{ id: 'dev:1~PI.0', verdict: 'different', detail: null }],
    } as unknown as MutantVerification;
    const executed = { ...REPORT, databases: { unwritten: [], verification } };
    expect(lanes(mutateDocument(executed, SAMPLES))).toEqual(['Same answer: 2,400', 'Result verified: 1,199 of 1,200']);
    expect(mutateDocument({ ...REPORT, total: { ...REPORT.total, written: 0 } }, SAMPLES).plot).toBeNull();
  });

  it('adds up counts of one reason, and says every reason in words', () => {
    const PI = relation('Prefix Insertion', {
      notApplicable: { 'gold-can-still-be-read': 6 },
      unexpressible: { 'gold-can-still-be-read': 13, 'some-new-reason': 1 },
    });
    const shown = textOf(render({ ...REPORT, relations: { PI } }));
    expect(shown).toContain('PI the gold query still runs without what was removed 19 PI some new reason 1');
  });

  it('shows some mutants of each relation next to their examples, with what changed marked', () => {
    expect(SAMPLES.cases).toHaveLength(5);
    expect(text).toContain('singer : id · − song');
    expect(text).toContain('singer : id · + title');
    expect(page).toContain('SELECT <u>title</u>');
    expect(text).toContain('Same answer CSy: singer.song is title');
  });

  it('loads nothing, and gives the same bytes for the same report', () => {
    expect(page.replace(/<script>.*?<\/script>/gs, '')).not.toMatch(/https?:\/\/|\bsrc=/);
    expect(render(REPORT)).toBe(page);
  });

  it.skipIf(!HAS_CHROMIUM)('cuts nothing off', { timeout: 60_000 }, async () => {
    const browser = await ChromiumPage.start();
    try {
      expect(await layoutFaults(browser, page)).toEqual([]);
    } finally {
      await browser.close();
    }
  });
});
