import { endpointOptions, endpointSettings } from '../../chat/endpoint-options.js';
import { ConfigError } from '../../errors.js';
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
  if (!segments || template === undefined || `${template.system ?? ''}${template.user}`.includes('{segments}')) return;
  throw new ConfigError('the prompt template lacks {segments}', {
    fix: 'Put {segments} where the model is to read the sub-sentences, or leave out --segments.',
  });
}

/** An OpenAI-compatible chat service. */
export const ENDPOINT = victimKind({
  kind: 'endpoint',
  options: { ...endpointOptions('victim endpoint'), ...OUTSIDE_OPTIONS },
  traits: { answers: 'sql', withContext: true, isAskedOn: true, perSecond: null },
  choose(given, flags): EndpointChoice {
    const { segments, promptTemplate } = given;
    const extras = extrasOf(given, flags);
    const settings = { ...endpointSettings(given, 'victim endpoint'), ...givenTemplate(promptTemplate, segments) };
    requireSegments(settings, segments);
    return { kind: 'endpoint', settings, ...extras };
  },
  async create({ settings, ...extras }) {
    const { EndpointVictim } = await import('../endpoint-victim.js');
    const description = `${settings.model} at ${shownUrl(settings.baseUrl)}`;
    return withExtras(new EndpointVictim(settings), extras, { description, overHttp: false });
  },
});
