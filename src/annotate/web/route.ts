/** A screen with what it shows. */
export type Route =
  | { readonly screen: 'home' | 'guidelines' | 'qualification' | 'review' | 'agreement' }
  | { readonly screen: 'chunk'; readonly chunk: number }
  | { readonly screen: 'work'; readonly chunk: number; readonly id: string }
  | { readonly screen: 'adjudicate'; readonly id: string };

const PLAIN = ['guidelines', 'qualification', 'review', 'agreement'] as const;

/** The fragment that leads to a screen. */
export function hrefOf(route: Route): string {
  if (route.screen === 'home') return '#/';
  if (route.screen === 'chunk') return `#/chunk/${route.chunk}`;
  if (route.screen === 'work') return `#/chunk/${route.chunk}/${encodeURIComponent(route.id)}`;
  if (route.screen === 'adjudicate') return `#/review/${encodeURIComponent(route.id)}`;
  return `#/${route.screen}`;
}

/** The screen of a fragment; home for one that leads nowhere. */
export function routeOf(hash: string): Route {
  const [screen = '', first, second] = hash.replace(/^#\/?/, '').split('/').map(decoded);
  if (screen === 'chunk' && /^\d+$/.test(first ?? '')) {
    const chunk = Number(first);
    return second === undefined ? { screen: 'chunk', chunk } : { screen: 'work', chunk, id: second };
  }
  if (screen === 'review' && first !== undefined) return { screen: 'adjudicate', id: first };
  const plain = PLAIN.find((name) => name === screen);
  return { screen: plain ?? 'home' };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
