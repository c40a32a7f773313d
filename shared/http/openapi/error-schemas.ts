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

/** The two shapes of a refusal (api 1.2); `details` comes with a 400, and with a 401 when no credential came. */
export const errorSchemas = {
  Error: error(['error', 'message', 'statusCode']),
  SspError: error(['statusCode', 'message', 'error']),
};
