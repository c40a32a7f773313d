import { App, Validations } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { AwsSolutionsChecks } from 'cdk-nag';
import { bundle, bundleFolder } from './bundle.ts';
import { CONTEXT_KEYS, readSettings, SettingsError } from './settings.ts';
import { bundleSite } from './site/bundle.ts';
import { AdsStack } from './stack.ts';

/** One stack for each region that is asked for; what `cdk synth` and `cdk deploy` run. */
async function synthesize(): Promise<void> {
  const app = new App();
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  const context = Object.fromEntries(CONTEXT_KEYS.map((key) => [key, app.node.tryGetContext(key)]));
  const regions = readSettings(context);
  await bundle();
  const shown = regions.find(({ site }) => site);
  const siteFolder = shown ? await bundleSite(shown.signIn) : '';
  for (const settings of regions) {
    const stackName = `conversation-ads-${settings.stage}`;
    new AdsStack(app, settings.region ? `${stackName}-${settings.region}` : stackName, {
      stackName,
      description: `The conversation ad service, ${settings.stage}`,
      env: { region: settings.region },
      settings,
      codeOf: (name) => Code.fromAsset(name === 'site' ? siteFolder : bundleFolder(name)),
    });
  }
}

synthesize().catch((error: Error) => {
  console.error(error instanceof SettingsError ? error.message : error);
  process.exitCode = 1;
});
