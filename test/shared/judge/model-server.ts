import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** What a model's endpoint does with one request. */
export type Reply =
  | { text: string }
  | 'throttled'
  /** Never an answer. */
  | 'silent'
  /** Half an answer, then the connection ends. */
  | 'cut off'
  | 'malformed'
  | 'redirect';

interface ModelRequest {
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}

const completionOf = (content: string) => ({ choices: [{ message: { role: 'assistant', content } }] });
const converseOf = (answer: string) => ({
  output: { message: { role: 'assistant', content: [{ text: answer }] } },
  stopReason: 'end_turn',
  usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
  metrics: { latencyMs: 1 },
});

/** Both protocols of language models on loopback: chat completions, and Bedrock's Converse. */
export async function startModelServer(reply: (request: ModelRequest) => Reply | Promise<Reply>) {
  const requests: ModelRequest[] = [];
  const server = createServer(async (request, response) => {
    const asked = { url: request.url!, headers: request.headers, body: await text(request) };
    requests.push(asked);
    respond(response, asked.url.endsWith('/converse'), await reply(asked));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function respond(response: ServerResponse, isConverse: boolean, reply: Reply): void {
  const json = { 'content-type': 'application/json' };
  if (reply === 'silent') return;
  if (reply === 'throttled') {
    response
      .writeHead(429, { ...json, 'x-amzn-errortype': 'ThrottlingException' })
      .end('{"message":"Too many requests"}');
  } else if (reply === 'redirect') {
    response.writeHead(307, { location: '/elsewhere' }).end();
  } else if (reply === 'malformed') {
    response.writeHead(200, json).end('<html>');
  } else if (reply === 'cut off') {
    response.writeHead(200, { ...json, 'content-length': '500' }).write('{"choices":[{"message":');
    setImmediate(() => response.destroy());
  } else {
    const body = isConverse ? converseOf(reply.text) : completionOf(reply.text);
    response.writeHead(200, json).end(JSON.stringify(body));
  }
}
