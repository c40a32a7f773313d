const toStorageKey = (user: string): string => `chat-key:${user}`;

/** The key that a user made for the chat. Stored for this tab only, and separately for each user. */
export const loadKey = (user: string): string | null => sessionStorage.getItem(toStorageKey(user));
export const keepKey = (user: string, key: string): void => sessionStorage.setItem(toStorageKey(user), key);
export const forgetKey = (user: string): void => sessionStorage.removeItem(toStorageKey(user));
