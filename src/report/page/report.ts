import { offerFilters } from './filtered-list.js';
import { offerSorting } from './sortable-table.js';
import { offerTheme } from './theme.js';

// Runs on every page. Without it a page reads the same, unsorted and unfiltered, as light or dark as the reader's system.
offerTheme();
for (const table of document.querySelectorAll<HTMLTableElement>('table[data-sortable]')) offerSorting(table);
for (const box of document.querySelectorAll<HTMLElement>('[data-filters]')) offerFilters(box);
