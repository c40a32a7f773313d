import { example } from '../events/fixture.ts';
import { endpoint } from '../shared/http/endpoint.ts';
import answers from '../shared/http/openapi/answers.json' with { type: 'json' };
import { openApiDocument } from '../shared/http/openapi/document.ts';
import { ok } from '../shared/http/response.ts';

/** Describes the service in OpenAPI 3.1; made once, when it is first asked for. */
export default endpoint('openapi', ({ config }) => {
  let document: object | undefined;

  return {
    act() {
      document ??= openApiDocument(config.baseUrl, { request: example, answers });
      return ok(document);
    },
  };
});
