/** Labels of a key's fields, by their name in the API. */
export const KEY_LABELS = {
  name: 'Name',
  publicName: 'Public name',
  bidFloor: 'Bid floor (USD)',
  blockedDomains: 'Blocked domains',
  blockedCategories: 'Blocked categories',
  turnSpacing: 'Messages between ads',
  adsPerConversation: 'Ads per conversation',
};
