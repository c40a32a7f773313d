import { expect, test } from 'vitest';
import { CHOICES, type Choices, find, resourcesOf, templateOf } from './template.ts';

const routesOf = (choices: Choices) =>
  resourcesOf(templateOf(choices), 'AWS::ApiGatewayV2::Route').map(({ Properties }) => Properties.RouteKey);

test('the page is deployed only when asked for, and then answers whatever no operation does', () => {
  const [without, withSite] = [routesOf(CHOICES.iam), routesOf(CHOICES.site)];
  expect(withSite.filter((route) => !without.includes(route)).sort()).toEqual([
    'GET /',
    'GET /api/{proxy+}',
    'GET /{proxy+}',
  ]);
  expect(without.filter((route) => !withSite.includes(route))).toEqual([]);
});

test('what is asked of the API is answered as it is without the page', () => {
  const template = templateOf(CHOICES.site);
  const targetOf = (key: string) => find(template, 'AWS::ApiGatewayV2::Route', 'RouteKey', key).Properties.Target;
  const functionOf = (key: string) => {
    const integration = resourcesOf(template, 'AWS::ApiGatewayV2::Integration').find(({ id }) =>
      JSON.stringify(targetOf(key)).includes(`"${id}"`),
    )!;
    return JSON.stringify(integration.Properties.IntegrationUri);
  };
  expect(functionOf('GET /api/{proxy+}')).toBe(functionOf('$default'));
  expect(functionOf('GET /{proxy+}')).toBe(functionOf('GET /'));
  expect(functionOf('GET /{proxy+}')).not.toBe(functionOf('$default'));
});
