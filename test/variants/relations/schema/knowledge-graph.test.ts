import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ConfigError, DownloadError } from '../../../../src/errors.js';
import { KnowledgeGraph } from '../../../../src/variants/relations/schema/knowledge-graph.js';
import { relationContext } from '../cases.js';

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const edge = (label: string, weight: number, language = 'en') => ({ end: { label, language }, weight, rel: {} });
const table = (name: string) => ({ origin: 'db', table: { name, originalName: name, columns: [] } });

describe('KnowledgeGraph', () => {
  it('refuses what is no address, before it is asked', () => {
    expect(() => new KnowledgeGraph({ url: 'graph.example' })).toThrow(ConfigError);
  });

  it('gives what heavy edges say, the heaviest first, in words that can be a name', async () => {
    const asked: string[] = [];
    const url = await serve((request, response) => {
      asked.push(request.url ?? '');
      const edges = [
        ...[edge('an engine', 2.83), edge('four wheels', 4), edge('a soul', 1), edge('Räder', 5, 'de')],
        ...[edge('more than you could ever say of one', 6), edge('price', 3), edge('a engine', 2)],
      ];
      response.end(JSON.stringify({ '@id': '/query', edges }));
    });
    const graph = new KnowledgeGraph({ url: `${url}/` });
    const found = await graph.of(table('Car_Makers'), relationContext());
    await graph.of(table('car makers'), relationContext());
    expect(found).toEqual([
      { name: 'wheels', type: 'text' },
      { name: 'price', type: 'number' },
      { name: 'engine', type: 'text' },
    ]);
    expect(asked).toEqual(['/query?start=/c/en/car_maker&rel=/r/HasA&limit=100']);
  });

  it('asks for the last word of a name that says nothing as a whole, after a pause where the service wants one', async () => {
    const asked: string[] = [];
    const url = await serve((request, response) => {
      asked.push(/en\/(\w+)/.exec(request.url ?? '')?.[1] ?? '');
      if (asked.length === 1) response.writeHead(503).end();
      else response.end(JSON.stringify({ edges: asked.at(-1) === 'maker' ? [edge('tools', 2)] : [] }));
    });
    const graph = new KnowledgeGraph({ url, pauseMs: 1 });
    expect(await graph.of(table('car makers'), relationContext())).toEqual([{ name: 'tools', type: 'text' }]);
    expect(asked).toEqual(['car_maker', 'car_maker', 'maker']);
  });

  it.each([
    ['another format', 200, '{"edges":[{"weight":"heavy"}]}'],
    ['no JSON', 200, '<html>'],
    ['a refusal', 404, ''],
  ])('says what is wrong with %s', async (_, status, body) => {
    const url = await serve((_request, response) => void response.writeHead(status).end(body));
    const answer = new KnowledgeGraph({ url, pauseMs: 1 }).of(table('car'), relationContext());
    await expect(answer).rejects.toThrow(DownloadError);
    await expect(answer).rejects.toMatchObject({ fix: expect.stringContaining('ConceptNet') as string });
  });
});
