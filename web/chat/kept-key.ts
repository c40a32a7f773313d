const nameOf = (user: string): string => `chat-key:${user}`;

/** The key that a user made for the chat: kept for this tab alone, and never used by another user of it. */
export const keptKey = (user: string): string | null => sessionStorage.getItem(nameOf(user));
export const keepKey = (user: string, key: string): void => sessionStorage.setItem(nameOf(user), key);
export const forgetKey = (user: string): void => sessionStorage.removeItem(nameOf(user));
