import type * as z from 'zod';
import type { endpoints } from '../shared/operations/endpoints.ts';
import type { Inputs } from '../shared/operations/inputs.ts';
import type { Answering as Name, responses } from '../shared/operations/responses.ts';

/** The tables of operations as types alone: nothing of the service is loaded by who uses them. */

type Rows = typeof endpoints;
type RouteOf<N extends Name> = `${Rows[N]['methods'][number]} ${Rows[N]['path']}`;

/** An operation as its method and path: `POST /api/v1/ssp/bid`. */
export type Route = { [N in Name]: RouteOf<N> }[Name];
type NameOf<R extends Route> = { [N in Name]: R extends RouteOf<N> ? N : never }[Name];

type Variables<Path extends string> = Path extends `${string}{${infer First}}${infer Rest}`
  ? First | Variables<Rest>
  : never;
type Params<R extends Route> = [Variables<R>] extends [never] ? unknown : { params: Record<Variables<R>, string> };
type InputOf<N extends Name> = N extends keyof Inputs ? Inputs[N] : unknown;
type Body<In> = In extends { body: infer S extends z.ZodType } ? { body: z.input<S> } : unknown;
type Query<In> = In extends { query: infer S extends z.ZodType }
  ? { query?: { [K in keyof z.input<S>]?: z.input<S>[K] | number } }
  : unknown;

/** What an operation takes: the variables of its path, its query and its body. */
export type Input<R extends Route> = Params<R> & Query<InputOf<NameOf<R>>> & Body<InputOf<NameOf<R>>>;

type AnswerOf<N extends Name> = (typeof responses)[N] extends { body: infer S extends z.ZodType }
  ? z.output<S>
  : undefined;

/** What an operation answers. */
export type Result<R extends Route> = AnswerOf<NameOf<R>>;
