/** A live key that has not been used, as the service returns it. */
export const key = {
  ...{ id: 'key_1', name: 'Mine', key: 'ak_live_…1', mode: 'live', bidFloor: 0, isActive: true, requestCount: 0 },
  ...{ judge: false, blockedDomains: [], blockedCategories: [], createdAt: '2026-11-20T09:00:00.000Z' },
  ...{ lastUsedAt: null, oldKeyUntil: null, oldKeysUntil: [] },
};

/** A webhook that has received nothing, as the service returns it. */
export const webhook = {
  ...{ id: 'wh_1', url: 'https://hooks.example/', events: ['ad.click'], description: '', status: 'active' },
  ...{ createdAt: '2026-11-20T09:00:00.000Z', lastDeliveryAt: null, lastError: null },
};
