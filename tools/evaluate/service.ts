import { createGateway, listen } from '../../infra/local/gateway.ts';
import { machineEffects } from '../../infra/local/machine.ts';
import { startStack } from '../../infra/local/stack.ts';
import { StartError } from '../../infra/local/start-error.ts';
import { ConfigError, readConfig } from '../../shared/platform/config.ts';
import { patientClock } from '../patient-clock.ts';
import { type EvaluateOptions, Unusable } from './options.ts';

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
        ...(judge && { ...judgeEnvironment(), JUDGE: judge }),
      },
      true,
    );
    const effects = machineEffects(config);
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
    if (error instanceof StartError || error instanceof ConfigError) throw new Unusable(error.message);
    throw error;
  }
}

/** What the operator has said of the judge. */
const judgeEnvironment = (): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith('JUDGE_')));
