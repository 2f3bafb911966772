import type { z } from 'zod';
import { DownloadError } from '../../errors.js';
import type { HttpText } from '../../http/http-client.js';
import { shownUrl } from '../../http/http-url.js';

/** What a hub's answer holds. @throws DownloadError when it is not that of a hub */
export function readHubAnswer<S extends z.ZodType>({ text, json, url }: HttpText, schema: S): z.infer<S> {
  try {
    return schema.parse(json());
  } catch (cause) {
    throw new DownloadError('the service’s answer is not that of a model hub', {
      where: { id: shownUrl(url) },
      fix: 'Check the hub’s address (HF_ENDPOINT or --endpoint); a proxy may also answer with a login page.',
      cause: text.trimStart().startsWith('<') ? undefined : cause,
    });
  }
}
