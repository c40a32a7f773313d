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

/** The service for one run: empty, in memory, on a free port, silent. @throws Unusable when it cannot start */
export async function startOwnService(judge: EvaluateOptions['judge']): Promise<OwnService> {
  try {
    const config = readConfig(
      {
        // Of the environment only where the stand-in is: figures must not depend on who measures.
        DYNOXIDE_BIN: process.env.DYNOXIDE_BIN,
        DATA_DIR: ':memory:',
        LOG_LEVEL: 'silent',
        // As in the cloud; the local default of 0 would measure one refresh a bid.
        CAMPAIGN_REFRESH_SECONDS: '1',
        ...(judge && { ...readJudgeEnvironment(), JUDGE: judge }),
      },
      true,
    );
    const effects = createLocalEffects(config);
    // How long a judge takes is part of what is measured.
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

/** What the operator has said of the judge. */
const readJudgeEnvironment = (): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith('JUDGE_')));
