import type { Endpoint } from '../operations/rows.ts';

/** The ways to say who one is (api 1.3). */
export const SECURITY = {
  apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: "A publisher's key" },
  bearer: { type: 'http', scheme: 'bearer', description: "A publisher's key; legacy ad serving only" },
  apiKeyQuery: {
    type: 'apiKey',
    in: 'query',
    name: 'api_key',
    description: "A publisher's key; legacy ad serving only",
  },
  userId: { type: 'apiKey', in: 'header', name: 'x-user-id', description: 'Who manages' },
} as const;

type Requirement = { readonly [S in keyof typeof SECURITY]?: readonly [] };

/** Any one of the requirements is enough. */
export const securityOf = ({ credential }: Endpoint): readonly Requirement[] => WAYS[credential];

const WAYS: Readonly<Record<Endpoint['credential'], readonly Requirement[]>> = {
  key: [{ apiKey: [] }],
  'any-key': [{ bearer: [] }, { apiKey: [] }, { apiKeyQuery: [] }],
  owner: [{ userId: [] }],
  none: [],
};
