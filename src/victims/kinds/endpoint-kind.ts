import { endpointOptions, endpointSettings } from '../../chat/endpoint-options.js';
import { ConfigError } from '../../errors.js';
import { holdsPlaceholder } from '../../formats/exports/prompt-template.js';
import { flag, inGroup } from '../../options/option-field.js';
import { shownUrl } from '../../http/http-url.js';
import type { EndpointVictimSettings } from '../endpoint-victim.js';
import { victimKind } from '../victim-kind.js';
import { extrasOf, givenTemplate, OUTSIDE_OPTIONS, type QuestionExtras, withExtras } from './outside-model.js';

export interface EndpointChoice extends QuestionExtras {
  readonly kind: 'endpoint';
  readonly settings: EndpointVictimSettings;
}

/** An endpoint sees the prompt alone. @throws ConfigError where that lacks the sub-sentences */
function requireSegments({ template }: Pick<EndpointVictimSettings, 'template'>, segments: boolean): void {
  if (!segments || template === undefined || holdsPlaceholder(template, 'segments')) return;
  throw new ConfigError('the prompt template lacks {segments}', {
    fix: 'Put {segments} where the model is to read the sub-sentences, or leave out --segments.',
  });
}

/** Results of queries are cells. @throws ConfigError where it may execute some and see none */
function requireValues({ settings: { sendValues = false }, executions }: Omit<EndpointChoice, 'kind'>): void {
  if (sendValues || executions === undefined) return;
  throw new ConfigError('--executions sends the endpoint rows of the databases', {
    fix: 'Add --send-values where these may leave this machine, or leave out --executions.',
  });
}

/** An OpenAI-compatible chat service. */
export const ENDPOINT = victimKind({
  kind: 'endpoint',
  options: {
    ...endpointOptions('victim endpoint'),
    ...OUTSIDE_OPTIONS,
    ...inGroup('Endpoint', {
      sendValues: flag('victim endpoint: show the model sample values; without it no cell leaves the machine'),
    }),
  },
  traits: { answers: 'sql', withContext: true, isAskedOn: true, isOutside: true, perSecond: null },
  choose(given, flags): EndpointChoice {
    const { segments, promptTemplate, sendValues } = given;
    const extras = extrasOf(given, flags);
    const endpoint = endpointSettings(given, 'victim endpoint');
    const settings = { ...endpoint, ...givenTemplate(promptTemplate, segments), sendValues };
    requireSegments(settings, segments);
    requireValues({ settings, ...extras });
    return { kind: 'endpoint', settings, ...extras };
  },
  async create({ settings, ...extras }) {
    requireValues({ settings, ...extras });
    const { EndpointVictim } = await import('../endpoint-victim.js');
    const description = `${settings.model} at ${shownUrl(settings.baseUrl)}`;
    const made = await withExtras(new EndpointVictim(settings), extras, { description, overHttp: false });
    return settings.sendValues === true ? made : { ...made, withoutCells: true };
  },
});
