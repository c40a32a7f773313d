const NAME = /^[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+$/u;

/** Adds the scheme that people leave out: "shop.example/tea" becomes "https://shop.example/tea". */
export function addScheme(typed: string): string {
  const text = typed.trim();
  const [host = ''] = text.split(/[/?#:]/);
  return NAME.test(host) && !/^[^/?#]*[@\s]/.test(text) ? `https://${text}` : text;
}

/** The domain of a typed domain or URL, as people paste it. Undefined for what has none. */
export function toDomain(typed: string): string | undefined {
  const text = typed.trim();
  const url = /^https?:\/\//i.test(text) ? text : `https://${text}`;
  if (/\s/.test(text) || !URL.canParse(url)) return undefined;
  const { hostname, username } = new URL(url);
  return username === '' && NAME.test(hostname) && !/\.[\d-][^.]*$/.test(hostname) ? hostname : undefined;
}
