import type { CaseData } from '../document/case.js';
import { CaseList } from './case-list.js';

// Lists the cases of a page. Its markup comes from the templates that the renderer uses, which escape all data.
const [browser, data] = ['case-browser', 'case-data'].map((id) => document.getElementById(id));
if (browser && data) new CaseList(JSON.parse(data.textContent) as CaseData, browser);
