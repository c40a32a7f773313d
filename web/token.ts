import type { SignedIn } from './sign-in.ts';

const TOKEN = 'token';

/** Kept for this tab alone, until it is closed. */
export const keptToken = (): SignedIn | null => JSON.parse(sessionStorage.getItem(TOKEN) ?? 'null');
export const keepToken = (token: SignedIn): void => sessionStorage.setItem(TOKEN, JSON.stringify(token));
/** Whoever loads the page next signs in. */
export const forgetToken = (): void => sessionStorage.removeItem(TOKEN);
