export type StoredInput = { storageProviderId: string; key: string };

/** An input at a storage provider as a URL, as workers and pages show it. Requests name provider and key instead. */
export function storageUrl({ storageProviderId, key }: StoredInput): string {
  return `storage://${storageProviderId}/${key.split('/').map(encodeURIComponent).join('/')}`;
}

/** Parses such a URL. Undefined if it is not one. */
export function parseStorageUrl(url: string): StoredInput | undefined {
  const [, storageProviderId = '', path = ''] = /^storage:\/\/([^/]+)\/(.+)$/s.exec(url) ?? [];
  if (!storageProviderIdPattern.test(storageProviderId)) return undefined;
  try {
    return { storageProviderId, key: path.split('/').map(decodeURIComponent).join('/') };
  } catch {
    return undefined;
  }
}

/** The `sp_` id of a new provider, from a UUID. */
export function storageProviderId(uuid: string): string {
  return `sp_${uuid.replaceAll('-', '')}`;
}

export function stageProviderId(name: string): string {
  return `bucket:${name}`;
}

export const stageProviderIdPattern = /^bucket:[a-z0-9-]{1,40}$/;

export const storageProviderIdPattern = new RegExp(`^sp_[0-9a-f]{32}$|${stageProviderIdPattern.source}`);
