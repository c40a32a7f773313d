import { createHash, randomUUID } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import { listen } from '../../infra/local/gateway.ts';

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const hashOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url');

/** The sign-in settings. */
const USER = { sub: 'alice', email: 'ada@shop.example' };

/** A local OpenID provider. A user signs in with a link, and gets a token for the code and the PKCE verifier. */
export async function startIssuer() {
  /** The token requests. */
  const asked: URLSearchParams[] = [];
  /** The challenge of each issued code. */
  const codes = new Map<string, string>();
  const tokens = new Set<string>();

  const json = (response: ServerResponse, status: number, body: object) =>
    response
      .writeHead(status, { 'content-type': 'application/json', 'access-control-allow-origin': '*' })
      .end(JSON.stringify(body));

  function choose(response: ServerResponse, query: URLSearchParams) {
    const code = randomUUID();
    codes.set(code, query.get('code_challenge') ?? '');
    const back = (name: string, answer: Record<string, string>) =>
      `<p><a href="${query.get('redirect_uri')}?${new URLSearchParams(answer)}">${name}</a></p>`.replaceAll(
        '&',
        '&amp;',
      );
    const state = query.get('state') ?? '';
    response.writeHead(200, { 'content-type': 'text/html' }).end(
      `<title>Sign in</title><h1>Who are you?</h1>
      ${back('Ada', { code, state })}
      ${back('Somebody else’s question', { code, state: 'other' })}
      ${back('Nobody', { error: 'access_denied', state })}`,
    );
  }

  function give(response: ServerResponse, form: URLSearchParams) {
    asked.push(form);
    const challenge = codes.get(form.get('code') ?? '');
    codes.delete(form.get('code') ?? '');
    if (challenge !== hashOf(form.get('code_verifier') ?? '')) return json(response, 400, { error: 'invalid_grant' });
    const now = Math.floor(Date.now() / 1000);
    const claims = { ...USER, iss: issuer, aud: 'desk', iat: now, exp: now + 3600 };
    const id_token = [part({ alg: 'RS256' }), part(claims), part({})].join('.');
    const access_token = randomUUID();
    tokens.add(access_token);
    return json(response, 200, { access_token, token_type: 'Bearer', expires_in: 3600, id_token });
  }

  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    if (pathname === '/authorize') return choose(response, searchParams);
    if (pathname === '/token') {
      let body = '';
      for await (const chunk of request) body += chunk;
      return give(response, new URLSearchParams(body));
    }
    return json(response, 200, {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
    });
  });
  const issuer = `http://localhost:${await listen(server, 0)}`;

  return {
    asked,
    settings: { issuer, clientId: 'desk', scope: 'openid', audience: 'ads', origins: [issuer] },
    /** The user of a token; undefined if it has expired. */
    getSubject: (token: string): string | undefined => (tokens.has(token) ? USER.sub : undefined),
    endTokens: () => tokens.clear(),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
