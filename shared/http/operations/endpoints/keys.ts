import type { Endpoint } from '../rows.ts';
import { MANAGEMENT } from '../rows.ts';

const KEYS = '/api/v1/auth/api-keys';

/** Omits `isActive`, and `key` on create: callers may mean to set them, and must learn that they were ignored. */
const KEY_READ_ONLY = ['id', 'createdAt', 'lastUsedAt', 'requestCount', 'oldKeyUntil', 'oldKeysUntil'];

/** Publishers' keys. */
export const keyEndpoints = {
  'api-keys/create': {
    ...MANAGEMENT,
    methods: ['POST'],
    path: KEYS,
    readOnly: KEY_READ_ONLY,
    idempotent: true,
    tables: { 'api-keys': ['put', 'get'], 'key-settings': ['put', 'get'], activity: ['put'] },
    summary: 'Create an API key; its secret is shown once',
  },
  'api-keys/list': {
    ...MANAGEMENT,
    methods: ['GET'],
    path: KEYS,
    tables: { 'api-keys': ['query', 'getAll'], 'key-settings': ['getAll'], 'key-days': ['query'] },
    summary: 'List masked API keys with their figures',
  },
  'api-keys/get': {
    ...MANAGEMENT,
    methods: ['GET'],
    path: `${KEYS}/{id}`,
    tables: { 'api-keys': ['get'], 'key-settings': ['get'], 'key-days': ['query'] },
    summary: 'Get a masked API key',
  },
  'api-keys/update': {
    ...MANAGEMENT,
    methods: ['PATCH'],
    path: `${KEYS}/{id}`,
    readOnly: [...KEY_READ_ONLY, 'key', 'report'],
    tables: { 'api-keys': ['get', 'update'], 'key-settings': ['get', 'update'], activity: ['put'] },
    summary: 'Change an API key and its settings',
  },
  'api-keys/delete': {
    ...MANAGEMENT,
    methods: ['DELETE'],
    path: `${KEYS}/{id}`,
    tables: {
      'api-keys': ['get', 'remove'],
      'key-settings': ['get', 'remove'],
      'key-days': ['put', 'update'],
      activity: ['put'],
    },
    summary: 'Delete an API key permanently',
  },
  'api-keys/toggle': {
    ...MANAGEMENT,
    methods: ['PATCH'],
    path: `${KEYS}/{id}/toggle`,
    tables: { 'api-keys': ['get', 'update'], 'key-settings': ['get'], activity: ['put'] },
    summary: 'Activate or deactivate an API key',
  },
  'api-keys/rotate': {
    ...MANAGEMENT,
    methods: ['POST'],
    path: `${KEYS}/{id}/rotate`,
    idempotent: true,
    tables: { 'api-keys': ['get', 'update'], 'key-settings': ['get'], activity: ['put'] },
    summary: 'Rotate the secret of an API key; the old one works for 24 hours',
  },
  'api-keys/report': {
    ...MANAGEMENT,
    methods: ['GET'],
    path: `${KEYS}/{id}/report`,
    tables: { 'api-keys': ['get'], 'key-settings': ['get'], 'key-days': ['query'] },
    summary: 'Get the daily report of an API key, also by country, advertiser domain, or variant',
  },
} as const satisfies Record<string, Endpoint>;
