import {
  BedrockRuntimeClient,
  type BedrockRuntimeClientConfig,
  ConverseCommand,
} from '@aws-sdk/client-bedrock-runtime';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { type JudgeSettings, type LanguageModel, ModelFault, statusFault } from './language-model.ts';

const NO_SUCH_MODEL = /model identifier|on-demand throughput/i;

/** A model or an inference profile of Amazon Bedrock in the function's own region, called through the Converse API. */
export function bedrockModel(
  { model }: Pick<JudgeSettings, 'model'>,
  client: BedrockRuntimeClientConfig = {},
): LanguageModel {
  // HTTP/1.1 instead of the client's default, HTTP/2: if its only connection dies while the instance is frozen, every request waits.
  const requestHandler = new NodeHttpHandler();
  const bedrock = new BedrockRuntimeClient({ maxAttempts: 1, requestHandler, ...client });
  return async ({ system, user, maxTokens }, abortSignal) => {
    const command = new ConverseCommand({
      modelId: model,
      system: [{ text: system }],
      messages: [{ role: 'user', content: [{ text: user }] }],
      inferenceConfig: { maxTokens, temperature: 0 },
    });
    const { output } = await bedrock.send(command, { abortSignal }).catch((error) => {
      const status = error?.$metadata?.httpStatusCode;
      if (!status) throw error;
      // Bedrock returns 400 both for a model that this region does not have and for a prompt that it rejects.
      if (status === 400 && NO_SUCH_MODEL.test(error.message))
        throw new ModelFault('the model is not available in this region', { isOutage: true, isDenied: true });
      throw status < 300 ? new ModelFault('malformed', { isOutage: false }) : statusFault(status);
    });
    return output?.message?.content?.map(({ text }) => text ?? '').join('') ?? '';
  };
}
