import type { CaseData } from '../packed-cases.js';
import { CaseList } from './case-list.js';
import { CaseStore } from './case-store.js';

// The case browser of an attack's page. It builds what is looked at, by textContent alone: nothing of the data is ever
// read as markup.
const [browser, data] = ['case-browser', 'case-data'].map((id) => document.getElementById(id));
if (browser && data) new CaseList(new CaseStore(JSON.parse(data.textContent) as CaseData), browser);
