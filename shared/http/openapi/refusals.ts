import * as z from 'zod';
import {
  type ApiError,
  conflict,
  invalid,
  invalidKey,
  limited,
  noAds,
  notFound,
  notJson,
  ownerRequired,
  somethingWentWrong,
  tooLarge,
  unavailable,
  unsupportedCoding,
  usedKey,
  usedKeyElsewhere,
} from '../errors.ts';
import { explainMissingKey, explainMissingLegacyKey, explainMissingOwner } from '../missing-credential.ts';
import type { OperationInput } from '../operations/inputs.ts';
import { type Answering, getResponses } from '../operations/responses.ts';
import type { Endpoint } from '../operations/rows.ts';

/** A request without a credential. Its error is the example of a 401. */
const nothing = () => ({ headers: { get: () => null }, url: 'https://localhost' });

/** The errors that an operation can send according to its row, created by the same functions as in the handlers. */
export function listRefusals(name: Answering, row: Endpoint & OperationInput): ApiError[] {
  const { area, credential, limit } = row;
  const { notFound: absent = [], conflict: conflicts = [], unfilled } = getResponses(name);
  return [
    ...(row.body || (row.query && mayBeRefused(row.query))
      ? [invalid(area, [{ path: 'the.field', message: 'What is wrong with the field, and which values are valid' }])]
      : []),
    ...(credential === 'key' ? [invalidKey(explainMissingKey(nothing()))] : []),
    ...(credential === 'any-key' ? [invalidKey(explainMissingLegacyKey(nothing()))] : []),
    ...(credential === 'owner' ? [ownerRequired(explainMissingOwner(nothing()))] : []),
    ...absent.map((message) => notFound(area, message)),
    ...conflicts.map((message) => conflict(message)),
    ...(row.idempotent ? [usedKey()] : []),
    ...(row.idempotent && row.path?.includes('{') ? [usedKeyElsewhere()] : []),
    ...(row.body ? [tooLarge(), notJson(), unsupportedCoding()] : []),
    ...(limit ? [limited(area, {})] : []),
    somethingWentWrong(),
    ...(unfilled ? [noAds({})] : []),
    unavailable(),
  ];
}

/** Whether a query can be invalid. The queries that exchanges fill in accept any value. */
const mayBeRefused = (query: z.ZodType): boolean =>
  !(query instanceof z.ZodObject) ||
  !query.safeParse(Object.fromEntries(Object.keys(query.shape).map((name) => [name, ['', '']]))).success;

const detail = {
  type: 'object',
  properties: {
    path: { type: 'string', description: 'The invalid field, such as creative.headline, or the missing header' },
    message: { type: 'string', description: 'What is wrong, and which values are valid' },
  },
  required: ['path', 'message'],
};

const details = {
  type: 'array',
  items: { $ref: '#/components/schemas/ErrorDetail' },
  description: 'Each invalid field. With a 401 for a missing credential, the required header',
};

const MEMBERS = {
  error: { type: 'string', description: 'Kind of error' },
  message: { type: 'string', description: 'Description of the error' },
  statusCode: { type: 'integer', description: 'HTTP status of the response', minimum: 400, maximum: 599 },
};

const error = (order: readonly (keyof typeof MEMBERS)[]) => ({
  type: 'object',
  properties: {
    ...Object.fromEntries(order.map((name) => [name, MEMBERS[name]])),
    details,
  },
  required: order,
});

const trustedMatchErrorSchema = {
  type: 'object',
  properties: {
    type: { type: 'string', const: 'error', description: 'Message type' },
    request_id: { type: 'string', description: 'Copied from the request; empty if it could not be read' },
    code: {
      type: 'string',
      enum: ['invalid_request', 'rate_limited', 'provider_unavailable', 'internal_error'],
      description: 'Kind of error',
    },
    message: MEMBERS.message,
    details,
  },
  required: ['type', 'request_id', 'code', 'message'],
};

/** An error of the gateway itself, in its own shape. */
const gatewayErrorSchema = {
  type: 'object',
  properties: { message: { type: 'string', description: 'Message of the gateway' } },
  required: ['message'],
};

/** The shapes of an error (api 1.2). Only a 400, or a 401 without a credential, has `details`. */
export const errorSchemas = {
  ServiceError: error(['error', 'message', 'statusCode']),
  SspError: error(['statusCode', 'message', 'error']),
  TrustedMatchError: trustedMatchErrorSchema,
  ErrorDetail: detail,
  GatewayError: gatewayErrorSchema,
};
