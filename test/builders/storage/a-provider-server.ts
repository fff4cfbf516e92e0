import { createServer, type IncomingMessage } from 'node:http';
import { CreateBucketCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import {
  findSignatureError,
  handleUnfinishedUploads,
  unfinishedUploads,
  validateMultipartUploads,
} from '@media-jobs/local-stage/emulators';
import { closeServer, interceptRequests, listenOnLoopback } from '@media-jobs/local-stage/http';
import { afterUse } from '@media-jobs/testing/after-use';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { Hash } from '@smithy/hash-node';
import { HttpRequest } from '@smithy/protocol-http';
import { SignatureV4 } from '@smithy/signature-v4';
import S3rver from 's3rver';

export type ProviderServer = Awaited<ReturnType<typeof aProviderServer>>;

type Answer = { status: number; code: string };

/**
 * Headers that a provider rejects: the SDK's checksums (R2, B2), access lists and tags (R2), the source of a copy, since
 * Google Cloud Storage copies no parts, and keys of the server's own encryption (R2).
 */
const rejectedHeaders =
  /^x-amz-(checksum|sdk-checksum|trailer|acl|grant|tagging|copy-source|server-side-encryption|object-lock)/;

/** Query parameters that a provider rejects: owners in listings, access lists, tags and versions. */
const rejectedParameters = ['fetch-owner', 'acl', 'tagging', 'versions', 'versionId', 'attributes'];

/** What an S3 server of another company does not implement, although Amazon S3 does. */
function isUnknownToOthers({ headers, url = '/' }: IncomingMessage): boolean {
  if (Object.keys(headers).some((name) => rejectedHeaders.test(name))) return true;
  const { searchParams } = new URL(url, 'http://provider');
  return rejectedParameters.some((name) => searchParams.has(name));
}

/**
 * An S3 server of another company: it has one key pair, checks every signature, and rejects what only Amazon S3
 * implements. Stopped after its use.
 */
export async function aProviderServer({ bucket }: { bucket: string }) {
  const directory = await aTemporaryFolder();
  const s3 = new S3rver({ directory, silent: true, vhostBuckets: false });
  validateMultipartUploads(s3);
  handleUnfinishedUploads(s3);
  const keys = { accessKeyId: 'PROVIDERKEY', secretAccessKey: 'secret/of+the+provider/0123456789' };
  let failing: ((request: IncomingMessage) => Answer | undefined) | undefined;
  const server = createServer(s3.getMiddleware());
  interceptRequests(server, (request, response, handle) => {
    const check = async (): Promise<Answer | undefined> => {
      if (isUnknownToOthers(request)) return { status: 501, code: 'NotImplemented' };
      const isSigned =
        request.headers.authorization === undefined
          ? findSignatureError(request, (id) => (id === keys.accessKeyId ? keys.secretAccessKey : undefined)) ===
            undefined
          : await hasValidSignature(request, keys);
      if (!isSigned) return { status: 403, code: 'SignatureDoesNotMatch' };
      return failing?.(request);
    };
    check().then(
      (answer) => {
        if (answer === undefined) {
          signAsS3rver(request);
          return handle();
        }
        request.resume();
        response.writeHead(answer.status, { 'content-type': 'application/xml' });
        response.end(`<Error><Code>${answer.code}</Code><Message>${keys.secretAccessKey}</Message></Error>`);
      },
      () => response.destroy(),
    );
  });
  const endpoint = `http://127.0.0.1:${await listenOnLoopback(server)}`;
  const client = new S3Client({
    endpoint,
    region: 'us-east-1',
    credentials: keys,
    forcePathStyle: true,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  afterUse(async () => {
    client.destroy();
    await closeServer(server);
    s3.logger.exceptions.unhandle();
    s3.logger.close();
  });
  return {
    endpoint,
    keys,
    client,
    bucket,
    /** The keys of the visible objects, in order. */
    async objects(): Promise<string[]> {
      const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: bucket }));
      return Contents.flatMap(({ Key }) => Key ?? []).sort();
    },
    /** The keys of the uploads that were begun and neither completed nor ended. */
    unfinishedUploads: async () => (await unfinishedUploads(s3, bucket)).map(({ key }) => key),
    /** Answers requests with an error until it is called without one. */
    failWith(answer?: (request: IncomingMessage) => Answer | undefined) {
      failing = answer;
    },
  };
}

/** Whether the signature in the headers is that of the key pair (Signature Version 4). */
async function hasValidSignature(
  { method = '', headers, url = '/' }: IncomingMessage,
  credentials: { accessKeyId: string; secretAccessKey: string },
): Promise<boolean> {
  const [, accessKeyId, names = '', signature] =
    /Credential=([^/]+)\/.*SignedHeaders=([^,]+), ?Signature=(\w+)/.exec(headers.authorization ?? '') ?? [];
  if (accessKeyId !== credentials.accessKeyId) return false;
  const { pathname, searchParams, hostname, port } = new URL(url, `http://${headers.host}`);
  const signer = new SignatureV4({
    service: 's3',
    region: 'us-east-1',
    credentials,
    sha256: Hash.bind(null, 'sha256'),
    uriEscapePath: false,
    applyChecksum: false,
  });
  const signed = Object.fromEntries(names.split(';').map((name) => [name, String(headers[name])]));
  const date = String(headers['x-amz-date']).replace(/^(....)(..)(..)T(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z');
  const request = new HttpRequest({
    method,
    hostname,
    port: Number(port),
    path: pathname,
    query: Object.fromEntries(searchParams),
    headers: signed,
  });
  const expected = await signer.sign(request, {
    signingDate: new Date(date),
    signableHeaders: new Set(names.split(';')),
  });
  return expected.headers.authorization?.endsWith(`Signature=${signature}`) ?? false;
}

/** s3rver accepts one access key. */
function signAsS3rver(request: IncomingMessage): void {
  const { authorization } = request.headers;
  if (authorization !== undefined) {
    request.headers.authorization = authorization.replace(/Credential=[^/]+/, 'Credential=S3RVER');
  }
  request.url = request.url?.replace(/(X-Amz-Credential=)[^%/&]+/, '$1S3RVER');
}
