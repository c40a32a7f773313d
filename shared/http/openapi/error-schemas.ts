const details = {
  type: 'array',
  items: {
    type: 'object',
    properties: { path: { type: 'string' }, message: { type: 'string' } },
    required: ['path', 'message'],
  },
  description: 'Each bad field; of a 401 the header that is wanted, where no credential came',
};

const error = (order: readonly string[]) => ({
  type: 'object',
  properties: {
    ...Object.fromEntries(order.map((name) => [name, { type: name === 'statusCode' ? 'integer' : 'string' }])),
    details,
  },
  required: order,
});

/** The two shapes of a refusal (api 1.2); `details` comes with a 400, and with a 401 when no credential came. */
export const errorSchemas = {
  Error: error(['error', 'message', 'statusCode']),
  SspError: error(['statusCode', 'message', 'error']),
};
