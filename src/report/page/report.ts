import { offerSorting } from './sortable-table.js';
import { offerTheme } from './theme.js';

// Runs on every page. Without it a page reads the same, unsorted, as light or dark as the reader's system.
offerTheme();
for (const table of document.querySelectorAll<HTMLTableElement>('table[data-sortable]')) offerSorting(table);
