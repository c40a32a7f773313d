import { example } from '../events/fixture.ts';
import { createApp, pathOf } from '../shared/http/app.ts';
import answers from '../shared/http/openapi/answers.json' with { type: 'json' };
import { openApiDocument } from '../shared/http/openapi/document.ts';
import type { Effects } from '../shared/platform/effects.ts';

/** Describes the service in OpenAPI 3.1. The document is made at the first request. */
export default (effects: Effects) => {
  let document: object | undefined;

  return createApp('openapi', effects).get(pathOf('openapi'), (c) => {
    document ??= openApiDocument(effects.config.baseUrl, { request: example, answers });
    return c.json(document);
  });
};
