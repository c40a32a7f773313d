import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { finishSignIn, startSignIn } from '../../web/sign-in.ts';
import { startIssuer } from './issuer.ts';

let issuer: Awaited<ReturnType<typeof startIssuer>>;
beforeAll(async () => {
  issuer = await startIssuer();
});
afterAll(() => issuer.close());

function storage() {
  const kept = new Map<string, string>();
  return {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
    removeItem: (name: string) => void kept.delete(name),
  };
}

const PAGE = new URL('https://ads.example/campaigns?q=shoes');

/** Returns where the issuer redirects a user who clicks the link with this name. */
async function choose(address: string, name: string): Promise<URL> {
  const page = await (await fetch(address)).text();
  const [, back = ''] = new RegExp(`href="([^"]*)">${name}<`).exec(page) ?? [];
  return new URL(back.replaceAll('&amp;', '&'));
}

test('returns a signed-in user to the requested page with their own token', async () => {
  const kept = storage();
  const address = await startSignIn(issuer.settings, PAGE, kept);
  const { searchParams } = new URL(address);
  expect(Object.fromEntries(searchParams)).toMatchObject({
    response_type: 'code',
    client_id: 'desk',
    redirect_uri: 'https://ads.example/signed-in',
    audience: 'ads',
    code_challenge_method: 'S256',
  });
  const now = await finishSignIn(issuer.settings, await choose(address, 'Ada'), kept);
  expect(now).toMatchObject({ user: 'ada@shop.example', returnTo: '/campaigns?q=shoes' });
  expect(issuer.getSubject(now.token)).toBe('alice');
  expect(now.expiresAt).toBeGreaterThan(Date.now());
  // PKCE proves that this page sent the request: only it has the verifier.
  const verifier = issuer.asked.at(-1)!.get('code_verifier')!;
  expect(createHash('sha256').update(verifier).digest('base64url')).toBe(searchParams.get('code_challenge'));
});

test("rejects a response to another page's request, and accepts no response twice", async () => {
  const kept = storage();
  const address = await startSignIn(issuer.settings, PAGE, kept);
  const before = issuer.asked.length;
  await expect(finishSignIn(issuer.settings, await choose(address, 'Somebody else’s question'), kept)).rejects.toThrow(
    'state',
  );
  await expect(finishSignIn(issuer.settings, await choose(address, 'Ada'), kept)).rejects.toThrow();
  expect(issuer.asked).toHaveLength(before);
});
