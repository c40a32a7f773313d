import type { SignedIn } from './sign-in.ts';

const TOKEN = 'token';

/** Stored for this tab only, until it is closed. */
export const loadToken = (): SignedIn | null => JSON.parse(sessionStorage.getItem(TOKEN) ?? 'null');
export const keepToken = (token: SignedIn): void => sessionStorage.setItem(TOKEN, JSON.stringify(token));
/** The next load of the page signs in again. */
export const forgetToken = (): void => sessionStorage.removeItem(TOKEN);
