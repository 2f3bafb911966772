// A prediction is compared with its gold by exact set match, component by component.
import { ExactMatch } from 'perturbql/evaluate';

const column = (name) => ({ name, originalName: name, type: 'text' });
const database = {
  id: 'concerts',
  tables: [{ name: 'singer', originalName: 'singer', columns: [column('name'), column('age')] }],
  primaryKeys: [],
  foreignKeys: [],
};
const gold = 'SELECT name FROM singer WHERE age > 30 ORDER BY age';
const predicted = 'SELECT name FROM singer WHERE age > 20';
const verdict = new ExactMatch().judgePair({ id: '1', group: '1', database, gold, predicted });
const differs = ({ gold, predicted: own, matched }) => gold !== matched || own !== matched;
const wrong = Object.entries(verdict.components).filter(([, counts]) => differs(counts));
console.log(verdict.outcome, wrong.map(([name]) => name).join(', '));
