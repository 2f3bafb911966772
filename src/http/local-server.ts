import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces, hostname } from 'node:os';
import { createAdaptorServer } from '@hono/node-server';
import { ConfigError } from '../errors.js';

/** A server that listens. */
export interface RunningServer {
  /** Where it is reached, without a slash at the end. */
  readonly url: string;
  /** Takes no more requests, finishes those under way, and is done when the last one is answered. */
  close(): Promise<void>;
}

/** The app that answers requests: a Hono app. */
type LocalApp = Pick<Parameters<typeof createAdaptorServer>[0], 'fetch'>;

/** The address that this machine alone reaches. */
export const LOOPBACK = '127.0.0.1';
const LOOPBACK_NAMES = ['localhost', LOOPBACK, '[::1]'];
/** Longest time that requests under way may take once the server is told to end. */
const LONGEST_FAREWELL_MS = 5_000;
/** How often idle connections are looked for while the server ends. */
const FAREWELL_STEP_MS = 50;

function inUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host.toLowerCase();
}

function isEveryAddress(host: string): boolean {
  return host === '0.0.0.0' || host === '::';
}

/** The host names that a server bound to `host` answers to; bound to all addresses, those of this machine. */
export function hostNamesOf(host: string): ReadonlySet<string> {
  if (!isEveryAddress(host)) return new Set([...LOOPBACK_NAMES, inUrl(host)]);
  const addresses = Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => address));
  return new Set([...LOOPBACK_NAMES, inUrl(host), ...[hostname(), ...addresses].map(inUrl)]);
}

function listenError(error: NodeJS.ErrnoException, host: string, port: number): Error {
  const place = `${inUrl(host)}:${port}`;
  if (error.code === 'EADDRINUSE')
    return new ConfigError(`${place} is in use`, {
      fix: 'End what listens there, or give --port 0 for any free port.',
    });
  if (error.code === 'EACCES')
    return new ConfigError(`${place} may not be bound`, { fix: 'Give a --port above 1023.' });
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
    return new ConfigError(`${host} is no address of this machine`, {
      fix: `Leave out --host for ${LOOPBACK}.`,
    });
  return error;
}

/**
 * Connections that may wait to be accepted, as far as the system allows: one too many at once is reset, not told to
 * come again.
 */
const BACKLOG = 4096;

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(listenError(error, host, port)));
    server.listen({ port, host, backlog: BACKLOG }, resolve);
  });
}

function closeGently(server: Server): Promise<void> {
  // A connection that is kept alive becomes idle only after its request; those that never do are cut in the end.
  const step = setInterval(() => server.closeIdleConnections(), FAREWELL_STEP_MS);
  const cut = setTimeout(() => server.closeAllConnections(), LONGEST_FAREWELL_MS);
  return new Promise<void>((resolve) => server.close(() => resolve())).finally(() => {
    clearInterval(step);
    clearTimeout(cut);
  });
}

/**
 * Serves an app until it is closed; port 0 takes any free one.
 * @throws ConfigError when the address can't be bound
 */
export async function serveLocally(app: LocalApp, host: string, port: number): Promise<RunningServer> {
  const server = createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: false }) as Server;
  await listen(server, host, port);
  const { port: bound } = server.address() as AddressInfo;
  const shown = isEveryAddress(host) ? hostname() : host;
  return { url: `http://${inUrl(shown)}:${bound}`, close: () => closeGently(server) };
}

/** Aborted when the server is told to end; what is under way is then finished. A second signal ends it at once. */
export function untilTold(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => controller.abort());
  return controller.signal;
}
