/** The database a query reads. */
export interface QuerySource {
  /** A SQLite file, opened as schema `main` and never written to; null is an empty database in memory. */
  readonly file: string | null;
  /**
   * Trusted SQL scripts, or files of them, run once when the connection opens: TEMP views and tables over `main`, which
   * unqualified names then mean; tables of an empty database.
   */
  readonly setup?: readonly (string | { readonly file: string })[];
  /**
   * Has the query read copies of the tables, without indexes, in stored order (`copied`) or from the last row to the
   * first (`reversed`): a result that changes is not determined by the SQL. See `copyTables`.
   */
  readonly rowOrder?: 'copied' | 'reversed';
}
