import type { OperationRequest, OperationResult } from '@media-jobs/client';
import { type ProviderKind, providerKinds } from '@media-jobs/core/api';
import { type Command, Option } from 'commander';
import { CliError } from '../cli-error.ts';
import { collectPair } from '../request/parse-option.ts';

export type Provider = OperationResult<'getStorageProvider'>;
type Update = OperationRequest<'updateStorageProvider'>['body'];

/** Options of `providers add` and `providers update`, under commander's names. */
export type ProviderOptions = {
  name?: string;
  kind?: ProviderKind;
  bucket?: string;
  region?: string;
  endpoint?: string;
  prefix?: string;
  pathStyle?: boolean;
  cacheControl?: string;
  contentDisposition?: string;
  storageClass?: string;
  tag?: Record<string, string>;
  roleArn?: string;
  accessKeyId?: string;
  secretFile?: string;
};

export const secretFileOption: [string, string] = [
  '--secret-file <path>',
  'file with the secret access key, "-" for standard input; default: the variable MEDIA_JOBS_STORAGE_SECRET',
];

export function addProviderOptions(command: Command): Command {
  return command
    .addOption(new Option('--kind <kind>', 'service that has the bucket').choices(providerKinds))
    .option('--bucket <bucket>', 'name of the bucket')
    .option('--region <region>', 'region of the bucket; required for s3 and b2')
    .option('--endpoint <url>', 'URL of the service, for r2 and s3-compatible')
    .option('--prefix <prefix>', 'prefix of all keys; an empty text removes it')
    .option('--path-style', 'for s3-compatible: the bucket is part of the path')
    .option('--no-path-style', 'for s3-compatible: the bucket is part of the host name')
    .option('--cache-control <value>', 'default Cache-Control header of the objects')
    .option('--content-disposition <value>', 'default Content-Disposition header of the objects')
    .option('--storage-class <class>', 'default storage class of the objects')
    .option('--tag <key=value>', 'default tag of the objects; repeat the option for several', collectPair)
    .option('--role-arn <arn>', 'for s3: role that the service assumes, in place of keys')
    .option('--access-key-id <id>', 'access key id')
    .option(...secretFileOption);
}

/** The fields that are not about access, over those of a stored provider. An empty text removes a field. */
export function locationFields(options: ProviderOptions, stored?: Provider): Omit<Update, 'access'> {
  const kind = options.kind ?? stored?.kind;
  const bucket = options.bucket ?? stored?.bucket;
  const name = options.name ?? stored?.name;
  if (kind === undefined || bucket === undefined || name === undefined) {
    throw new CliError('usage', 'Give --kind and --bucket.');
  }
  // Region and endpoint belong to a kind: those of another kind would be rejected.
  const kept = stored?.kind === kind ? stored : undefined;
  const { cacheControl, contentDisposition } = options;
  const hasHeader = (cacheControl ?? contentDisposition) !== undefined;
  const fields = {
    region: options.region ?? kept?.region,
    endpoint: options.endpoint ?? kept?.endpoint,
    prefix: options.prefix ?? stored?.prefix,
    forcePathStyle: options.pathStyle ?? kept?.forcePathStyle,
    headers: hasHeader
      ? {
          cacheControl: cacheControl ?? stored?.headers?.cacheControl,
          contentDisposition: contentDisposition ?? stored?.headers?.contentDisposition,
        }
      : stored?.headers,
    storageClass: options.storageClass ?? stored?.storageClass,
    tags: options.tag ?? stored?.tags,
  };
  const defined = Object.entries(fields).filter(([, value]) => value !== undefined && value !== '');
  return { name, kind, bucket, ...Object.fromEntries(defined) };
}

type SecretReader = (secretFile: string | undefined) => Promise<string>;

export async function newAccess({ roleArn, accessKeyId, secretFile }: ProviderOptions, read: SecretReader) {
  if (roleArn !== undefined) {
    if (accessKeyId === undefined && secretFile === undefined) return { type: 'role', roleArn } as const;
    throw new CliError('usage', '--role-arn cannot be combined with --access-key-id or --secret-file.');
  }
  if (accessKeyId === undefined) throw new CliError('usage', 'Give --role-arn or --access-key-id.');
  return { type: 'keys', accessKeyId, secretAccessKey: await read(secretFile) } as const;
}

/** The access of a stored provider with the defined changes. Without a secret the API keeps the stored one. */
export function updatedAccess(
  { roleArn, accessKeyId }: ProviderOptions,
  { access: stored }: Provider,
  secretAccessKey: string | undefined,
): Update['access'] {
  if (roleArn !== undefined && accessKeyId !== undefined) {
    throw new CliError('usage', '--role-arn cannot be combined with --access-key-id.');
  }
  if (roleArn !== undefined) return { type: 'role', roleArn };
  const storedKeyId = stored.type === 'keys' ? stored.accessKeyId : undefined;
  const keyId = accessKeyId ?? storedKeyId;
  if (keyId !== undefined) return { type: 'keys', accessKeyId: keyId, secretAccessKey };
  if (stored.type === 'role' && secretAccessKey === undefined) return { type: 'role', roleArn: stored.roleArn };
  throw new CliError('usage', 'The storage provider has a role: give --access-key-id too.');
}
