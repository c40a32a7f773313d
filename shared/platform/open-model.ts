import { type JudgeSettings, type LanguageModel, ModelFault } from './language-model.ts';
import { toError } from './values/typed.ts';

/** The language model that the settings name; the code of the other protocol is not loaded. */
export async function openModel(settings: JudgeSettings): Promise<LanguageModel> {
  if (settings.protocol === 'bedrock') return (await import('./bedrock-model.ts')).bedrockModel(settings);
  const { openAiModel } = await import('./openai-model.ts');
  return openAiModel(settings, await createKeyReader(settings));
}

/** What Secrets Manager answers until the operator grants the role its secret, or creates it. */
const DENIED = /^(AccessDenied|DecryptionFailure|ResourceNotFound)/;

/** The key is read when it is first wanted, and again where that failed. */
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
