import { example } from '../events/fixture.ts';
import { createApp, toHonoPath } from '../shared/http/app.ts';
import answers from '../shared/http/openapi/answers.json' with { type: 'json' };
import { openApiDocument } from '../shared/http/openapi/document.ts';
import type { Effects } from '../shared/platform/effects.ts';

/** Returns the OpenAPI 3.1 document. It is built on the first request to keep cold starts short. */
export default (effects: Effects) => {
  let document: object | undefined;

  return createApp('openapi', effects).get(toHonoPath('openapi'), (c) => {
    document ??= openApiDocument(effects.config.baseUrl, { request: example, answers });
    return c.json(document);
  });
};
