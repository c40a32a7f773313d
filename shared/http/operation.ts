import type * as z from 'zod';
import type { ApiKey } from '../api-keys/api-key.ts';
import type { EndpointName, endpoints } from '../operations/endpoints.ts';
import type { Inputs, OperationInput } from '../operations/inputs.ts';
import type { NoBidReason } from '../values/outcomes.ts';
import type { Verified } from './owner.ts';
import type { Answer } from './response.ts';

type Rows = typeof endpoints;
type Valid<N extends EndpointName, Part extends keyof OperationInput> = Inputs extends {
  [Name in N]: { [P in Part]: infer S extends z.ZodType };
}
  ? z.output<S>
  : undefined;
type Holder<N extends EndpointName> = Rows[N]['credential'] extends 'owner'
  ? { owner: string }
  : Rows[N]['credential'] extends 'none'
    ? unknown
    : { key: ApiKey; noBid: NoBid };

/** `{ id: string }` for the path `/webhooks/{id}`: the variables that a row's path names. */
type PathParams<Path> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { [P in Name]: string } & PathParams<Rest>
  : unknown;

/** Takes note that so many of the ads that were asked for, one unless told, had no bid, for the operators' graphs and the key's report. */
export type NoBid = (reason: NoBidReason, asked?: number) => void;

/** A request as a function sees it: its caller known, its rate counted, its body valid. */
type OperationRequest<N extends EndpointName, M> = Holder<N> & {
  body: Valid<N, 'body'>;
  query: Valid<N, 'query'>;
  params: PathParams<Rows[N]['path']>;
  method: string;
  path: string;
  header(name: string): string | undefined;
  /** The caller's address, cut. */
  ip: string;
  requestId: string;
  /** When it came, in epoch milliseconds. */
  startedAt: number;
  /** When its answer has to leave, in epoch milliseconds; Infinity where nothing says so. */
  leavesAt: number;
  /** Whether X-Debug asks for an explanation. */
  wantsDebug: boolean;
  /** What `preload` brought. */
  preloaded: M;
};

/** How much a body takes or asks for, whatever is in it; a number where the body has no say. */
export type RequestCount = number | ((json: unknown) => number);

/** What a function makes of the outside world. */
export interface Operation<N extends EndpointName, M> extends OperationInput {
  /** What may begin while the caller is being authenticated, who may be nobody yet: `keyId` is the key that the request names. */
  preload?(params: PathParams<Rows[N]['path']>, keyId: string, readBody: () => Promise<unknown>): Promise<M>;
  /** How much of its limit a request takes; one unless told. */
  limitCost?: RequestCount;
  /** For how many ads a request asks; none unless told. */
  adsAsked?: RequestCount;
  act(request: OperationRequest<N, M>): Promise<Answer> | Answer;
  /** When an answer has to leave by what a body says of it, in epoch milliseconds; the row's deadline holds besides. */
  leavesAt?(json: unknown, startedAt: number): number;
  /** What is answered to good input once its answer should have left; 503 unless told. @param asked for how many ads it asks */
  onTimeout?(noBid: NoBid, asked: number): Answer;
}

/** The schemas that the table of inputs has for an operation, and no others: its function hands over these very ones. */
export type Schemas<N extends EndpointName> = N extends keyof Inputs
  ? Inputs[N] & { [P in Exclude<keyof OperationInput, keyof Inputs[N]>]?: never }
  : { [P in keyof OperationInput]?: never };

/** What is known of a request besides itself, by whatever runs the operation. */
export interface RequestContext {
  requestId: string;
  /** The caller's address, whole. */
  sourceIp: string;
  /** As it came, decoded; the URL's path may be spelled otherwise. */
  path: string;
  /** The variables of the route, decoded. */
  params: Record<string, string>;
  verified: Verified;
  /** When it came, in epoch milliseconds, where something else was tried before the operation; now unless told. */
  startedAt?: number;
}

/** What an operation reads of a request; a Request is one. A runtime may hand in less: in Node the first Request loads a second HTTP client. */
export interface HttpRequest extends Pick<Request, 'method' | 'url' | 'bytes'> {
  headers: Pick<Headers, 'get'>;
}

/** What an operation answers, for its runtime to send. */
export interface HttpResponse {
  status: number;
  /** By names in lower case. */
  headers: Record<string, string>;
  body: string | null;
}

export type HttpHandler = (request: HttpRequest, context: RequestContext) => Promise<HttpResponse>;
