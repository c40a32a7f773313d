import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { bedrockModel } from '../../../../shared/platform/bedrock-model.ts';
import { openAiModel } from '../../../../shared/platform/openai-model.ts';

/** A model for each protocol at a URL. */
export const PROTOCOLS = {
  openai: (endpoint: string) => openAiModel({ url: `${endpoint}/v1`, model: 'small' }, async () => 'sk-secret'),
  bedrock: (endpoint: string) =>
    bedrockModel(
      { model: 'small' },
      { endpoint, region: 'local', credentials: { accessKeyId: 'a', secretAccessKey: 'b' } },
    ),
};

/** How the model's endpoint responds to a request. */
export type Reply =
  /** Rejects a request with one of these parameters, as OpenAI does. */
  | { text: string; refuses?: readonly string[] }
  /** An error that repeats the request, or has its own message. */
  | { status: number; message?: string }
  | 'throttled'
  /** Never responds. */
  | 'silent'
  /** Sends blanks forever, so that the connection is never idle. */
  | 'trickle'
  /** More than the maximum size of an answer, then a correct one. */
  | 'endless'
  /** An error of the model. */
  | 'error'
  /** Half an answer, then closes the connection. */
  | 'cut off'
  | 'malformed'
  | 'redirect';

interface ModelRequest {
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}

/** The prompt of a request, in either protocol. */
export function saidIn({ url, body }: ModelRequest): { system: string; user: string } {
  const { system, messages } = JSON.parse(body);
  if (url.endsWith('/converse')) return { system: system[0].text, user: messages[0].content[0].text };
  return { system: messages[0].content, user: messages[1].content };
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
  let abandon: () => void;
  const abandoned = new Promise<void>((resolve) => {
    abandon = resolve;
  });
  const server = createServer(async (request, response) => {
    const asked = { url: request.url!, headers: request.headers, body: await text(request) };
    requests.push(asked);
    response.once('close', () => response.writableFinished || abandon());
    respond(response, asked, await reply(asked));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    /** Resolves when a client disconnects before the end of an answer. */
    abandoned: () => abandoned,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** OpenAI's response to a parameter that the model does not support. */
const refusalOf = (param: string) => ({
  error: {
    message:
      param === 'max_tokens'
        ? "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
        : `Unsupported value: '${param}' does not support 0 with this model. Only the default (1) value is supported.`,
    type: 'invalid_request_error',
    param,
    code: param === 'max_tokens' ? 'unsupported_parameter' : 'unsupported_value',
  },
});

function respond(response: ServerResponse, { url, body: asked }: ModelRequest, reply: Reply): void {
  const isConverse = url.endsWith('/converse');
  const json = { 'content-type': 'application/json' };
  if (reply === 'silent') return;
  if (reply === 'throttled') {
    response
      .writeHead(429, { ...json, 'x-amzn-errortype': 'ThrottlingException' })
      .end('{"message":"Too many requests"}');
  } else if (reply === 'redirect') {
    response.writeHead(307, { location: '/elsewhere' }).end();
  } else if (reply === 'error') {
    response.writeHead(500, json).end('{"message":"out of memory"}');
  } else if (reply === 'trickle') {
    const more = setInterval(() => response.write(' '), 5);
    response.writeHead(200, json).once('close', () => clearInterval(more));
  } else if (reply === 'endless') {
    const body = JSON.stringify((isConverse ? converseOf : completionOf)('{"safe":true,"welcome":[0.9]}'));
    response.writeHead(200, json).end(' '.repeat(1_000_000) + body);
  } else if (reply === 'malformed') {
    response.writeHead(200, json).end('<html>');
  } else if (reply === 'cut off') {
    response.writeHead(200, { ...json, 'content-length': '500' }).write('{"choices":[{"message":');
    setImmediate(() => response.destroy());
  } else if ('status' in reply) {
    response.writeHead(reply.status, json).end(JSON.stringify({ message: reply.message ?? asked }));
  } else {
    const refused = reply.refuses?.find((param) => param in JSON.parse(asked));
    if (refused) {
      response.writeHead(400, json).end(JSON.stringify(refusalOf(refused)));
      return;
    }
    const body = isConverse ? converseOf(reply.text) : completionOf(reply.text);
    response.writeHead(200, json).end(JSON.stringify(body));
  }
}
