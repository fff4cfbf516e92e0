import type { TextInputProps } from '@mantine/core';
import type { OperationRequest } from '@media-jobs/client';
import { kindRules, type ProviderKind } from '@media-jobs/core/api';
import type { StorageProvider } from './use-storage-providers.ts';

export type ProviderRequest = OperationRequest<'updateStorageProvider'>['body'];

/** The content of the form of a storage provider. Texts are as typed. */
export type ProviderDraft = typeof emptyDraft;

type TextName = Exclude<keyof ProviderDraft, 'kind' | 'usesPathStyle' | 'accessType'>;

export type FieldsProps = {
  draft: ProviderDraft;
  onChange: (changes: Partial<ProviderDraft>) => void;
  /** Value, error and listener of the field of a text, whose path in the request may be another one. */
  text: (name: TextName, path?: string) => Pick<TextInputProps, 'value' | 'error' | 'onChange'>;
};

export const emptyDraft = {
  name: '',
  kind: 's3' as ProviderKind,
  bucket: '',
  region: '',
  endpoint: '',
  prefix: '',
  usesPathStyle: true,
  accessType: 'role' as 'role' | 'keys',
  roleArn: '',
  accessKeyId: '',
  secretAccessKey: '',
};

/** A draft with the settings of a stored provider. Its secret is unknown: an empty one stays as it is. */
export function draftFromProvider(provider: StorageProvider): ProviderDraft {
  const { name, kind, bucket, region, endpoint = '', prefix = '', forcePathStyle = true, access } = provider;
  const place = { kind, bucket, region, endpoint, prefix, usesPathStyle: forcePathStyle };
  return { ...emptyDraft, name, ...place, ...accessFields(access) };
}

function accessFields(access: StorageProvider['access']): Partial<ProviderDraft> {
  if (access.type === 'role') return { accessType: 'role', roleArn: access.roleArn };
  return access.type === 'keys' ? { accessType: 'keys', accessKeyId: access.accessKeyId } : {};
}

/** The fields of the form that a kind has. */
export function fieldsOf(kind: ProviderKind) {
  const { endpoint, defaultRegion, allowsRole = false } = kindRules[kind];
  return {
    hasEndpoint: endpoint === 'required',
    needsRegion: defaultRegion === undefined,
    defaultRegion,
    allowsRole,
    hasPathStyle: kind === 's3-compatible',
  };
}

/** Changes the kind: region and endpoint of another kind do not apply. */
export function withKind(draft: ProviderDraft, kind: ProviderKind): ProviderDraft {
  const accessType = fieldsOf(kind).allowsRole ? draft.accessType : 'keys';
  return { ...draft, kind, accessType, region: '', endpoint: '' };
}

/** The labels of required fields without a value. `hasSecret`: a secret is stored already. */
export function missingFields(draft: ProviderDraft, hasSecret: boolean): string[] {
  const { hasEndpoint, needsRegion } = fieldsOf(draft.kind);
  const isRole = draft.accessType === 'role';
  const required: [string, string, boolean][] = [
    ['name', draft.name, true],
    ['bucket', draft.bucket, true],
    ['region', draft.region, needsRegion],
    ['endpoint', draft.endpoint, hasEndpoint],
    ['role', draft.roleArn, isRole],
    ['access key ID', draft.accessKeyId, !isRole],
    ['secret access key', draft.secretAccessKey, !isRole && !hasSecret],
  ];
  return required.flatMap(([label, text, isRequired]) => (isRequired && text.trim() === '' ? [label] : []));
}

/** The request of a draft, with the fields of its kind only. */
export function draftToProviderRequest(draft: ProviderDraft): ProviderRequest {
  const { kind, name, bucket, region, endpoint, prefix, usesPathStyle } = draft;
  const { hasEndpoint, hasPathStyle } = fieldsOf(kind);
  return {
    name: name.trim(),
    kind,
    bucket: bucket.trim(),
    region: optional(region),
    endpoint: hasEndpoint ? optional(endpoint) : undefined,
    prefix: optional(prefix),
    forcePathStyle: hasPathStyle ? usesPathStyle : undefined,
    access: toAccess(draft),
  };
}

function toAccess({ accessType, roleArn, accessKeyId, secretAccessKey }: ProviderDraft): ProviderRequest['access'] {
  if (accessType === 'role') return { type: 'role', roleArn: roleArn.trim() };
  return { type: 'keys', accessKeyId: accessKeyId.trim(), secretAccessKey: optional(secretAccessKey) };
}

function optional(text: string): string | undefined {
  return text.trim() === '' ? undefined : text.trim();
}

export const kindLabels: Readonly<Record<ProviderKind, string>> = {
  s3: 'Amazon S3',
  r2: 'Cloudflare R2',
  b2: 'Backblaze B2',
  gcs: 'Google Cloud Storage',
  's3-compatible': 'S3-compatible',
};

/** Text of the example in the field for the endpoint. */
export const endpointExamples: Partial<Record<ProviderKind, string>> = {
  r2: 'https://<account id>.r2.cloudflarestorage.com',
  's3-compatible': 'https://storage.example.com',
};
