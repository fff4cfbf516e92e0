/** The `sp_` id of a new provider, from a UUID. */
export function storageProviderId(uuid: string): string {
  return `sp_${uuid.replaceAll('-', '')}`;
}

export const storageProviderIdPattern = /^sp_[0-9a-f]{32}$/;
