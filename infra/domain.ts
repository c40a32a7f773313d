import { Aws, CfnOutput } from 'aws-cdk-lib';
import {
  ApiMapping,
  DomainName,
  type HttpApi,
  IpAddressType,
  type IStage,
  SecurityPolicy,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  AaaaRecord,
  ARecord,
  HealthCheck,
  HealthCheckType,
  HostedZone,
  type IHealthCheck,
  RecordTarget,
} from 'aws-cdk-lib/aws-route53';
import { ApiGatewayv2DomainProperties } from 'aws-cdk-lib/aws-route53-targets';
import type { Construct } from 'constructs';
import { endpointRow } from '../shared/http/operations/endpoints.ts';
import type { DomainSettings } from './settings.ts';

/**
 * Serves the API under the operator's domain names. With a hosted zone, the DNS records are created too; otherwise the operator points
 * a record at the target that the stack outputs.
 */
export function addDomain(
  scope: Construct,
  api: HttpApi,
  stage: IStage,
  { name, sharedName, certificate: arn, hostedZone }: DomainSettings,
): void {
  const certificate = Certificate.fromCertificateArn(scope, 'certificate', arn);

  /** @param id must not change between deployments: a new id would create a domain name that already exists */
  function serve(id: string, domainName: string): DomainName {
    const domain = new DomainName(scope, id, {
      domainName,
      certificate,
      securityPolicy: SecurityPolicy.TLS_1_2,
      ...(hostedZone && { ipAddressType: IpAddressType.DUAL_STACK }), // AAAA records need dual stack
    });
    new ApiMapping(scope, `${id}-mapping`, { api, domainName: domain, stage });
    return domain;
  }

  const domain = serve('domain', sharedName ?? name);
  if (!hostedZone) {
    new CfnOutput(scope, 'domainTarget', {
      value: domain.regionalDomainName,
      description: `Point the DNS record of ${name} here (CNAME or alias)`,
    });
  } else if (sharedName) {
    addRecords(scope, 'region-domain', name, serve('region-domain', name), hostedZone);
    addRecords(scope, 'domain', sharedName, domain, hostedZone, checkHealth(scope, name));
    new CfnOutput(scope, 'sharedAddress', {
      value: `https://${sharedName}`,
      description: 'The shared URL of all regions: DNS resolves it to the nearest healthy region',
    });
  } else {
    addRecords(scope, 'domain', name, domain, hostedZone);
  }
}

/**
 * Latency records: DNS resolves the name to the nearest healthy region. A single-region name gets them too: they cannot coexist with simple
 * records, so a second region could not be added later.
 */
function addRecords(
  scope: Construct,
  id: string,
  name: string,
  domain: DomainName,
  hostedZone: string,
  healthCheck?: IHealthCheck,
): void {
  const zone = HostedZone.fromHostedZoneId(scope, `${id}-zone`, hostedZone);
  const alias = new ApiGatewayv2DomainProperties(domain.regionalDomainName, domain.regionalHostedZoneId);
  const record = {
    zone,
    recordName: `${name}.`, // fully qualified, because the name of the zone is unknown here
    target: RecordTarget.fromAlias(alias),
    region: Aws.REGION,
    setIdentifier: Aws.REGION,
    healthCheck,
  };
  new ARecord(scope, `${id}-a`, record);
  new AaaaRecord(scope, `${id}-aaaa`, record);
}

/** Checks the region's own name: any region could respond under the shared name. */
const checkHealth = (scope: Construct, name: string): HealthCheck =>
  new HealthCheck(scope, 'health-check', {
    type: HealthCheckType.HTTPS,
    fqdn: name,
    resourcePath: endpointRow('health').path!,
  });
