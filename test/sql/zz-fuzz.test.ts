import { it } from 'vitest';
import { writeFileSync } from 'node:fs';
import { bindQuery } from '../../src/sql/binder.js';
import { baseOf } from '../../src/sql/scope.js';
import { tokenize, isTrivia } from '../../src/sql/tokenizer.js';
import { singleQuoteLiterals } from '../../src/sql/single-quotes.js';
import { renameColumns, rewriteForAdded } from '../../src/sql/rename-columns.js';
import { changeSchema, NO_CHANGE } from '../../src/sql/schema-change.js';
import { openTown, TOWN } from './town-database.js';
import { TOWN_QUERIES } from './town-queries.js';
const rowsOf = (db: ReturnType<typeof openTown>, sql: string) => { if (/recursive/i.test(sql)) return '[]'; const out: unknown[] = []; for (const r of db.prepare(sql).raw().iterate()) { out.push(r); if (out.length > 3000) throw new Error('too many'); } return JSON.stringify(out); };
it('x', () => {
  const N = Number(process.env.N ?? 20000); let seed = Number(process.env.SEED ?? 1);
  const rnd = (n: number) => { seed = (seed + 0x6d2b79f5) | 0; let t = Math.imul(seed ^ (seed >>> 15), 1 | seed); t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t; return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4294967296) * n); };
  const names = ['id', 'name', 'age', 'city_id', 'boss', 'country', 'population', 'person_id', 'year', 'cost', '"order"', 'rowid', 'n', 'x', 'p', 'person', 'city', 'visit', 'q', 'v', 'c', 'a', '"name"', '"Ann"', 'true', '*', 'p.*', 'city.name', 'person.id', 'NATURAL JOIN', 'JOIN', ',', 'LEFT JOIN', 'RIGHT JOIN', 'FULL JOIN', 'NATURAL FULL JOIN', 'USING (id)', 'UNION', 'WHERE', 'AND', 'AS', '1'];
  const sqlite = openTown();
  const renames = new Map([['0.0', 'nr'], ['0.1', 'id'], ['0.2', 'n'], ['0.3', 'name'], ['1.1', 'label'], ['1.2', 'age'], ['2.1', 'x'], ['2.2', 'Ann']]);
  const renamed = changeSchema(TOWN, { ...NO_CHANGE, renames }); const rdb = openTown(renamed);
  const added = new Map([[0, ['country', 'year', 'n', 'x', 'Ann']], [1, ['age', 'city_id', 'i']], [2, ['name', 'id']]]) as Map<number, string[]>;
  const extended = changeSchema(TOWN, { ...NO_CHANGE, added }); const adb = openTown(extended);
  const c: Record<string, number> = {}; const out: string[] = []; const seen = new Set<string>();
  const note = (k: string, text = '') => { c[k] = (c[k] ?? 0) + 1; if (text && (c[k] ?? 0) <= 12) out.push(k + ': ' + text); };
  const pool = [...TOWN_QUERIES];
  for (let i = 0; i < N; i++) {
    const base = pool[rnd(pool.length)]!;
    const tokens = tokenize(base).filter((t) => !isTrivia(t)); 
    const parts = tokens.map((t) => t.text); const k = 1 + rnd(2);
    const ids = ['id', 'name', 'age', 'city_id', 'boss', 'country', 'population', 'person_id', 'year', 'cost', '"order"', 'rowid', 'n', 'x', 'p', 'q', 'v', 'c', 'a', '"name"', '"Ann"', 'p.name', 'v.city_id', 'city.name', 'person.id', 'c.id', 'a.name', 'b.name', 'q.name','person.rowid'];
      const tables = ['person', 'city', 'visit', '"Odd Table"', 'q', 'person p', 'city c', 'visit v', 'person c', '(SELECT * FROM person)', '(SELECT name, id FROM city) AS q', '(SELECT id AS name, city_id FROM person) v', '(SELECT name, max(age) AS n FROM person) p', '(person JOIN city USING (id))','(SELECT person.id, city.id, country FROM person, city)'];
      const joins = ['JOIN', ',', 'NATURAL JOIN', 'LEFT JOIN', 'NATURAL LEFT JOIN', 'RIGHT JOIN', 'NATURAL RIGHT JOIN', 'FULL JOIN', 'NATURAL FULL JOIN', 'CROSS JOIN'];
      for (let j = 0; j < k + 1; j++) { const idx = parts.map((t, n) => n).filter((n) => /^["a-z_]/i.test(parts[n]!) && !/^(select|from|where|group|by|order|on|using|as|and|or|not|in|union|with)$/i.test(parts[n]!)); const at = idx[rnd(idx.length)] ?? 0; const how = rnd(10);
       if (/^from$/i.test(parts[at - 1] ?? '') || /^join$/i.test(parts[at - 1] ?? '')) parts[at] = tables[rnd(tables.length)]!;
       else if (/^join$/i.test(parts[at]!)) { parts[at] = joins[rnd(joins.length)]!; if (rnd(3) === 0) { const o = parts.findIndex((t) => /^on$/i.test(t)); if (o > 0) { parts.splice(o, parts[o + 2] === '.' ? 8 : 4); if (rnd(2)) parts.splice(o, 0, 'USING (' + ids[rnd(6)]! + ')'); } } }
       else if (how === 0) { const f = parts.findIndex((t) => /^from$/i.test(t)); if (f >= 0) { const e = parts.findIndex((t, n) => n > f && /^(where|group|order|limit|union|window)$/i.test(t)); const ins = [joins[rnd(joins.length)]!, tables[rnd(tables.length)]!, ...(rnd(2) ? ['USING (' + ids[rnd(6)]! + (rnd(4) ? '' : ', name') + ')'] : [])]; parts.splice(e < 0 ? parts.length : e, 0, ...ins); } }
       else if (how === 1) { const f = parts.findIndex((t) => /^select$/i.test(t)); parts.splice(f + 1, 0, ['*', 'p.*', 'person.*', 'q.*', ...ids.slice(0, 12)][rnd(16)]!, ','); }
       else if (how === 2) parts.push('ORDER BY', ids[rnd(ids.length)]!);
       else if (how === 3) { parts.splice(at + 1, 0, 'AS', ids[rnd(19)]!); }
       else if (how === 4 && rnd(3) === 0) { parts.splice(0, parts.length, 'SELECT', ids[rnd(ids.length)]!, ',', rnd(2) ? '*' : ids[rnd(ids.length)]!, 'FROM', '(', ...tokens.map((t) => t.text).filter((t) => t !== ';'), ')', rnd(2) ? 'q' : ''); }
       else parts[at] = ids[rnd(ids.length)]!; }
    const sql = parts.join(' '); if (seen.has(sql)) continue; seen.add(sql);
    let ours = ''; let single = sql; let bound;
    try { bound = bindQuery(sql, TOWN); single = singleQuoteLiterals(sql, TOWN).sql; } catch (e) { ours = (e as Error).message; if ((e as {code?:string}).code !== 'SQL_REWRITE') throw e; }
    let theirs = ''; let stmt; try { stmt = sqlite.prepare(single); } catch (e) { theirs = (e as Error).message; }
    if (ours && theirs) { note('both refuse'); continue; }
    if (ours && !theirs) { note(/parenth|no such column: (city|q|p|v|person)|unknown join/.test(ours) ? 'ours known' : 'ONLY OURS REFUSES', sql + '\n     ' + ours); continue; }
    if (!ours && theirs) { note('ONLY SQLITE REFUSES', sql + '\n     ' + theirs); continue; }
    if (pool.length < 3000) pool.push(sql);
    note('both accept');
    const top = bound!.cores.filter((x) => x.node === bound!.select.terms[0]!.body)[0];
    const cols = stmt!.columns();
    if (/select [^f]*\( select|collate/i.test(sql)) continue; if (top && top.outputs.length !== cols.length) note('COLUMN COUNT', sql);
    else if (top && bound!.select.terms.length === 1) top.outputs.forEach((o, j) => { const ref = o.found?.target.kind==='column' && !o.found.coalesced ? baseOf(o.found.target.column) : null; const n = ref ? TOWN.tables[ref.table]!.columns[ref.column]!.originalName : null; const t = ref ? TOWN.tables[ref.table]!.originalName : null; if ((cols[j]!.column ?? null) !== n || (cols[j]!.table ?? null) !== t) { if (cols[j]!.column !== 'rowid') note('ORIGIN', sql + `   col ${j} ours ${t}.${n} theirs ${cols[j]!.table}.${cols[j]!.column}`); } });
    let rows; try { rows = rowsOf(sqlite, single); } catch { continue; }
    for (const [kind, f, db, schema] of [['REN', () => renameColumns(sql, TOWN, renames).sql, rdb, renamed], ['ADD', () => rewriteForAdded(sql, TOWN, added).sql, adb, extended]] as const) {
      let s; try { s = f(); } catch (e) { if ((e as {code?:string}).code !== 'SQL_REWRITE') { note(kind+' CRASH', sql + (e as Error).stack); continue; } note(kind + ' refused', sql + '\n     ' + (e as Error).message); continue; }
      try { const r = rowsOf(db, singleQuoteLiterals(s, schema).sql); const sort = (x: string) => JSON.stringify((JSON.parse(x) as unknown[]).map((y) => JSON.stringify(y)).sort()); if (r === rows) note(kind + ' same'); else if (sort(r) === sort(rows)) note(kind + ' order', ''); else note(kind + ' DIFFERENT', sql + '\n     ' + s+'\n    '+rows.slice(0,200)+'\n    '+r.slice(0,200)); } catch (e) { note(kind + ' FAILS', sql + '\n     ' + s + '\n     ' + (e as Error).message); }
    }
  }
  writeFileSync('/tmp/fuzz.txt', JSON.stringify(c, null, 1) + '\n' + out.join('\n'));
}, 300000);
