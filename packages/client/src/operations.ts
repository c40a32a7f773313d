import type * as z from 'zod';
import type { endpoints } from '../../../shared/http/operations/endpoints.ts';
import type { Inputs } from '../../../shared/http/operations/inputs.ts';
import type { Answering as Name, responses } from '../../../shared/http/operations/responses.ts';
import type { EventType } from '../../../shared/webhooks/events/types.ts';

/**
 * Every operation by its method and path, derived from the service's own tables. The build writes the type out (tools/packages),
 * because the published package contains neither those tables nor their schemas.
 */
export type Operations = { [R in Routes]: OperationTypes<NameOf<R>, R> };

/** The type of a webhook event. */
export type WebhookEventType = EventType;

type Rows = typeof endpoints;
type RouteOf<N extends Name> = `${Rows[N]['methods'][number]} ${Rows[N]['path']}`;
type Routes = { [N in Name]: RouteOf<N> }[Name];
type NameOf<R extends Routes> = { [N in Name]: R extends RouteOf<N> ? N : never }[Name];
type PathOf<R extends Routes> = R extends `${string} ${infer Path}` ? Path : never;

type OperationTypes<N extends Name, R extends Routes> = {
  input: Params<PathOf<R>> & Query<InputOf<N>> & Body<InputOf<N>, Rows[N]['methods'][number]>;
  result: R extends `HEAD ${string}`
    ? undefined
    : (typeof responses)[N] extends { body: infer S extends z.ZodType }
      ? z.output<S>
      : undefined;
};

type Variables<Path extends string> = Path extends `${string}{${infer First}}${infer Rest}`
  ? First | Variables<Rest>
  : never;
type Params<Path extends string> = [Variables<Path>] extends [never]
  ? unknown
  : { params: Record<Variables<Path>, string> };
type InputOf<N extends Name> = N extends keyof Inputs ? Inputs[N] : unknown;
/** The body is optional if all of its fields are, except for PATCH: an update without a body would change nothing. */
type Body<In, Method> = In extends { body: infer S extends z.ZodType }
  ? Method extends 'PATCH'
    ? { body: z.input<S> }
    : object extends z.input<S>
      ? { body?: z.input<S> }
      : { body: z.input<S> }
  : unknown;
type Query<In> = In extends { query: infer S extends z.ZodType }
  ? { query?: { [K in keyof z.input<S>]?: z.input<S>[K] | number } }
  : unknown;
