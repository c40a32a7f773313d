/** Replaces the address of the local service, which the documents name, with this service's. */
export const showOrigin = (text: string, origin: string): string =>
  text.replace(/(?:http:\/\/)?localhost:3000/g, () => origin);
