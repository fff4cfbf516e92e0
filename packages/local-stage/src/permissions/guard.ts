import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Service } from '../emulators/traffic.ts';
import { interceptRequests } from '../http-server.ts';
import type { StagePlan } from '../template/stage-plan.ts';
import { type AccessControl, accessControl } from './access-control.ts';
import { type AccessError, sendAccessError } from './access-errors.ts';
import type { AccessRequest } from './access-request.ts';
import { type ForeignSession, sessionMay } from './foreign-roles.ts';
import { hideMissingObjects } from './hide-missing-objects.ts';
import type { RolePlan } from './iam/policies.ts';
import { dynamoDbAccess, eventsAccess, type PartitionKeys, sqsAccess, statesAccess } from './json-requests.ts';
import { keyValueStoreAccess } from './key-value-store-requests.ts';
import { type KmsKey, kmsAccess } from './kms-requests.ts';
import { lambdaAccess, stsAccess } from './lambda-requests.ts';
import { peekBody } from './peek-body.ts';
import { presentedCredentials, type RoleCredentials, roleCredentials } from './role-credentials.ts';
import { s3Access } from './s3-requests.ts';

/** Access key ids of the stage itself, its tests and the operator's scripts: allowed to do everything. */
const operatorKeys: readonly string[] = ['local', 'S3RVER'];

/** Rejects requests to the emulators that the role of the caller does not allow. */
export type PermissionGuard = {
  /** Checks every request to a server from now on. */
  watch(service: Service, server: Server): void;
  /** Enforces the policies of a template from now on. Until then only the operator's keys are valid. */
  enforce(plan: StagePlan): AccessControl;
  /** The secret key of an access key id; undefined for an unknown one. */
  secretOf(accessKeyId: string): string | undefined;
  /** The role of the template behind an access key id; undefined for the operator and unknown keys. */
  roleOf(accessKeyId: string): string | undefined;
  /** Admits a session of a role of another account to S3. */
  addSession(session: ForeignSession): void;
  /** The role of the template with this ARN. */
  findRole(roleArn: string): RolePlan | undefined;
  /** Admits a session of a role of the template. Its tags are the values of `aws:PrincipalTag/…` in policies. */
  addRoleSession(session: RoleSession): void;
};

/** `tags`: the condition keys that the tags of a session set. A function's own session has none. */
type Caller = { roleArn: string; credentials: RoleCredentials; tags?: Readonly<Record<string, string>> };

export type RoleSession = Caller & { expiration: Date };

type Enforced = {
  roles: ReadonlyMap<string, RolePlan>;
  control: AccessControl;
  callers: ReadonlyMap<string, Caller>;
  partitionKeys: PartitionKeys;
  keys: readonly KmsKey[];
};

/** Creates a guard. `onDenied` receives the message of each denied request. */
export function permissionGuard(onDenied: (message: string) => void = () => undefined): PermissionGuard {
  let enforced: Enforced | undefined;
  const sessions = new Map<string, ForeignSession>();
  const roleSessions = new Map<string, RoleSession>();

  function callerOf(accessKeyId: string): Caller | undefined {
    const session = roleSessions.get(accessKeyId);
    if (session !== undefined) return session.expiration > new Date() ? session : undefined;
    return enforced?.callers.get(accessKeyId);
  }

  async function check(
    service: Service,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<AccessError | undefined> {
    const { accessKeyId, sessionToken } = presentedCredentials(request);
    // Unsigned: the S3 emulator rejects these requests. In the other services a request without an operation is not part of
    // the AWS API: fauxqs lists its queues in this way.
    const isOperation = ['sts', 'lambda', 'kvs'].includes(service) || request.headers['x-amz-target'] !== undefined;
    if (accessKeyId === undefined && (service === 's3' || !isOperation)) return undefined;
    // AWS authorizes no preflight of a presigned URL: the CORS rules of the bucket answer it.
    if (service === 's3' && request.method === 'OPTIONS') return undefined;
    // Everyone knows these keys, and any page on the web can send `Origin: null`.
    const mayBeForeignPage = request.headers.origin === 'null';
    if (accessKeyId !== undefined && operatorKeys.includes(accessKeyId) && !mayBeForeignPage) return undefined;
    const session = sessions.get(accessKeyId ?? '');
    if (session !== undefined) return checkSession(session, { service, request, sessionToken });
    const caller = callerOf(accessKeyId ?? '');
    if (enforced === undefined || caller === undefined) {
      return { code: 'InvalidAccessKeyId', message: 'The AWS access key id does not exist in our records.' };
    }
    if (sessionToken !== caller.credentials.sessionToken) {
      return { code: 'InvalidToken', message: 'The provided token is malformed or otherwise invalid.' };
    }
    const { control } = enforced;
    const principal = { roleArn: caller.roleArn };
    const tagged = (access: AccessRequest): AccessRequest =>
      caller.tags === undefined ? access : { ...access, context: { ...access.context, ...caller.tags } };
    const untagged =
      service === 's3'
        ? await s3AccessOf(request)
        : bodyAccess(service, request, (await peekBody(request)).toString(), enforced);
    const requests = untagged.map(tagged);
    const denial = control.check(principal, requests);
    if (denial !== undefined) {
      onDenied(denial.message);
      return { code: 'AccessDenied', message: denial.message };
    }
    if (service === 's3') {
      hideMissingObjects(requests, response, (listing) => {
        const missing = control.check(principal, [tagged(listing)]);
        if (missing !== undefined) onDenied(missing.message);
        return missing;
      });
    }
    return undefined;
  }

  return {
    watch(service, server) {
      interceptRequests(server, (request, response, handle) => {
        check(service, request, response).then(
          (error) => {
            if (error === undefined) return handle();
            request.resume();
            sendAccessError(service, response, error);
          },
          () => response.destroy(),
        );
      });
    },
    enforce(plan) {
      const control = accessControl(plan.permissions);
      const callers = plan.permissions.roles.map(({ arn }): [string, Caller] => {
        const credentials = roleCredentials(arn);
        return [credentials.accessKeyId, { roleArn: arn, credentials }];
      });
      enforced = {
        roles: new Map(plan.permissions.roles.map((role) => [role.arn, role])),
        control,
        callers: new Map(callers),
        partitionKeys: partitionKeysOf(plan.tables),
        keys: plan.keys,
      };
      return control;
    },
    secretOf(accessKeyId) {
      if (operatorKeys.includes(accessKeyId)) return accessKeyId;
      const session = sessions.get(accessKeyId);
      if (session !== undefined) return session.credentials.secretAccessKey;
      return callerOf(accessKeyId)?.credentials.secretAccessKey;
    },
    roleOf: (accessKeyId) => callerOf(accessKeyId)?.roleArn,
    findRole: (roleArn) => enforced?.roles.get(roleArn),
    addRoleSession: (session) => roleSessions.set(session.credentials.accessKeyId, session),
    addSession: (session) => sessions.set(session.credentials.accessKeyId, session),
  };
}

async function checkSession(
  session: ForeignSession,
  { service, request, sessionToken }: { service: Service; request: IncomingMessage; sessionToken: string | undefined },
): Promise<AccessError | undefined> {
  if (service !== 's3' || sessionToken !== session.credentials.sessionToken || session.expiration < new Date()) {
    return { code: 'InvalidToken', message: 'The provided token is malformed or otherwise invalid.' };
  }
  for (const access of await s3AccessOf(request)) {
    if (sessionMay(session, access)) continue;
    const message = `User: ${session.principal} is not authorized to perform: ${access.action} on resource: ${access.resourceArn}`;
    return { code: 'AccessDenied', message };
  }
  return undefined;
}

function bodyAccess(
  service: Exclude<Service, 's3'>,
  request: IncomingMessage,
  body: string,
  { partitionKeys, keys }: Pick<Enforced, 'partitionKeys' | 'keys'>,
): AccessRequest[] {
  if (service === 'sts') return stsAccess(body);
  if (service === 'kvs') return keyValueStoreAccess(request);
  const { headers, url = '/' } = request;
  if (service === 'lambda') return lambdaAccess(url);
  const target = String(headers['x-amz-target']);
  const operation = target.slice(target.lastIndexOf('.') + 1);
  const json: unknown = JSON.parse(body);
  if (service === 'dynamodb') return dynamoDbAccess(operation, json, partitionKeys);
  if (service === 'kms') return kmsAccess(operation, json, keys);
  if (service === 'eventbridge') return eventsAccess(operation, json);
  return service === 'sqs' ? sqsAccess(operation, json) : statesAccess(operation, json);
}

async function s3AccessOf(request: IncomingMessage): Promise<AccessRequest[]> {
  const url = new URL(request.url ?? '/', 'http://s3');
  const method = request.method ?? 'GET';
  const copySource = request.headers['x-amz-copy-source']?.toString();
  const body = method === 'POST' && url.searchParams.has('delete') ? await peekBody(request) : undefined;
  return s3Access({
    method,
    path: decodeURIComponent(url.pathname),
    query: url.searchParams,
    copySource: copySource === undefined ? undefined : decodeURIComponent(copySource),
    hasTags: request.headers['x-amz-tagging'] !== undefined,
    body: body?.toString(),
  });
}

function partitionKeysOf(tables: StagePlan['tables']): PartitionKeys {
  return new Map(
    tables.flatMap(({ name, KeySchema, GlobalSecondaryIndexes = [] }) => [
      [name, hashKey(KeySchema)] as const,
      ...GlobalSecondaryIndexes.map((index) => [`${name}/index/${index.IndexName}`, hashKey(index.KeySchema)] as const),
    ]),
  );
}

function hashKey(schema: StagePlan['tables'][number]['KeySchema']): string {
  return schema.find(({ KeyType }) => KeyType === 'HASH')?.AttributeName ?? '';
}
