import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Service } from '../emulators/traffic.ts';
import { interceptRequests } from '../http-server.ts';
import type { StagePlan } from '../template/stage-plan.ts';
import { type AccessControl, accessControl } from './access-control.ts';
import { type AccessError, sendAccessError } from './access-errors.ts';
import type { AccessRequest } from './access-request.ts';
import { hideMissingObjects } from './hide-missing-objects.ts';
import { dynamoDbAccess, type PartitionKeys, sqsAccess, statesAccess } from './json-requests.ts';
import { peekBody } from './peek-body.ts';
import { type RoleCredentials, roleCredentials } from './role-credentials.ts';
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
};

type Caller = { roleArn: string; credentials: RoleCredentials };

type Enforced = {
  control: AccessControl;
  callers: ReadonlyMap<string, Caller>;
  partitionKeys: PartitionKeys;
};

/** Creates a guard. `onDenied` receives the message of each denied request. */
export function permissionGuard(onDenied: (message: string) => void = () => undefined): PermissionGuard {
  let enforced: Enforced | undefined;

  async function check(
    service: Service,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<AccessError | undefined> {
    const { accessKeyId, sessionToken } = presentedCredentials(request);
    // Unsigned: the S3 emulator handles these requests, such as CORS preflights. In the other services a request
    // without an operation is not part of the AWS API: fauxqs lists its queues in this way.
    if (accessKeyId === undefined && (service === 's3' || !request.headers['x-amz-target'])) return undefined;
    if (accessKeyId !== undefined && operatorKeys.includes(accessKeyId)) return undefined;
    const caller = enforced?.callers.get(accessKeyId ?? '');
    if (enforced === undefined || caller === undefined) {
      return { code: 'InvalidAccessKeyId', message: 'The AWS access key id does not exist in our records.' };
    }
    if (sessionToken !== caller.credentials.sessionToken) {
      return { code: 'InvalidToken', message: 'The provided token is malformed or otherwise invalid.' };
    }
    const { control, partitionKeys } = enforced;
    const principal = { roleArn: caller.roleArn };
    const checkAndLog = async (requests: readonly AccessRequest[]) => {
      const denial = await control.check(principal, requests);
      if (denial !== undefined) onDenied(denial.message);
      return denial;
    };
    const requests = await accessRequests(service, request, partitionKeys);
    const denial = await checkAndLog(requests);
    if (denial !== undefined) return { code: 'AccessDenied', message: denial.message };
    if (service === 's3') hideMissingObjects(requests, response, (listing) => checkAndLog([listing]));
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
      enforced = { control, callers: new Map(callers), partitionKeys: partitionKeysOf(plan.tables) };
      return control;
    },
    secretOf(accessKeyId) {
      if (operatorKeys.includes(accessKeyId)) return accessKeyId;
      return enforced?.callers.get(accessKeyId)?.credentials.secretAccessKey;
    },
  };
}

/** The access key id and session token of a signed request: in its headers, or in the query of a presigned URL. */
function presentedCredentials({ headers, url = '/' }: IncomingMessage): {
  accessKeyId: string | undefined;
  sessionToken: string | undefined;
} {
  if (headers.authorization !== undefined) {
    const [, accessKeyId] = /Credential=([^/,\s]+)/.exec(headers.authorization) ?? [];
    return { accessKeyId, sessionToken: headers['x-amz-security-token']?.toString() };
  }
  if (!url.includes('X-Amz-Credential')) return { accessKeyId: undefined, sessionToken: undefined };
  const { searchParams } = new URL(url, 'http://s3');
  return {
    accessKeyId: searchParams.get('X-Amz-Credential')?.split('/')[0],
    sessionToken: searchParams.get('X-Amz-Security-Token') ?? undefined,
  };
}

async function accessRequests(
  service: Service,
  request: IncomingMessage,
  partitionKeys: PartitionKeys,
): Promise<AccessRequest[]> {
  if (service === 's3') return s3AccessOf(request);
  const operation = String(request.headers['x-amz-target']).split('.').at(-1) ?? '';
  const json: unknown = JSON.parse((await peekBody(request)).toString());
  if (service === 'dynamodb') return dynamoDbAccess(operation, json, partitionKeys);
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
    body: body?.toString(),
  });
}

function partitionKeysOf(tables: StagePlan['tables']): PartitionKeys {
  return new Map(
    tables.flatMap(({ name, KeySchema, GlobalSecondaryIndexes = [] }) => [
      [name, hashKey(KeySchema)] as const,
      ...GlobalSecondaryIndexes.map(
        (index) => [`${name}/index/${index.IndexName}`, hashKey(index.KeySchema)] as const,
      ),
    ]),
  );
}

function hashKey(schema: StagePlan['tables'][number]['KeySchema']): string {
  return schema.find(({ KeyType }) => KeyType === 'HASH')?.AttributeName ?? '';
}
