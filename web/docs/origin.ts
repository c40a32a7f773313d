import { LOCAL_ADDRESS } from '../../shared/platform/values/site-settings.ts';

/** Replaces the address of the local service, which the documents name, with this service's. */
export const showOrigin = (text: string, origin: string): string => text.replace(LOCAL_ADDRESS, () => origin);
