import { CfnOutput } from 'aws-cdk-lib';
import { ApiMapping, DomainName, type HttpApi, type IStage, SecurityPolicy } from 'aws-cdk-lib/aws-apigatewayv2';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import type { Construct } from 'constructs';
import type { Settings } from './settings.ts';

/** The API under a name of the operator's, who points a DNS record at the target that the stack prints. */
export function addDomain(
  scope: Construct,
  api: HttpApi,
  stage: IStage,
  { name, certificate }: NonNullable<Settings['domain']>,
): void {
  const domainName = new DomainName(scope, 'domain', {
    domainName: name,
    certificate: Certificate.fromCertificateArn(scope, 'certificate', certificate),
    securityPolicy: SecurityPolicy.TLS_1_2,
  });
  new ApiMapping(scope, 'domain-mapping', { api, domainName, stage });
  new CfnOutput(scope, 'domainTarget', {
    value: domainName.regionalDomainName,
    description: `Where the DNS record of ${name} must point (CNAME or alias)`,
  });
}
