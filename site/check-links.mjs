// Checks a built site: every link of a page leads to a file and an anchor that are there, and nothing is loaded from
// another host.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const htmlBelow = (folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.html'))
    .map((name) => join(folder, name));

const unescaped = (text) => text.replaceAll('&amp;', '&').replaceAll('&quot;', '"').replaceAll('&#39;', "'");

/** Links and resources of a page: the element's name, and the address. */
function addressesOf(html) {
  const scriptless = html.replace(/(<script\b[^>]*>)[\s\S]*?<\/script>/g, '$1').replace(/<!--[\s\S]*?-->/g, '');
  return [...scriptless.matchAll(/<([a-z]+)\b[^>]*?\s(?:href|src)="([^"]*)"/g)].map(([, element, address]) => ({
    element,
    address: unescaped(address),
  }));
}

/** Faults of a site below `folder` that is served from `base`, one line each. */
export function findLinkFaults(folder, base) {
  const pages = new Map(htmlBelow(folder).map((file) => [file, readFileSync(file, 'utf8')]));
  const anchors = new Map(
    [...pages].map(([file, html]) => [
      file,
      new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => unescaped(id))),
    ]),
  );
  const faultOf = (page, { element, address }) => {
    if (/^(?:[a-z]+:)?\/\//i.test(address)) return element === 'a' ? null : 'is loaded from another host';
    if (/^(?:data|mailto):/.test(address)) return null;
    const [path, anchor] = address.split('#');
    const place = path.startsWith('/') ? join(folder, relative(base, path)) : join(dirname(page), path);
    const file =
      path === ''
        ? page
        : [place, `${place}.html`, join(place, 'index.html')].find((one) => existsSync(one) && /\.\w+$/.test(one));
    if (file === undefined) return 'leads nowhere';
    const ids = anchors.get(file);
    // What a report writes into its address is no anchor.
    const isAnchor = anchor !== undefined && anchor !== '' && !page.includes(`${folder}/reports/`);
    return isAnchor && ids !== undefined && !ids.has(decodeURIComponent(anchor)) ? 'has no such anchor' : null;
  };
  return [...pages].flatMap(([page, html]) =>
    addressesOf(html).flatMap((link) => {
      const fault = faultOf(page, link);
      return fault === null ? [] : [`${relative(folder, page)}: ${link.address} ${fault}`];
    }),
  );
}
