import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { build } from 'esbuild';
import { createChat } from './chat.mjs';

const { ADS_URL: baseUrl = 'http://localhost:3000', PORT = '3100' } = process.env;
/** Yours, or that of the local service's demo. */
const apiKey = process.env.ADS_KEY ?? (await (await fetch(`${baseUrl}/assets/demo.json`)).json()).apiKey;

const routes = createChat({ baseUrl, apiKey });
const entryPoints = [`${import.meta.dirname}/page.jsx`];
const { outputFiles } = await build({ entryPoints, bundle: true, format: 'esm', jsx: 'automatic', write: false });
const files = {
  '/': ['text/html', await readFile(`${import.meta.dirname}/page.html`)],
  '/page.js': ['text/javascript', outputFiles[0].contents],
};

const server = createServer(async (incoming, outgoing) => {
  const { pathname } = new URL(incoming.url, 'http://localhost');
  const [type, content] = files[pathname] ?? [];
  if (content) return outgoing.writeHead(200, { 'content-type': type }).end(content);
  if (!routes[pathname]) return outgoing.writeHead(404).end();
  const left = new AbortController();
  outgoing.on('close', () => left.abort());
  const { method, headers } = incoming;
  const body = method === 'GET' ? undefined : Readable.toWeb(incoming);
  const request = new Request(`http://localhost${pathname}`, {
    method,
    headers,
    body,
    duplex: 'half',
    signal: left.signal,
  });
  const response = await routes[pathname](request);
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  Readable.fromWeb(response.body)
    .on('error', () => {})
    .pipe(outgoing);
});
server.listen(Number(PORT), 'localhost', () => console.log(`http://localhost:${server.address().port}`));
