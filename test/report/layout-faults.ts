import { AXE } from '../annotate/web/axe-faults.js';
import type { ChromiumPage } from './chromium.js';

/** Runs in the page: what reaches beyond it, and labels of plots that lie on one another. */
const FIND_FAULTS = `(() => {
  const wide = document.documentElement.clientWidth;
  const scrolls = (element) => element !== null && (getComputedStyle(element).overflowX !== 'visible' || scrolls(element.parentElement));
  const name = (element) => element.tagName.toLowerCase() + ' "' + element.textContent.trim().slice(0, 40) + '"';
  const boxes = (list) => [...list].map((element) => [element, element.getBoundingClientRect()]).filter(([, box]) => box.width > 0);
  const beyond = boxes(document.querySelectorAll('body *'))
    .filter(([element, box]) => (box.right > wide + 1 || box.left < -1) && !scrolls(element.parentElement))
    .map(([element]) => 'beyond the page: ' + name(element));
  const over = [...document.querySelectorAll('svg')].flatMap((svg) => {
    const texts = boxes(svg.querySelectorAll('text'));
    return texts.flatMap(([one, a], i) => texts.slice(0, i).flatMap(([other, b]) => {
      const [x, y] = [Math.min(a.right, b.right) - Math.max(a.left, b.left), Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)];
      return x > 1 && y > 3 ? ['overprinted: ' + name(one) + ' and ' + name(other)] : [];
    }));
  });
  const whole = document.documentElement.scrollWidth > wide ? ['the page is wider than its window'] : [];
  return [...whole, ...beyond, ...over];
})()`;

/** Runs in the page once axe-core is there: text that does not stand out from what is behind it (WCAG 2.2, 1.4.3). */
const FIND_FAINT = `axe.run(document, { runOnly: ['color-contrast'], resultTypes: ['violations'] }).then(({ violations }) =>
  violations.flatMap(({ nodes }) => nodes.map(({ html, any }) => 'faint: ' + html.slice(0, 80) + ': ' + (any[0]?.message ?? ''))))`;

/**
 * What a reader of a page could not read at 390 and at 1280 pixels, light and dark, everything unfolded; none where all is
 * well.
 */
export async function layoutFaults(browser: ChromiumPage, markup: string): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const dark of [false, true]) {
    for (const width of [390, 1280]) {
      await browser.open(markup, { width, dark });
      await browser.evaluate(`for (const details of document.querySelectorAll('details')) details.open = true`);
      if (width === 1280) await browser.evaluate(AXE);
      const found = [
        ...(await browser.evaluate<string[]>(FIND_FAULTS)),
        // Colors are the same at any width.
        ...(width === 1280 ? await browser.evaluate<string[]>(FIND_FAINT) : []),
      ];
      faults.push(...found.map((fault) => `${width}, ${dark ? 'dark' : 'light'}: ${fault}`));
    }
  }
  return faults;
}
