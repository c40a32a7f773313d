import { expect, test } from 'vitest';
import { CHOICES, type Resource, regionsOf, resourcesOf, templateOf } from './template.ts';

const records = (template: ReturnType<typeof templateOf>) =>
  resourcesOf(template, 'AWS::Route53::RecordSet').map(({ Properties }) => Properties);
const here = { Ref: 'AWS::Region' };

test('ads link to the domain, which is the only endpoint', () => {
  const template = templateOf(CHOICES.jwt);
  const [{ Properties }, ...others] = resourcesOf(template, 'AWS::ApiGatewayV2::DomainName') as [Resource];
  expect(others).toEqual([]);
  expect(Properties).toEqual({
    DomainName: 'ads.example.com',
    DomainNameConfigurations: [
      {
        CertificateArn: CHOICES.jwt.certificates,
        EndpointType: 'REGIONAL',
        IpAddressType: 'dualstack', // otherwise AAAA records do not resolve
        SecurityPolicy: 'TLS_1_2',
      },
    ],
  });
  template.hasResourceProperties('AWS::ApiGatewayV2::Api', { DisableExecuteApiEndpoint: true });
  template.hasOutput('address', { Value: 'https://ads.example.com' });
});

test('without a hosted zone, an output says where DNS must point', () => {
  const template = templateOf(CHOICES.openai);
  expect(records(template)).toEqual([]);
  const { id } = resourcesOf(template, 'AWS::ApiGatewayV2::DomainName')[0]!;
  template.hasOutput('domainTarget', { Value: { 'Fn::GetAtt': [id, 'RegionalDomainName'] } });
});

test('in a hosted zone, one region gets records to which another region can be added', () => {
  const template = templateOf(CHOICES.jwt);
  const { id } = resourcesOf(template, 'AWS::ApiGatewayV2::DomainName')[0]!;
  const record = {
    HostedZoneId: 'Z0123456789',
    Name: 'ads.example.com.',
    Region: here,
    SetIdentifier: here,
    AliasTarget: {
      DNSName: { 'Fn::GetAtt': [id, 'RegionalDomainName'] },
      HostedZoneId: { 'Fn::GetAtt': [id, 'RegionalHostedZoneId'] },
    },
  };
  expect(records(template)).toEqual([
    { ...record, Type: 'A' },
    { ...record, Type: 'AAAA' },
  ]);
  template.resourceCountIs('AWS::Route53::HealthCheck', 0);
});

test('DNS resolves the shared name to the nearest healthy region', () => {
  for (const [at, { template }] of regionsOf(CHOICES.regions).entries()) {
    const own = `${['eu-west-1', 'us-east-1'][at]}.ads.example.com`;
    const [check, ...others] = resourcesOf(template, 'AWS::Route53::HealthCheck');
    expect(others).toEqual([]);
    expect(check!.Properties.HealthCheckConfig).toEqual({
      Type: 'HTTPS',
      FullyQualifiedDomainName: own,
      ResourcePath: '/api/v1/health',
      EnableSNI: true,
      Port: 443,
      RequestInterval: 30,
      FailureThreshold: 3,
      Inverted: false,
      MeasureLatency: false,
    });
    const routed = { Region: here, SetIdentifier: here, HostedZoneId: 'Z0123456789' };
    const shared = { ...routed, Name: 'ads.example.com.', HealthCheckId: { Ref: check!.id } };
    for (const Type of ['A', 'AAAA']) {
      template.hasResourceProperties('AWS::Route53::RecordSet', { ...shared, Type });
      template.hasResourceProperties('AWS::Route53::RecordSet', { ...routed, Name: `${own}.`, Type });
    }
    expect(records(template)).toHaveLength(4);
    expect(records(template).filter(({ HealthCheckId }) => HealthCheckId)).toHaveLength(2);
    template.hasOutput('address', { Value: `https://${own}` });
    template.hasOutput('sharedAddress', { Value: 'https://ads.example.com' });
  }
});

test('each region serves both names, and its ads link to its own, because only it has its bids', () => {
  const { template } = regionsOf(CHOICES.regions)[0]!;
  const domains = resourcesOf(template, 'AWS::ApiGatewayV2::DomainName');
  expect(domains.map(({ Properties }) => Properties.DomainName).sort()).toEqual([
    'ads.example.com',
    'eu-west-1.ads.example.com',
  ]);
  for (const { Properties } of domains) {
    expect(Properties.DomainNameConfigurations).toEqual([
      expect.objectContaining({
        CertificateArn: 'arn:aws:acm:eu-west-1:123456789012:certificate/abc',
        SecurityPolicy: 'TLS_1_2',
      }),
    ]);
  }
  const [api] = resourcesOf(template, 'AWS::ApiGatewayV2::Api');
  const mapped = resourcesOf(template, 'AWS::ApiGatewayV2::ApiMapping').map(({ Properties }) => Properties);
  expect(mapped).toHaveLength(domains.length);
  for (const { id } of domains)
    expect(mapped).toContainEqual({ DomainName: { Ref: id }, ApiId: { Ref: api!.id }, Stage: '$default' });
  for (const { Properties } of resourcesOf(template, 'AWS::Lambda::Function')) {
    if (!Properties.Environment?.Variables.TABLE_PREFIX) continue;
    expect(Properties.Environment.Variables.BASE_URL).toBe('https://eu-west-1.ads.example.com');
  }
});

test('a second region does not change the domain and records of the first', () => {
  const idsOf = (template: ReturnType<typeof templateOf>, name: string) =>
    Object.entries<{ Properties?: { DomainName?: unknown; Name?: unknown } }>(template.toJSON().Resources)
      .filter(([, { Properties }]) => Properties?.DomainName === name || Properties?.Name === `${name}.`)
      .map(([id]) => id);
  const [one, [several]] = [templateOf(CHOICES.jwt), regionsOf(CHOICES.regions)];
  const ids = idsOf(one, 'ads.example.com');
  expect(ids).toHaveLength(3);
  expect(idsOf(several!.template, 'ads.example.com')).toEqual(ids);
});
