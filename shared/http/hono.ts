import type { Next } from 'hono';
import type { HttpResponse } from './operation.ts';

/*
 * Hono carries requests and responses from one handler to the next, and looks at a request's method and address alone. Real ones would
 * load a second HTTP client in Node at each cold start; so it is handed less, here and nowhere else.
 */

/** A request that Hono finds its way by. HEAD it would answer with a Response of its own, so every method is GET to it. */
export const forHono = (url: string): Request => ({ method: 'GET', url }) as Request;

/** An answer for Hono to carry; nothing where there is none, or another is on its way. */
export const toHono = (answer: object | Awaited<ReturnType<Next>>): Response => answer as Response;

/** What Hono has carried. */
export const fromHono = (carried: object): HttpResponse => carried as HttpResponse;
