import { type Html, html } from '../../../src/report/html.js';

/** The number by which plots and tables name a model, from its place in the list. */
export const placeOf = (i: number): Html => html`<span class="place">${i + 1}</span>`;
