import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import type * as z from 'zod';
import type { ApiKey } from '../api-keys/store.ts';
import type { EndpointName, endpoints } from '../operations/endpoints.ts';
import type { Answer } from './response.ts';

type Rows = typeof endpoints;
type Valid<N extends EndpointName, Part extends string> = Rows[N] extends { [P in Part]: infer S extends z.ZodType }
  ? z.output<S>
  : undefined;
type Holder<N extends EndpointName> = Rows[N]['credential'] extends 'user'
  ? { user: string }
  : Rows[N]['credential'] extends 'none'
    ? unknown
    : { key: ApiKey };

/** A request as a function sees it: its caller known, its rate counted, its body valid. */
export type OperationRequest<N extends EndpointName, M> = Holder<N> & {
  body: Valid<N, 'body'>;
  query: Valid<N, 'query'>;
  params: Record<string, string>;
  method: string;
  path: string;
  header(name: string): string | undefined;
  /** The caller's address, cut. */
  ip: string;
  requestId: string;
  /** Whether X-Debug asks for an explanation. */
  wantsDebug: boolean;
  /** What `preloaded` brought. */
  preloaded: M;
};

/** What a function makes of the outside world. */
export interface Operation<N extends EndpointName, M> {
  /** What may begin while the caller is being authenticated. */
  preload?(params: Record<string, string>): Promise<M>;
  act(request: OperationRequest<N, M>): Promise<Answer> | Answer;
  /** What is answered when the row's deadline passes; 503 unless told. */
  onTimeout?(): Answer;
}

export type HttpHandler = (
  event: APIGatewayProxyEventV2,
  context?: Context,
) => Promise<APIGatewayProxyStructuredResultV2>;
