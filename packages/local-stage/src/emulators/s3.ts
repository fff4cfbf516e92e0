import { mkdir } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import S3rver from 's3rver';
import { region } from '../aws-names.ts';
import {
  type AdmittedPages,
  closeServer,
  interceptRequests,
  isLoopbackOrigin,
  serveOnLoopback,
} from '../http-server.ts';
import { type PermissionGuard, permissionGuard } from '../permissions/guard.ts';
import type { CorsRule } from '../template/resources/bucket.ts';
import type { StagePlan } from '../template/stage-plan.ts';
import type { Emulator } from './emulator.ts';
import { verifyChecksums } from './s3-checksums.ts';
import { readConditionally, writeConditionally } from './s3-conditions.ts';
import { type CreatedObject, reportCreated } from './s3-events.ts';
import { type OtherS3, s3Forwarding, sendError } from './s3-forwarding.ts';
import { validateMultipartUploads } from './s3-multipart-validation.ts';
import { copyParts } from './s3-part-copies.ts';
import { findSignatureError, s3Credentials } from './s3-signature.ts';
import { handleUnfinishedUploads } from './s3-unfinished-uploads.ts';
import { listVersions } from './s3-versions.ts';
import type { Traffic } from './traffic.ts';

/** A player of this machine that the API has redirected sends the origin `null`. The signature decides. */
const isLoopbackOrRedirected = (origin: URL | 'null') => origin === 'null' || isLoopbackOrigin(origin);

/** Starts s3rver, with its objects as files in `directory`, before the buckets of `other`. Path-style URLs only, because the host is an IP address. */
export async function startS3(
  directory: string,
  traffic: Traffic,
  guard: PermissionGuard = permissionGuard(),
  { pages = isLoopbackOrRedirected, other }: { pages?: AdmittedPages; other?: OtherS3 | undefined } = {},
): Promise<Emulator & { onCreated(listener: (object: CreatedObject) => void): void }> {
  await mkdir(directory, { recursive: true });
  const s3 = new S3rver({ directory, silent: true, vhostBuckets: false });
  validateMultipartUploads(s3);
  handleUnfinishedUploads(s3);
  copyParts(s3);
  writeConditionally(s3);
  readConditionally(s3);
  verifyChecksums(s3);
  listVersions(s3);
  let created: (object: CreatedObject) => void = () => undefined;
  reportCreated(s3, (object) => created(object));
  const forwarding = other && s3Forwarding(other);
  // s3rver creates its own server only when it listens, which is too late to intercept its listener.
  const server = createServer(s3.getMiddleware());
  interceptRequests(server, (request, response, handle) => {
    const error = findSignatureError(request, guard.secretOf);
    if (!error) {
      if (forwarding?.has(request)) return forwarding.forward(request, response);
      signAsOperator(request);
      return handle();
    }
    request.resume();
    sendError(response, 403, error.code, error.message);
  });
  guard.watch('s3', server);
  traffic.watch('s3', server);
  const port = await serveOnLoopback(server, { pages });
  return {
    endpoint: `http://127.0.0.1:${port}`,
    onCreated(listener) {
      created = listener;
    },
    async stop() {
      await closeServer(server);
      s3.logger.exceptions.unhandle();
      s3.logger.close();
    },
  };
}

/** Replaces the access key, because s3rver accepts only one. The signature and the permissions are checked before. */
function signAsOperator(request: IncomingMessage): void {
  const { authorization } = request.headers;
  if (authorization !== undefined) {
    request.headers.authorization = authorization.replace(
      /Credential=[^/]+/,
      `Credential=${s3Credentials.accessKeyId}`,
    );
  }
  request.url = request.url?.replace(/(X-Amz-Credential=)[^%/&]+/, `$1${s3Credentials.accessKeyId}`);
}

/** Creates missing buckets, and sets the CORS rules of the template. */
export async function createBuckets(endpoint: string, buckets: StagePlan['buckets']): Promise<void> {
  await Promise.all(
    buckets.map(async ({ name, CorsConfiguration }) => {
      const bucket = `${endpoint}/${name}`;
      await put(bucket, undefined, [409]);
      if (CorsConfiguration) await put(`${bucket}?cors`, corsXml(CorsConfiguration.CorsRules));
    }),
  );
}

async function put(url: string, body: string | undefined, expectedErrors: number[] = []): Promise<void> {
  const response = await fetch(url, {
    method: 'PUT',
    headers: authorizationHeaders(),
    body: body ?? null,
  });
  if (response.ok || expectedErrors.includes(response.status)) return;
  throw new Error(`PUT ${url} returned ${response.status}: ${await response.text()}`);
}

/** Headers with an invalid signature: for signed headers s3rver checks only the key and the time. */
export function authorizationHeaders(): Record<string, string> {
  const now = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const credential = `${s3Credentials.accessKeyId}/${now.slice(0, 8)}/${region}/s3/aws4_request`;
  return {
    'x-amz-date': now,
    'x-amz-content-sha256': 'UNSIGNED-PAYLOAD',
    authorization: `AWS4-HMAC-SHA256 Credential=${credential},SignedHeaders=host,Signature=local`,
  };
}

function corsXml(rules: readonly CorsRule[]): string {
  const elements = (name: string, values: readonly (string | number)[]) =>
    values.map((value) => `<${name}>${value}</${name}>`).join('');
  const ruleXml = (rule: CorsRule) =>
    elements('AllowedOrigin', rule.AllowedOrigins) +
    elements('AllowedMethod', rule.AllowedMethods) +
    elements('AllowedHeader', rule.AllowedHeaders) +
    elements('ExposeHeader', rule.ExposedHeaders) +
    elements('MaxAgeSeconds', rule.MaxAge === undefined ? [] : [rule.MaxAge]);
  return `<CORSConfiguration>${elements('CORSRule', rules.map(ruleXml))}</CORSConfiguration>`;
}
