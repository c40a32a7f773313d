import { App, Validations } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { AwsSolutionsChecks } from 'cdk-nag';
import { bundleFolder, bundleFunctions } from './bundle.ts';
import { readSettings } from './settings.ts';
import { bundleSite } from './site/files.ts';
import { AdsStack } from './stack.ts';
import { SettingsError } from './stage-options.ts';

/** Entry point of `cdk synth` and `cdk deploy`: one stack per region of the stage. */
async function synthesize(): Promise<void> {
  const app = new App();
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  const regions = readSettings(app.node.getAllContext());
  await bundleFunctions();
  const shown = regions.find(({ site }) => site);
  const siteFolder = shown ? await bundleSite(shown.signIn) : '';
  for (const settings of regions) {
    const { stage, region } = settings;
    const stackName = `conversation-ads-${stage}`;
    new AdsStack(app, region ? `${stackName}-${region}` : stackName, {
      stackName,
      description: `The conversation ad service, stage ${stage}`,
      env: { region },
      settings,
      getCode: (name) => Code.fromAsset(name === 'site' ? siteFolder : bundleFolder(name)),
    });
  }
}

synthesize().catch((error: Error) => {
  console.error(error instanceof SettingsError ? error.message : error);
  process.exitCode = 1;
});
