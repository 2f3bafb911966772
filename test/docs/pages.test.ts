import { describe, expect, it } from 'vitest';
import { candidateDecisionSchema, BUCKETS } from '../../src/formats/artifacts/candidates.js';
import { RULE_DESCRIPTIONS } from '../../src/naturalness/naturalness-rule.js';
import { NATURALNESS_LIMITS } from '../../src/naturalness/rules.js';
import { SCREEN_RULE_IDS } from '../../src/recipes/rules-in-force.js';
import { RECIPES } from '../../src/recipes/recipes.js';
import { parseSettings, SETTING_NAMES } from '../../src/recipes/settings.js';
import { CANDIDATE_SOURCES } from '../../src/stage.js';
import { codeOf, readPage, tableRows } from './markdown-pages.js';

describe('docs/settings.md', () => {
  const rows = tableRows('docs/settings.md');

  it('lists every setting with its default, and no other', () => {
    const listed = rows.filter(([name]) => codeOf(name ?? '')?.includes('.') === true);
    const defaults = parseSettings({}) as unknown as Record<string, Record<string, unknown>>;
    const expected = SETTING_NAMES.map((setting) => {
      const [group, name] = setting.split('.') as [string, string];
      return [setting, JSON.stringify(defaults[group]![name])];
    });
    expect(listed.map(([name, value]) => [codeOf(name!), codeOf(value!)])).toEqual(expected);
  });

  it('lists every naturalness rule, and no other', () => {
    const listed = rows.filter(([, guards]) => /^(RPL|ADD)/.test(guards ?? '')).map(([name]) => codeOf(name!));
    expect(listed).toEqual(SCREEN_RULE_IDS);
  });

  it('tells the rules’ limits', () => {
    const { maxWords, maxCharacters, minLetters, rareRank } = NATURALNESS_LIMITS;
    const text = readPage('docs/settings.md');
    expect(text).toContain(`over ${maxWords} words or ${maxCharacters} characters`);
    expect(text).toContain(`under ${minLetters} letters`);
    expect(text).toContain(`the ${rareRank.toLocaleString('en-US')} most frequent`);
  });
});

describe('docs/candidates-format.md', () => {
  const codes = tableRows('docs/candidates-format.md').map((cells) => cells.map((cell) => codeOf(cell)));

  it('lists every field of a line, in order, and no other', () => {
    const fields = Object.keys(candidateDecisionSchema.shape);
    expect(codes.map(([first]) => first).filter((code) => code !== null)).toEqual(fields);
  });

  it('lists every source, bucket and rule', () => {
    const text = readPage('docs/candidates-format.md');
    const words = [...CANDIDATE_SOURCES, ...SCREEN_RULE_IDS, ...Object.keys(RULE_DESCRIPTIONS)];
    expect(words.filter((word) => !text.includes(`\`${word}\``))).toEqual([]);
    expect(BUCKETS.filter((bucket) => !text.includes(bucket))).toEqual([]);
  });
});

describe('docs/recipes.md', () => {
  it('lists every recipe with its source', () => {
    const listed = tableRows('docs/recipes.md').flatMap(([name, cites]) => {
      const code = codeOf(name ?? '');
      return code === null ? [] : [[code, cites]];
    });
    expect(listed).toEqual(Object.values(RECIPES).map(({ id, cites }) => [id, cites]));
  });
});
