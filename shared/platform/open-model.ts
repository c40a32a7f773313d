import { type JudgeSettings, type LanguageModel, ModelFault } from './language-model.ts';
import { toError } from './values/typed.ts';

/** Opens the language model of the settings. Loads only the code of its protocol. */
export async function openModel(settings: JudgeSettings): Promise<LanguageModel> {
  if (settings.protocol === 'bedrock') return (await import('./bedrock-model.ts')).bedrockModel(settings);
  const { openAiModel } = await import('./openai-model.ts');
  return openAiModel(settings, await createKeyReader(settings));
}

/** Errors of Secrets Manager that last until an operator creates the secret or grants access to it. */
const DENIED = /^(AccessDenied|DecryptionFailure|ResourceNotFound)/;

/** Returns a function that reads the key on first use and caches it. After a failure, the next call reads again. */
async function createKeyReader({ key, keySecret }: JudgeSettings): Promise<() => Promise<string | undefined>> {
  if (!keySecret) return async () => key;
  const { readSecret } = await import('./secrets.ts');
  let known: Promise<string> | undefined;
  return () => {
    known ??= readSecret(keySecret).catch((error) => {
      known = undefined;
      throw new ModelFault('its key cannot be read', { isOutage: true, isDenied: DENIED.test(toError(error).name) });
    });
    return known;
  };
}
