/** The `sp_` id of a new provider, from a UUID. */
export function storageProviderId(uuid: string): string {
  return `sp_${uuid.replaceAll('-', '')}`;
}

/** The id of a provider that is a bucket of the stage. */
export function stageProviderId(name: string): string {
  return `bucket:${name}`;
}

export const stageProviderIdPattern = /^bucket:[a-z0-9-]{1,40}$/;

export const storageProviderIdPattern = new RegExp(`^sp_[0-9a-f]{32}$|${stageProviderIdPattern.source}`);
