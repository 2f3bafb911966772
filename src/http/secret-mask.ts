/** Shorter values are no secrets, and would be found in any text. */
const LEAST_LENGTH = 6;
const MASK = '[secret]';
const SCHEME = /^(?:basic|bearer|token|apikey)\s+(?=\S)/i;

/** Returns the secrets in a header's value: all of it, the rest after its scheme, and user and password of Basic. */
function partsOf(value: string): readonly string[] {
  const [scheme = ''] = SCHEME.exec(value) ?? [];
  const key = value.slice(scheme.length);
  if (!/^basic/i.test(scheme)) return [value, key];
  const pair = Buffer.from(key, 'base64').toString('utf8');
  return [value, key, pair, pair.slice(pair.indexOf(':') + 1)];
}

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

/** How a text may repeat a secret: as it is, in JSON, in JSON within JSON, in an address, in base64. */
function formsOf(secret: string): readonly string[] {
  const json = inJson(secret);
  return [secret, json, inJson(json), encodeURIComponent(secret), Buffer.from(secret).toString('base64')];
}

/**
 * Hides secrets (header values, keys, passwords) in all forms in which a service may repeat them; values of fewer than
 * 6 characters are none. `text` puts `[secret]` in place of each, `json` does so in the strings of a JSON text's value;
 * it throws a SyntaxError without secrets when the text is no JSON. Mask a text before it is cut: half a key is not
 * found.
 */
export function createSecretMask(secrets: readonly string[]) {
  const parts = secrets.flatMap((value) => partsOf(value.trim())).filter(({ length }) => length >= LEAST_LENGTH);
  // The longest first, so that none leaves its end when another is its beginning.
  const forms = [...new Set(parts.flatMap(formsOf))].sort((a, b) => b.length - a.length);
  const mask = (text: string): string => forms.reduce((shown, form) => shown.replaceAll(form, MASK), text);
  const json = (text: string): unknown => {
    try {
      return JSON.parse(text, (_, value: unknown) => (typeof value === 'string' ? mask(value) : value));
    } catch {
      // The error quotes the text.
      return JSON.parse(mask(text));
    }
  };
  return { text: mask, json };
}

/**
 * An address or other text to store or show: without user, password, and what its query says in 6 characters or more.
 */
export function withoutKeys(url: string): string {
  return url.replace(/^(https?:\/\/)[^/?#]*@/i, '$1').replace(/([?&][^=&#]*=)[^&#]{6,}/g, `$1${MASK}`);
}
