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
 * The API under names of the operator's. Where a hosted zone is given, its records are created with it; elsewhere the operator points
 * one at the target that the stack prints.
 */
export function addDomain(
  scope: Construct,
  api: HttpApi,
  stage: IStage,
  { name, sharedName, certificate: arn, hostedZone }: DomainSettings,
): void {
  const certificate = Certificate.fromCertificateArn(scope, 'certificate', arn);

  /** @param id keeps its name from one deployment to the next: another id would meet a domain that is there already */
  function serve(id: string, domainName: string): DomainName {
    const domain = new DomainName(scope, id, {
      domainName,
      certificate,
      securityPolicy: SecurityPolicy.TLS_1_2,
      ...(hostedZone && { ipAddressType: IpAddressType.DUAL_STACK }), // an AAAA record leads nowhere otherwise
    });
    new ApiMapping(scope, `${id}-mapping`, { api, domainName: domain, stage });
    return domain;
  }

  const domain = serve('domain', sharedName ?? name);
  if (!hostedZone) {
    new CfnOutput(scope, 'domainTarget', {
      value: domain.regionalDomainName,
      description: `Where the DNS record of ${name} must point (CNAME or alias)`,
    });
  } else if (sharedName) {
    addRecords(scope, 'region-domain', name, serve('region-domain', name), hostedZone);
    addRecords(scope, 'domain', sharedName, domain, hostedZone, checkHealth(scope, name));
    new CfnOutput(scope, 'sharedAddress', {
      value: `https://${sharedName}`,
      description: 'The name of all regions, which leads to the nearest healthy one',
    });
  } else {
    addRecords(scope, 'domain', name, domain, hostedZone);
  }
}

/**
 * DNS leads callers to this region where it is the nearest of all that have a record of this name and are healthy. A name of one
 * region has such records too, so that another region can be added to it: DNS takes no others beside them.
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
    recordName: `${name}.`, // whole, so that the name of the zone need not be known
    target: RecordTarget.fromAlias(alias),
    region: Aws.REGION,
    setIdentifier: Aws.REGION,
    healthCheck,
  };
  new ARecord(scope, `${id}-a`, record);
  new AaaaRecord(scope, `${id}-aaaa`, record);
}

/** Asks this region under its own name: under the shared one any region could answer. */
const checkHealth = (scope: Construct, name: string): HealthCheck =>
  new HealthCheck(scope, 'health-check', {
    type: HealthCheckType.HTTPS,
    fqdn: name,
    resourcePath: endpointRow('health').path!,
  });
