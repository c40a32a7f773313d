import type { KeySettings } from '../api-keys/setting-fields.ts';
import type { KnownConversation } from '../conversations/store.ts';

interface BidReads {
  settingsOf(keyId: string): Promise<KeySettings>;
  places: { readAhead(keyId: string, conversationId: string | undefined): Promise<KnownConversation | undefined> };
  catalog: { refresh(): Promise<unknown> };
}

/** What every way to bid reads beside its key's own write. @param idIn finds the id of a conversation in a body that nothing is known of yet */
export const bidReader =
  ({ settingsOf, places, catalog }: BidReads, idIn: (json: unknown) => string | undefined) =>
  async (keyId: string, readBody: () => Promise<unknown>) => {
    const ahead = readBody().then((json) => places.readAhead(keyId, idIn(json)));
    const [settings, conversation] = await Promise.all([settingsOf(keyId), ahead, catalog.refresh()]);
    return { settings, conversation };
  };
