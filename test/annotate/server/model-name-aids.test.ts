import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { NameQuestion, NameVerdict } from '../../../src/annotate/server/name-aids.js';
import { ModelNameAids } from '../../../src/annotate/server/model-name-aids.js';
import { RECIPES } from '../../../src/recipes/recipes.js';
import { parseSettings } from '../../../src/recipes/settings.js';
import { StageResources } from '../../../src/recipes/stage-resources.js';
import { createStageContext, NOOP_HOST } from '../../../src/run/run-host.js';

const COLUMNS = ['name', 'home country', 'age', 'phone number', 'hire date', 'city'];
const CONTEXT = createStageContext(0, NOOP_HOST);

function question(name: string, target: string): NameQuestion {
  const column = (each: string): { name: string; type: 'text' } => ({ name: each, type: 'text' });
  const others = COLUMNS.filter((each) => each !== target).map(column);
  return { name, target: column(target), others, entity: 'employee' };
}

function openAids(
  settings: object,
  judge: boolean,
): { aids: ModelNameAids; missing: string[]; close: () => Promise<void> } {
  const resources = new StageResources(parseSettings(settings), RECIPES.cta, { jobs: 1 });
  const missing: string[] = [];
  const aids = new ModelNameAids(resources, CONTEXT, { judge, onMissing: (part) => missing.push(part) });
  return { aids, missing, close: () => resources.dispose() };
}

describe('the models of the package', () => {
  const opened = openAids({}, true);
  /** The first question opens the model and may go without its word. */
  const judged = (asked: NameQuestion): Promise<NameVerdict | 'later' | null> =>
    vi.waitFor(
      async () => {
        const verdict = await opened.aids.judge(asked);
        expect(verdict).not.toBe('later');
        return verdict;
      },
      { timeout: 50_000 },
    );
  beforeAll(() => opened.aids.open());
  afterAll(() => opened.close());

  it('know words', () => {
    expect(opened.aids.words?.isWord('citizenship')).toBe(true);
    expect(opened.aids.words?.isWord('citizenshop')).toBe(false);
  });

  it.each([
    ['country of origin', 'city', 'home country'],
    ['telephone', 'city', 'phone number'],
    ['years old', 'hire date', 'age'],
    ['town', 'city', null],
    ['native land', 'home country', null],
  ])('take “%s” for %s to mean %s', async (name, target, takenFor) => {
    expect(await judged(question(name, target))).toEqual({ takenFor });
    expect(opened.missing).toEqual([]);
  });
});

describe('without a judge', () => {
  it('no verdict is given', async () => {
    const { aids, missing } = openAids({}, false);
    expect(await aids.judge(question('telephone', 'city'))).toBeNull();
    expect(missing).toEqual([]);
  });

  it('that can be opened, checks go on, and it is said once', async () => {
    const { aids, missing, close } = openAids({ nli: { model: '/no/such/model' } }, true);
    const unheard = async (name: string): Promise<void> =>
      vi.waitFor(async () => expect(await aids.judge(question(name, 'city'))).toBeNull(), { timeout: 50_000 });
    await unheard('seniority');
    await unheard('years served');
    expect(missing).toEqual(['the judge']);
    await close();
  });
});
