import type { ErrorDetail } from '../errors.ts';
import type { ProviderKind, StorageProvider } from './provider.ts';

type Location = Pick<StorageProvider, 'kind' | 'bucket' | 'region' | 'endpoint' | 'forcePathStyle'>;

type KindRule = {
  /** `none`: the kind has an endpoint of its own. */
  endpoint: 'required' | 'none';
  /** Undefined: a request has to name it. */
  defaultRegion?: string;
  allowsRole?: true;
  /** Whether it takes tags with an upload. */
  hasTags?: true;
  /** The only host names that the kind has. */
  host?: RegExp;
  usesPathStyle: boolean;
  /** The endpoint of the kind; undefined for AWS, whose endpoint the SDK sets. */
  endpointOf?: (region: string) => string;
};

export const kindRules: Readonly<Record<ProviderKind, KindRule>> = {
  s3: { endpoint: 'none', allowsRole: true, hasTags: true, usesPathStyle: false },
  r2: {
    endpoint: 'required',
    defaultRegion: 'auto',
    host: /^[0-9a-f]{32}(\.(eu|fedramp))?\.r2\.cloudflarestorage\.com$/,
    usesPathStyle: true,
  },
  b2: {
    endpoint: 'none',
    usesPathStyle: true,
    endpointOf: (region) => `https://s3.${region}.backblazeb2.com`,
  },
  gcs: {
    endpoint: 'none',
    defaultRegion: 'auto',
    usesPathStyle: true,
    endpointOf: () => 'https://storage.googleapis.com',
  },
  's3-compatible': { endpoint: 'required', defaultRegion: 'us-east-1', hasTags: true, usesPathStyle: true },
};

/** Bucket names of AWS: they become part of a host name. */
export const awsBucket = /^(?!.*\.\.)[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

type Requested = Omit<Location, 'region'> & {
  region?: string | undefined;
  tags?: object | undefined;
  access: { type: 'role' | 'keys' };
};

export function noTags(kind: ProviderKind): string {
  return `${kind} has no tags of objects`;
}

/** Everything that a kind does not allow in a request. Does not check the text of the endpoint. */
export function findProviderProblems(requested: Requested): ErrorDetail[] {
  const { kind, bucket, region, endpoint, access, forcePathStyle, tags } = requested;
  const rule = kindRules[kind];
  const problems: ErrorDetail[] = [];
  const reject = (path: string, message: string) => problems.push({ path, message });
  if (rule.endpoint === 'none' && endpoint !== undefined) reject('endpoint', `${kind} has no custom endpoint`);
  if (rule.endpoint === 'required' && endpoint === undefined) reject('endpoint', `${kind} needs an endpoint`);
  if (rule.defaultRegion === undefined && region === undefined) reject('region', `${kind} needs a region`);
  if (kind === 's3' && !awsBucket.test(bucket)) reject('bucket', 'Must be the name of an S3 bucket');
  if (access.type === 'role' && rule.allowsRole === undefined) reject('access.type', `${kind} has no roles: use keys`);
  if (forcePathStyle !== undefined && kind !== 's3-compatible') {
    reject('forcePathStyle', `is fixed for ${kind}: it applies to s3-compatible`);
  }
  if (tags !== undefined && !rule.hasTags) reject('tags', noTags(kind));
  const host = endpoint === undefined ? undefined : URL.parse(endpoint)?.hostname;
  if (rule.host !== undefined && host !== undefined && !rule.host.test(host)) {
    reject('endpoint', `is not an endpoint of ${kind}: use s3-compatible for another service`);
  }
  return problems;
}

/** The endpoint of a provider; undefined for AWS. */
export function endpointOf({ kind, region, endpoint }: Location): string | undefined {
  return endpoint ?? kindRules[kind].endpointOf?.(region);
}

/** Whether the bucket is part of the path instead of the host name. */
export function usesPathStyle({ kind, forcePathStyle }: Location): boolean {
  return forcePathStyle ?? kindRules[kind].usesPathStyle;
}

/** The domains of AWS in China and in the European Sovereign Cloud, by the first part of their regions. */
const awsDomains: Readonly<Record<string, string>> = { cn: 'amazonaws.com.cn', eusc: 'amazonaws.eu' };

/**
 * The base URL of a provider's objects.
 *
 * @param awsEndpoint the endpoint of an emulator in place of Amazon S3
 */
export function providerBucketUrl(provider: Location, awsEndpoint?: string): string {
  const { bucket, region } = provider;
  const endpoint = endpointOf(provider) ?? awsEndpoint;
  if (endpoint === undefined) {
    const suffix = awsDomains[region.split('-')[0] ?? ''] ?? 'amazonaws.com';
    // A bucket with dots has no valid certificate under a host name of its own.
    return bucket.includes('.')
      ? `https://s3.${region}.${suffix}/${bucket}`
      : `https://${bucket}.s3.${region}.${suffix}`;
  }
  const { protocol, host } = new URL(endpoint);
  const isPath = usesPathStyle(provider) || endpointOf(provider) === undefined;
  return isPath ? `${protocol}//${host}/${bucket}` : `${protocol}//${bucket}.${host}`;
}
