import type { StorageProviderRequest } from '../../core/api/storage-provider.ts';
import { AppError, type ErrorDetail, invalidRequest } from '../../core/errors.ts';
import type { Clock } from '../../core/jobs/ports.ts';
import { checkUrl, type UrlRules } from '../../core/net/check-url.ts';
import { externalIdOf, type TrustedStage } from '../../core/storage/external-id.ts';
import type { ProviderSecretCipher, StorageProvider, StorageProviderRef } from '../../core/storage/provider.ts';
import { findProviderProblems, kindRules } from '../../core/storage/provider-rules.ts';
import { maxSessionPolicyCharacters, sessionPolicyText } from '../../core/storage/session-policy.ts';

export type TrustDeps = { stage: string; trustedStage: TrustedStage };

export type ProviderRecordDeps = TrustDeps & {
  cipher: Pick<ProviderSecretCipher, 'encrypt'>;
  clock: Pick<Clock, 'now'>;
  /** Rules for the text of endpoints. */
  endpointRules: UrlRules;
};

/**
 * Rejects what the kind does not allow, a role that the service cannot assume, and an endpoint that is not public.
 * @throws AppError VALIDATION_ERROR, or INVALID_URL for the endpoint
 */
export function assertAllowedProvider(
  body: StorageProviderRequest,
  { endpointRules, trustedStage }: Pick<ProviderRecordDeps, 'endpointRules' | 'trustedStage'>,
): void {
  const problems = [...findProviderProblems(body), ...findRoleProblems(body, trustedStage)];
  if (problems.length > 0) throw invalidRequest(problems);
  if (body.endpoint === undefined) return;
  const { url, rejection } = checkUrl(body.endpoint, endpointRules);
  const isOrigin = url !== undefined && url.pathname === '/' && url.search === '' && url.hash === '';
  if (isOrigin) return;
  const message = rejection ?? 'The endpoint must have no path, query or fragment';
  throw new AppError('INVALID_URL', `endpoint: ${message}`, { details: [{ path: 'endpoint', message }] });
}

function findRoleProblems(
  { access, bucket, prefix, region = '' }: StorageProviderRequest,
  { accountId, partition }: TrustedStage,
): ErrorDetail[] {
  if (access.type !== 'role') return [];
  const problems: ErrorDetail[] = [];
  if (access.roleArn.split(':')[4] === accountId) {
    problems.push({ path: 'access.roleArn', message: 'is a role of the account of this service' });
  }
  const { length } = sessionPolicyText({ bucket, prefix, region }, partition);
  if (length > maxSessionPolicyCharacters) {
    const message = `is too long for a role: its session policy has ${length} characters, and AWS accepts ${maxSessionPolicyCharacters}`;
    problems.push({ path: 'prefix', message });
  }
  return problems;
}

type ProviderFields = { ref: StorageProviderRef; body: StorageProviderRequest; stored?: StorageProvider };

/**
 * The record of a requested provider, with its secret encrypted. Without a secret in the request, that of `stored` stays,
 * but only for the same bucket: whoever may change settings must not make the service use the secret at another host.
 *
 * @throws AppError VALIDATION_ERROR if there is no secret in either, or that of `stored` is for another bucket
 */
export async function providerRecord(
  deps: ProviderRecordDeps,
  { ref, body, stored }: ProviderFields,
): Promise<StorageProvider> {
  const { access: _, region = kindRules[body.kind].defaultRegion ?? '', endpoint, ...fields } = body;
  const now = deps.clock.now().toISOString();
  return {
    ...ref,
    ...fields,
    region,
    endpoint: endpoint && withoutSlash(endpoint),
    access: await toAccess(deps, { ref, body, stored }),
    createdAt: stored?.createdAt ?? now,
    updatedAt: now,
  };
}

async function toAccess(
  { cipher, stage }: ProviderRecordDeps,
  { ref, body, stored }: ProviderFields,
): Promise<StorageProvider['access']> {
  const { access } = body;
  if (access.type === 'role') {
    return { type: 'role', roleArn: access.roleArn, externalId: externalIdOf(ref.ownerId, stage) };
  }
  const { accessKeyId, secretAccessKey } = access;
  if (secretAccessKey !== undefined) {
    return { type: 'keys', accessKeyId, encryptedSecret: await cipher.encrypt(secretAccessKey, ref) };
  }
  const required = (reason: string) =>
    invalidRequest([{ path: 'access.secretAccessKey', message: `Required: ${reason}` }]);
  if (stored?.access.type !== 'keys') throw required('no secret is stored');
  const { kind, bucket, endpoint = '' } = body;
  const isSame = kind === stored.kind && bucket === stored.bucket && withoutSlash(endpoint) === (stored.endpoint ?? '');
  if (!isSame) throw required('the stored secret is for another kind, endpoint or bucket');
  return { type: 'keys', accessKeyId, encryptedSecret: stored.access.encryptedSecret };
}

function withoutSlash(endpoint: string): string {
  return endpoint.replace(/\/$/, '');
}

/** A provider as the API returns it: without its secret. */
export function viewProvider({ storageProviderId: id, ownerId: _, access, lastTest, ...fields }: StorageProvider) {
  return { id, ...fields, ...viewAccess(access), lastTest: lastTest ?? null };
}

function viewAccess(access: StorageProvider['access']) {
  if (access.type === 'role') return { access };
  const { type } = access;
  if (type === 'keys') return { access: { type, accessKeyId: access.accessKeyId } };
  return { access: { type }, allows: access.allows, createdAt: undefined, updatedAt: undefined };
}
