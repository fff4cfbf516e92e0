import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { type ForeignRole, findTrustError } from '../permissions/foreign-roles.ts';
import { type PermissionGuard, permissionGuard } from '../permissions/guard.ts';
import { presentedCredentials } from '../permissions/role-credentials.ts';
import type { Emulator } from './emulator.ts';
import { startEndpoint } from './start-endpoint.ts';
import type { Traffic } from './traffic.ts';

/** The STS endpoint: AssumeRole of roles in other accounts, and of those of the template. */
export type Sts = Emulator & {
  /** Adds a role of another account, or replaces it. */
  addRole(role: ForeignRole): void;
};

/** The duration that STS gives to a session that was requested by a session (role chaining). */
const maxDurationSeconds = 3600;

/** Starts an endpoint for AssumeRole (AWS query protocol). Credentials are valid for the S3 emulator of the same guard. */
export async function startSts(traffic: Traffic, guard: PermissionGuard = permissionGuard()): Promise<Sts> {
  const roles = new Map<string, ForeignRole>();
  const emulator = await startEndpoint({ service: 'sts', traffic, guard }, async (request) => {
    const parameters = new URLSearchParams(await text(request));
    const { status, xml } = await assume(request, parameters, { roles, guard });
    return { status, contentType: 'text/xml', body: xml };
  });
  return { ...emulator, addRole: (role) => roles.set(role.roleArn, role) };
}

type World = { roles: ReadonlyMap<string, ForeignRole>; guard: PermissionGuard };

async function assume(request: IncomingMessage, parameters: URLSearchParams, { roles, guard }: World) {
  const parameter = (name: string) => parameters.get(name) ?? undefined;
  if (parameter('Action') !== 'AssumeRole') return failure(400, 'InvalidAction', 'Only AssumeRole is supported here');
  const roleArn = parameter('RoleArn') ?? '';
  const foreign = roles.get(roleArn);
  const trust = foreign?.trustPolicy.Statement ?? guard.findRole(roleArn)?.trust;
  const tags = tagsIn(parameters);
  const principalArn = guard.roleOf(presentedCredentials(request).accessKeyId ?? '') ?? 'operator';
  const caller = { principalArn, externalId: parameter('ExternalId'), hasTags: Object.keys(tags).length > 0 };
  const error = trust === undefined ? `there is no role ${roleArn}` : findTrustError({ roleArn, trust }, caller);
  if (error !== undefined) {
    return failure(
      403,
      'AccessDenied',
      `User: ${principalArn} is not authorized to perform: sts:AssumeRole on resource: ${roleArn} (${error})`,
    );
  }
  const durationSeconds = Number(parameter('DurationSeconds') ?? maxDurationSeconds);
  if (durationSeconds > maxDurationSeconds) {
    return failure(400, 'ValidationError', 'The requested DurationSeconds exceeds the limit of role chaining');
  }
  const policy = parameter('Policy');
  const constraint = policy === undefined ? undefined : findBrokenConstraint(policy);
  if (constraint !== undefined) {
    const found = `1 validation error detected: Value at 'policy' failed to satisfy constraint: ${constraint}`;
    return failure(400, 'ValidationError', found);
  }
  const secret = () => randomBytes(30).toString('base64url');
  const accessKeyId = `ASIA${createHash('sha256').update(randomBytes(16)).digest('hex').slice(0, 16).toUpperCase()}`;
  const credentials = { accessKeyId, secretAccessKey: secret(), sessionToken: secret().repeat(8) };
  const expiration = new Date(Date.now() + durationSeconds * 1000);
  if (foreign === undefined) {
    // The stage's own roles are assumed without a session policy: tags restrict them.
    if (policy !== undefined) return failure(400, 'ValidationError', 'Session policies of own roles are not supported');
    guard.addRoleSession({ roleArn, credentials, expiration, tags });
    return { status: 200, xml: answer(credentials, expiration) };
  }
  guard.addSession({
    principal: `${roleArn.replace(':iam:', ':sts:').replace(':role/', ':assumed-role/')}/${parameter('RoleSessionName')}`,
    credentials,
    expiration,
    policy: foreign.policy,
    sessionPolicy: policy === undefined ? undefined : JSON.parse(policy),
  });
  return { status: 200, xml: answer(credentials, expiration) };
}

/** The tags of the session, as the condition keys that they set (AWS STS API Reference, AssumeRole). */
function tagsIn(parameters: URLSearchParams): Record<string, string> {
  const tags: Record<string, string> = {};
  for (let index = 1; parameters.has(`Tags.member.${index}.Key`); index += 1) {
    const value = parameters.get(`Tags.member.${index}.Value`) ?? '';
    tags[`aws:PrincipalTag/${parameters.get(`Tags.member.${index}.Key`)}`] = value;
  }
  return tags;
}

/** The constraints of the parameter Policy (AWS STS API Reference, AssumeRole). */
function findBrokenConstraint(policy: string): string | undefined {
  if (policy.length > 2048) return 'Member must have length less than or equal to 2048';
  if (/^[\t\n\r\x20-\xff]+$/.test(policy)) return undefined;
  return String.raw`Member must satisfy regular expression pattern: [\u0009\u000A\u000D\u0020-\u00FF]+`;
}

type Credentials = { accessKeyId: string; secretAccessKey: string; sessionToken: string };

function answer({ accessKeyId, secretAccessKey, sessionToken }: Credentials, expiration: Date): string {
  return `<AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleResult><Credentials><AccessKeyId>${accessKeyId}</AccessKeyId><SecretAccessKey>${secretAccessKey}</SecretAccessKey><SessionToken>${sessionToken}</SessionToken><Expiration>${expiration.toISOString()}</Expiration></Credentials></AssumeRoleResult></AssumeRoleResponse>`;
}

function failure(status: number, code: string, message: string) {
  const escaped = message.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const xml = `<ErrorResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><Error><Type>Sender</Type><Code>${code}</Code><Message>${escaped}</Message></Error></ErrorResponse>`;
  return { status, xml };
}
