import { columns } from '../show/sanitize.ts';
import type { Provider } from './provider-options.ts';

export function formatProvider(provider: Provider): string {
  const { forcePathStyle, lastTest, headers, tags } = provider;
  const rows: [string, string | undefined][] = [
    ['Provider', provider.id],
    ['Name', provider.name],
    ['Kind', provider.kind],
    ['Bucket', provider.bucket],
    ['Region', provider.region],
    ['Endpoint', provider.endpoint],
    ['Prefix', provider.prefix],
    ['Path style', forcePathStyle === undefined ? undefined : String(forcePathStyle)],
    ...accessRows(provider),
    ['Cache-Control', headers?.cacheControl],
    ['Content-Disposition', headers?.contentDisposition],
    ['Storage class', provider.storageClass],
    ['Tags', tags && new URLSearchParams(tags).toString()],
    ['Last test', lastTest === null ? 'none' : `${lastTest.at} ${lastTest.message}`],
  ];
  return columns(rows.flatMap(([title, text]) => (text === undefined ? [] : [[title, text]])));
}

function accessRows({ access, allows }: Pick<Provider, 'access' | 'allows'>): [string, string][] {
  if (access.type === 'keys') return [['Access key', access.accessKeyId]];
  if (access.type === 'stage') return [['Access', `of this service: ${allows}`]];
  return [
    ['Role', access.roleArn],
    ['External id', access.externalId],
  ];
}
