/** A text in which neither a credential nor what signs a URL is left. */
export function redactSecrets(text: string, secrets: readonly string[]): string {
  const withoutCredentials = secrets
    .filter((secret) => secret !== '')
    .reduce((rest, secret) => rest.replaceAll(secret, '…'), text);
  return withoutCredentials.replaceAll(
    /(\b[a-z][a-z0-9+.-]*:\/\/)(?:[^\s/?#"'<>]*@)?([^\s?#"'<>]*)(\?[^\s#"'<>]+)?/gi,
    (_, scheme: string, place: string, query?: string) => scheme + place + (query === undefined ? '' : '?…'),
  );
}
