import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { ConfigError, InputFormatError, PerturbqlError } from '../../../src/errors.js';
import { loadDataset } from '../../../src/formats/load-dataset.js';
import { connectionFault, parseConnectionUrl } from '../../../src/formats/live-database/connection.js';
import { changedUrl, livePaths, serverOf, serverTitle, type ServerFormat } from './live-servers.js';

const SECRET = 'pa55-word';
const BOTH: readonly ServerFormat[] = ['postgresql', 'mysql'];
const scheme = (format: ServerFormat): string => (format === 'mysql' ? 'mysql' : 'postgres');

/** Everything that an error could show. */
function shown(error: PerturbqlError): string {
  const cause = error.cause instanceof Error ? `${error.cause.message} ${error.cause.stack ?? ''}` : '';
  return `${error.render()} ${error.stack ?? ''} ${cause} ${JSON.stringify(error.where)}`;
}

async function faultOf(format: ServerFormat, connection: string, secret = SECRET): Promise<PerturbqlError> {
  const error: unknown = await loadDataset(livePaths(format, connection)).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(PerturbqlError);
  expect(shown(error as PerturbqlError)).not.toContain(secret);
  expect((error as PerturbqlError).fix).not.toBe('');
  return error as PerturbqlError;
}

describe('connection strings', () => {
  it.each([
    ['postgresql', `mysql://ann:${SECRET}@localhost/shop`, /begins with postgres:\/\/ or postgresql:\/\//],
    ['mysql', `postgres://ann:${SECRET}@localhost/shop`, /begins with mysql:\/\/ or mariadb:\/\//],
    ['mysql', `ann:${SECRET}@localhost/shop`, /begins with/],
    ['mysql', SECRET, /is not a URL/],
    ['postgresql', `postgres://ann:${SECRET}/x@localhost/shop`, /is not a URL/],
    ['postgresql', `postgres://ann:12/${SECRET}@localhost/shop`, /an @ after the host/],
    ['mysql', `mysql://ann:12?${SECRET}@localhost/shop`, /an @ after the host/],
    ['mysql', `mysql://ann:%zz${SECRET}@localhost/shop`, /no percent-encoding/],
    ['mysql', `mysql://ann:${SECRET}@localhost/shop?multipleStatements=true`, /multipleStatements/],
    ['mysql', `mysql://ann:${SECRET}@localhost/shop?ssl-mode=maybe`, /ssl-mode/],
  ] as const)('%s: refuses %s', async (format, connection, message) => {
    const error = await faultOf(format, connection);
    expect(error).toBeInstanceOf(ConfigError);
    expect(error.message).toMatch(message);
  });

  it('needs one', async () => {
    const paths = { ...livePaths('mysql', ''), connection: null };
    await expect(loadDataset(paths)).rejects.toThrow(/format mysql needs --connection/);
  });

  it('shows where, without the password', () => {
    const { place, password } = parseConnectionUrl(`mysql://ann:a%2Fb@db.example:33/shop`, 'mysql', ['mysql:']);
    expect(place).toBe('mysql://ann@db.example:33/shop');
    expect(password).toBe('a/b');
  });

  it.each([
    ['timeout expired', undefined, 'the server can’t be reached'],
    ['Connection terminated unexpectedly', undefined, 'the server can’t be reached'],
    ['SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string', undefined, 'the server refused the user'],
    ['no entry for the host', '28000', 'the server refused the user'],
    ['permission denied for database "shop"', '42501', 'the user may not use the database'],
    ['out of memory', '53200', 'the server can’t be read'],
  ])('tells what kind of failure it is: %s', (message, code, expected) => {
    const url = parseConnectionUrl('postgres://ann@localhost/shop', 'postgresql', ['postgres:']);
    const fault = connectionFault(Object.assign(new Error(message), { code }), url);
    expect(fault.message).toContain(expected);
    expect(fault.render()).toContain(message);
    expect(connectionFault(new AggregateError([Object.assign(new Error(message), { code })]), url)).toEqual(fault);
  });

  it('keeps a driver’s message only where the password is not in it', () => {
    const url = parseConnectionUrl(`mysql://ann:${SECRET}@localhost/shop`, 'mysql', ['mysql:']);
    expect(connectionFault(new Error('out of memory'), url).render()).toContain('cause: out of memory');
    const error = connectionFault(Object.assign(new Error(`user ann, ${SECRET}`), { password: SECRET }), url);
    expect(shown(error)).not.toContain(SECRET);
    expect(error.cause).toBeUndefined();
  });
});

describe('servers that can’t be read', () => {
  it.each(BOTH)('%s: nobody listens', async (format) => {
    const error = await faultOf(format, `${scheme(format)}://ann:${SECRET}@127.0.0.1:1/shop`);
    expect(error).toBeInstanceOf(InputFormatError);
    expect(error.render()).toMatch(/^(postgres|mysql):\/\/ann@127\.0\.0\.1:1\/shop: the server can’t be reached\n/);
    expect(error.render()).toContain('ECONNREFUSED');
  });

  it.each(BOTH)('%s: the other side hangs up', async (format) => {
    const server = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const error = await faultOf(format, `${scheme(format)}://ann:${SECRET}@127.0.0.1:${port}/shop`);
    server.close();
    expect(error).toBeInstanceOf(InputFormatError);
  });
});

describe.each(BOTH)('%s', (format) => {
  describe.skipIf(serverOf(format) === null)(serverTitle('a server that refuses', format), () => {
    it('says that user or password are wrong', async () => {
      const error = await faultOf(format, changedUrl(serverOf(format)!, { password: SECRET }));
      expect(error).toBeInstanceOf(InputFormatError);
      expect(error.message).toBe('the server refused the user or the password');
    });

    it('says that a database does not exist', async () => {
      const { password } = new URL(serverOf(format)!);
      const error = await faultOf(format, changedUrl(serverOf(format)!, { pathname: '/no_such_database' }), password);
      expect(error.message).toBe('the server has no such database');
      expect(error.where.id).toMatch(/\/no_such_database$/);
    });
  });
});
