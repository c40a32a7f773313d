import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { readSettings, type Settings } from '../../infra/settings.ts';
import { AdsStack } from '../../infra/stack.ts';

// The validation of templates takes most of the time of a synthesis; `npm run synth` does it once.
process.env.CDK_VALIDATION = 'false';

const assemblies = mkdtempSync(join(tmpdir(), 'assemblies-'));
process.on('exit', () => rmSync(assemblies, { recursive: true }));

/** An app whose output goes when this process ends. */
export const appOf = (): App =>
  new App({
    outdir: mkdtempSync(join(assemblies, 'app-')),
    treeMetadata: false,
    stackTraces: false,
    analyticsReporting: false,
  });

/** The stack of some choices, with a line of text for the code of each function: what is tested does not depend on bundles. */
export function stackOf(context: Record<string, string>, app = appOf()): AdsStack {
  const [settings] = readSettings(context) as [Settings];
  return new AdsStack(app, 'ads', { settings, codeOf: (name) => Code.fromInline(`// ${name}`) });
}

const templates = new Map<string, Template>();

/** The template of some choices, synthesised once for all the files of a process. */
export function templateOf(context: Record<string, string>): Template {
  const choices = JSON.stringify(context);
  const template = templates.get(choices) ?? Template.fromStack(stackOf(context));
  templates.set(choices, template);
  return template;
}

// biome-ignore lint/suspicious/noExplicitAny: CloudFormation as it is written, read where a test needs it.
export type Resource = { id: string; Properties: any; [attribute: string]: any };

/** The resources of a type, each with its id in the template. */
export const resourcesOf = (template: Template, type: string): Resource[] =>
  Object.entries(template.findResources(type)).map(([id, resource]) => ({ id, ...resource }) as Resource);

/** The service's own functions: all but those that a deployment brings along for itself, which have no name. */
export const functionsOf = (template: Template): Resource[] =>
  resourcesOf(template, 'AWS::Lambda::Function').filter(({ Properties }) => Properties.FunctionName);

/** The one resource of a type whose property has this value. */
export function find(template: Template, type: string, property: string, value: unknown): Resource {
  const found = resourcesOf(template, type).filter(({ Properties }) => Properties[property] === value);
  if (found.length !== 1) throw new Error(`${found.length} of ${type} have ${property} = ${value}`);
  return found[0]!;
}
