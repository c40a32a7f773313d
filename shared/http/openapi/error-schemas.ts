const details = {
  type: 'array',
  items: {
    type: 'object',
    properties: {
      path: { type: 'string', description: 'The field, such as creative.headline; or the header that is wanted' },
      message: { type: 'string', description: 'What is wrong, and what would be right' },
    },
    required: ['path', 'message'],
  },
  description: 'Each bad field; of a 401 the header that is wanted, where no credential came',
};

const MEMBERS = {
  error: { type: 'string', description: 'What kind of refusal it is' },
  message: { type: 'string', description: 'What is wrong' },
  statusCode: { type: 'integer', description: 'The status of the answer', minimum: 400, maximum: 599 },
};

const error = (order: readonly (keyof typeof MEMBERS)[]) => ({
  type: 'object',
  properties: {
    ...Object.fromEntries(order.map((name) => [name, MEMBERS[name]])),
    details,
  },
  required: order,
});

/** What Trusted Match has in their place. */
const trustedMatchErrorSchema = {
  type: 'object',
  properties: {
    type: { type: 'string', const: 'error', description: 'The message' },
    request_id: { type: 'string', description: 'Of the request; empty where it could not be read' },
    code: {
      type: 'string',
      enum: ['invalid_request', 'rate_limited', 'provider_unavailable', 'internal_error'],
      description: 'What kind of refusal it is',
    },
    message: MEMBERS.message,
    details,
  },
  required: ['type', 'request_id', 'code', 'message'],
};

/** The shapes of a refusal (api 1.2); `details` comes with a 400, and with a 401 when no credential came. */
export const errorSchemas = {
  Error: error(['error', 'message', 'statusCode']),
  SspError: error(['statusCode', 'message', 'error']),
  TrustedMatchError: trustedMatchErrorSchema,
};
