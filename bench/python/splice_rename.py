"""Renames columns with sqlglot: names are resolved in its scopes, the text is edited at its token positions.

Standard input: {"schemas": {id: {table: {column: new name}}}, "tasks": [[sql, id], ...], "passes": n, "mode": ...}.
Standard output: {"version", "compiled", "seconds": [user CPU of each pass], "texts": [sql or null]}.
Modes: "splice" (this script), "qualify" (the tree that sqlglot qualifies, printed), "replace" (words of the text alone).
"""
import json
import re
import resource
import sys

PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
KEYWORDS = set(
    """add all alter and as autoincrement begin between by case cast check collate commit constraint create cross
    current_date current_time current_timestamp default deferrable delete desc asc distinct drop else end escape except
    exists false filter foreign from full glob group having if in index indexed inner insert intersect into is isnull
    join key left like limit match natural not nothing notnull null offset on or order outer over primary raise
    references regexp returning right select set table then to transaction true union unique update using values when
    where window with""".split()
)


def written(name):
    if PLAIN.match(name) and name.lower() not in KEYWORDS:
        return name
    return '"' + name.replace('"', '""') + '"'


def source_columns(source, schema):
    """Old name in lower case to (old, new) of what a table or subquery gives; None where it is not known."""
    if isinstance(source, exp.Table):
        table = schema.get(source.name.lower())
        return None if table is None else {old.lower(): (old, new) for old, new in table.items()}
    columns = {}
    for item in source.expression.selects:
        if item.is_star:
            for inner in source.sources.values():
                columns.update(source_columns(inner, schema) or {})
        elif isinstance(item, exp.Column) and item.args.get("resolved"):
            columns[item.name.lower()] = item.args["resolved"]
        else:
            columns[item.alias_or_name.lower()] = (item.alias_or_name, item.alias_or_name)
    return columns


def resolve(column, scope, schema):
    """The (old, new) names of a column, its source's label, and whether its new name needs the label."""
    name, qualifier = column.name.lower(), column.table.lower()
    at = scope
    while at is not None:
        known = {label: source_columns(source, schema) or {} for label, source in at.sources.items()}
        local = {label: known[label] for label in at.selected_sources if label in known} or known
        for label, columns in local.items():
            if name in columns and qualifier in ("", label.lower()):
                new = columns[name][1]
                taken = [own for own in local.values() if any(now.lower() == new.lower() for _, now in own.values())]
                return columns[name], label, len(taken) > 1
        at = at.parent
    return None


def edits_of(tree, schema):
    edits = []
    for scope in traverse_scope(tree):
        aliases = {s.alias.lower() for s in getattr(scope.expression, "selects", []) if isinstance(s, exp.Alias)}
        # What ORDER BY and HAVING name of the result is not among a scope's columns.
        clauses = [scope.expression.args.get(part) for part in ("order", "having")]
        named = [c for clause in clauses if clause is not None for c in clause.find_all(exp.Column)]
        further = [c for c in named if all(c is not own for own in scope.columns)]
        for column in [*scope.columns, *further]:
            if isinstance(column.this, exp.Star) or column.args.get("resolved"):
                continue
            clause = column.find_ancestor(exp.Order, exp.Group, exp.Having, exp.Select)
            is_alias = not column.table and isinstance(clause, (exp.Order, exp.Group, exp.Having)) and column.name.lower() in aliases
            found = None if is_alias else resolve(column, scope, schema)
            if found is None:
                continue
            (old, new), label, ambiguous = found
            column.set("resolved", (old, new))
            token = column.this.meta
            if new == old or "start" not in token:
                continue
            prefix = written(label) + "." if ambiguous and not column.table else ""
            edits.append((token["start"], token["end"] + 1, prefix + written(new)))
        for join in scope.expression.args.get("joins") or []:
            for name in join.args.get("using") or []:
                found = resolve(exp.column(name.name), scope, schema)
                if found is not None and "start" in name.meta:
                    edits.append((name.meta["start"], name.meta["end"] + 1, written(found[0][1])))
    return edits


def splice(sql, schema):
    text, at = "", 0
    for start, end, new in sorted(edits_of(sqlglot.parse_one(sql, read="sqlite"), schema)):
        if start < at:
            continue
        text += sql[at:start] + new
        at = end
    return text + sql[at:]


def qualified(sql, schema):
    """What sqlglot's own optimizer makes of the query, with the names changed in its tree."""
    types = {table: dict.fromkeys(columns, "text") for table, columns in schema.items()}
    parsed = qualify(sqlglot.parse_one(sql, read="sqlite"), schema=types, dialect="sqlite", expand_stars=False)
    for scope in traverse_scope(parsed):
        for column in scope.columns:
            found = None if isinstance(column.this, exp.Star) else resolve(column, scope, schema)
            if found is not None:
                column.set("resolved", found[0])
    for column in list(parsed.find_all(exp.Column)):
        if column.args.get("resolved"):
            column.set("this", exp.to_identifier(column.args["resolved"][1], quoted=True))
    return parsed.sql(dialect="sqlite")


def replace(sql, schema):
    """What a quick script does: the tables in the text, and every word that one of their columns is called."""
    names = {}
    for table, columns in schema.items():
        if re.search(rf"\b{re.escape(table)}\b", sql, re.I):
            for old, new in columns.items():
                names.setdefault(old.lower(), new)
    return re.sub(r"'[^']*'|[A-Za-z_]\w*", lambda word: names.get(word[0].lower(), word[0]), sql)


def attempt(rewrite, sql, schema):
    try:
        return rewrite(sql, schema)
    except (SqlglotError, KeyError, AttributeError, RecursionError, ValueError):
        return None


def main():
    given = json.load(sys.stdin)
    schemas = {
        name: {table.lower(): columns for table, columns in tables.items()} for name, tables in given["schemas"].items()
    }
    rewrite = {"splice": splice, "qualify": qualified, "replace": replace}[given["mode"]]
    seconds, texts = [], []
    for _ in range(given["passes"]):
        start = resource.getrusage(resource.RUSAGE_SELF).ru_utime
        texts = [attempt(rewrite, sql, schemas[name]) for sql, name in given["tasks"]]
        seconds.append(resource.getrusage(resource.RUSAGE_SELF).ru_utime - start)
    compiled = sqlglot.tokens.__file__.endswith(".so") or sqlglot.parser.__file__.endswith(".so")
    json.dump({"version": sqlglot.__version__, "compiled": compiled, "seconds": seconds, "texts": texts}, sys.stdout)


if __name__ == "__main__":
    import sqlglot
    import sqlglot.parser
    import sqlglot.tokens
    from sqlglot import exp
    from sqlglot.errors import SqlglotError
    from sqlglot.optimizer.qualify import qualify
    from sqlglot.optimizer.scope import traverse_scope

    main()
