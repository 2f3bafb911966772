import type { ColumnType } from '../schema/schema.js';

const TIME =
  /\b(?:date|time|timestamp|year|month|day|deadline|birthday|since|on|at)$|^(?:date|time|year) (?:of|when)\b/;
const NUMBER =
  /\b(?:count|number of|amount|quantity|price|cost|fee|charge|total|sum|rate|ratio|percent|percentage|share|score|age|weight|height|length|width|depth|distance|area|volume|size|speed|temperature|pressure|duration|hours|minutes|seconds|days|weeks|months|years|capacity|balance|salary|revenue|value|level|index|average|mean|median|maximum|minimum|dose|concentration|limit|frequency|radius|diameter|thickness|density|rank|points|units|population|latitude|longitude|elevation|altitude|budget|interest|tax|discount|margin|sequence|quantity)$|^(?:number|count|total|sum) of\b/;
const FLAG =
  /^(?:is|has|was|can|requires|allows|needs)\b|\b(?:flag|indicator|required|allowed|enabled|given|approved|verified|signed|completed|waived)$/;

/** What a column of that name holds, where nothing but its name is known. */
export function typeOfName(name: string): ColumnType {
  if (FLAG.test(name)) return 'boolean';
  if (TIME.test(name)) return 'time';
  return NUMBER.test(name) ? 'number' : 'text';
}
