import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AttackReport } from '../../../../src/measure/attack/attack-report.js';
import { parseFailBelow } from '../../../../src/measure/attack/report/fail-below.js';
import { renderJUnit } from '../../../../src/measure/attack/report/junit.js';
import { escapeXml } from '../../../../src/report/junit-xml.js';
import { syntheticReport } from './synthetic-report.js';

/** What XML 1.0 can't hold (§2.2). */
// eslint-disable-next-line no-control-regex
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/u;

const report = syntheticReport({ examples: 20, databases: 3, seeds: [0, 1] });
const count = (text: string, pattern: RegExp): number => [...text.matchAll(pattern)].length;

/** Whether a text is XML as this writer writes it: tags that close, quoted attributes, known references, no stray mark. */
function isWellFormed(xml: string): boolean {
  const open: string[] = [];
  const body = xml.replace(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n/, '');
  const TAG = /<(\/?)([a-z]+)((?: [a-z]+="[^"<>\n\t\r]*")*)(\/?)>/g;
  for (const [, closing, name, , empty] of body.matchAll(TAG)) {
    if (closing === '/' && open.pop() !== name) return false;
    if (closing === '' && empty === '') open.push(name!);
  }
  const text = body.replace(TAG, '');
  const references = [...body.matchAll(/&[^;]*;?/g)].map(([reference]) => reference);
  const isClean = !/[<>]/.test(text) && !FORBIDDEN.test(xml);
  return open.length === 0 && isClean && references.every((one) => /^&(amp|lt|gt|quot|#9|#10|#13);$/.test(one));
}

/** What a parser reads from an attribute. */
const decode = (text: string): string =>
  text
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

/** Any text, lone surrogates and control characters among it. */
const anyText = fc
  .array(fc.oneof(fc.integer({ min: 0, max: 0x7f }), fc.integer({ min: 0, max: 0xffff })), { maxLength: 20 })
  .map((codes) => String.fromCharCode(...codes));

describe('escapeXml', () => {
  it('keeps what XML can hold and replaces the rest', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const held = text.replace(new RegExp(FORBIDDEN, 'gu'), '\ufffd');
        expect(decode(escapeXml(text))).toBe(held);
        expect(escapeXml(text)).not.toMatch(/[<>"\n\t\r]/);
      }),
    );
  });
});

describe('renderJUnit', () => {
  it('has a suite of rules and one per metric and condition, and counts what it holds', () => {
    const xml = renderJUnit(report, parseFailBelow(['rpl=100', 'add=0']));
    const names = [...xml.matchAll(/<testsuite name="([^"]*)"/g)].map(([, name]) => name);
    expect(names).toEqual([
      'fail-below',
      ...['exact', 'execution'].flatMap((metric) => ['original', 'RPL', 'ADD'].map((name) => `${metric}.${name}`)),
    ]);
    expect(isWellFormed(xml)).toBe(true);
    const tests = count(xml, /<testcase /g);
    expect(tests).toBe(2 + 6 * report.cases.length);
    const skipped = count(xml, /<skipped /g);
    expect(xml).toContain(
      `<testsuites name="perturbql attack baseline" tests="${tests}" failures="1" errors="0" skipped="${skipped}">`,
    );
    expect(xml).toMatch(/<failure type="below" message="exact match under RPL is [0-9.]+%, below 100%">/);
  });

  it('lets the rules alone fail a build; without rules every wrong answer does', () => {
    expect(count(renderJUnit(report, parseFailBelow(['rpl=0'])), /<(failure|error) /g)).toBe(0);
    const xml = renderJUnit(report, []);
    const wrong = report.cases.filter(({ original }) => original.exact !== 'correct').length;
    const [, suite] = /<testsuite name="exact\.original"([^>]*)>/.exec(xml)!;
    const [failures, errors] = ['failures', 'errors'].map((name) =>
      Number(new RegExp(`${name}="(\\d+)"`).exec(suite!)![1]),
    );
    expect(failures! + errors!).toBe(wrong);
    expect(xml).not.toContain('<skipped');
    expect(xml).not.toContain('fail-below');
  });

  it('names the seeds that are wrong, with gold and answer', () => {
    const xml = renderJUnit(report, []);
    expect(xml).toMatch(/message="[a-z-]+; wrong with [12] of 2 seeds"/);
    expect(xml).toMatch(/seed [01]: wrong\n {2}gold: SELECT .*\n {2}predicted: SELECT /);
  });

  it('is well-formed whatever names and answers hold', () => {
    fc.assert(
      fc.property(anyText, anyText, anyText, (id, question, predicted) => {
        const [one] = report.cases;
        const variants = one!.perturbed.map((variant) => ({ ...variant, predicted, exact: 'wrong' as const }));
        const cases = [{ ...one!, id, question, dbId: id, gold: question, perturbed: variants }];
        const odd: AttackReport = { ...report, victim: { ...report.victim, id }, cases };
        expect(isWellFormed(renderJUnit(odd, []))).toBe(true);
        expect(isWellFormed(renderJUnit(odd, parseFailBelow(['rpl=50'])))).toBe(true);
      }),
    );
  });
});
