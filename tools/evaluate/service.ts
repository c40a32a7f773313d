import { StartError } from '../../infra/local/command.ts';
import { createLocalEffects } from '../../infra/local/effects.ts';
import { createGateway, listen } from '../../infra/local/gateway.ts';
import { startStack } from '../../infra/local/stack.ts';
import { ConfigError, readConfig } from '../../shared/platform/config.ts';
import { patientClock } from '../patient-clock.ts';
import { type EvaluateOptions, EvaluationError } from './options.ts';

interface OwnService {
  url: string;
  stop(): Promise<void>;
}

/** Starts an empty service for one run, in memory, on a free port, without logs. @throws EvaluationError if it cannot start */
export async function startOwnService(judge: EvaluateOptions['judge']): Promise<OwnService> {
  try {
    const config = readConfig(
      {
        // Take only the stand-in's path from the environment, so that the user's settings do not affect the figures.
        DYNOXIDE_BIN: process.env.DYNOXIDE_BIN,
        DATA_DIR: ':memory:',
        LOG_LEVEL: 'silent',
        // As in the cloud; the local default of 0 would refresh the catalog on every bid.
        CAMPAIGN_REFRESH_SECONDS: '1',
        ...(judge && { ...readJudgeEnvironment(), JUDGE: judge }),
      },
      true,
    );
    const effects = createLocalEffects(config);
    // The measured latency includes the judge.
    const stack = await startStack(judge ? effects : { ...effects, clock: patientClock });
    const server = createGateway(stack.apps);
    const port = await listen(server, 0);
    return {
      url: `http://127.0.0.1:${port}`,
      async stop() {
        server.close();
        server.closeAllConnections();
        await stack.stop();
      },
    };
  } catch (error) {
    if (error instanceof StartError || error instanceof ConfigError) throw new EvaluationError(error.message);
    throw error;
  }
}

/** The judge settings of the environment. */
const readJudgeEnvironment = (): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith('JUDGE_')));
