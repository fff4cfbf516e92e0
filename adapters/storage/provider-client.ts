import { createHash } from 'node:crypto';
import { type AgentOptions, Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Duplex } from 'node:stream';
import { S3Client } from '@aws-sdk/client-s3';
import type { AwsCredentialIdentity, Logger, RequestSigner } from '@smithy/types';
import type { ReachableAddress } from '../../core/net/check-url.ts';
import type { StorageProvider } from '../../core/storage/provider.ts';
import { endpointOf, usesPathStyle } from '../../core/storage/provider-rules.ts';
import { type ConnectionRules, type Network, openConnection, systemNetwork } from '../http/open-connection.ts';
import type { BucketAccess } from '../s3/read-object.ts';
import { limitResponses } from './limit-responses.ts';

export type ProviderClientOptions = {
  credentials: () => Promise<AwsCredentialIdentity>;
  /** Signs requests in place of the credentials. */
  signer?: RequestSigner | undefined;
  reachable: readonly ReachableAddress[];
  /** The endpoint of Amazon S3; undefined except for an emulator. */
  awsEndpoint?: string | undefined;
  network?: Network;
};

const connectMs = 5_000;

/**
 * The S3 client of a storage provider. Every endpoint but Amazon's own is hostile: its connections are checked, responses
 * are limited, and redirects are not followed. The SDK repeats a request after a 5xx or a broken connection.
 */
export function providerClient(
  provider: StorageProvider,
  { credentials, signer, reachable, awsEndpoint, network = systemNetwork }: ProviderClientOptions,
): BucketAccess {
  const endpoint = endpointOf(provider);
  const url = endpoint ?? awsEndpoint;
  const client = new S3Client({
    maxAttempts: 4,
    // The SDK passes responses to its default logger.
    logger: {} as Logger,
    region: provider.region,
    credentials,
    ...(signer && { signer }),
    ...(url === undefined ? {} : { endpoint: url }),
    forcePathStyle: awsEndpoint !== undefined || usesPathStyle(provider),
    requestHandler: {
      connectionTimeout: connectMs,
      socketTimeout: 20_000,
      ...(endpoint === undefined ? {} : guardedAgents({ reachable, connectMs }, network)),
    },
    responseChecksumValidation: 'WHEN_REQUIRED',
    // By default the SDK sends a checksum with each part. R2 and others reject it, and so does Amazon S3, unless the upload
    // was begun with an algorithm.
    requestChecksumCalculation: 'WHEN_REQUIRED',
  });
  limitResponses(client);
  return { client, bucket: provider.bucket };
}

/** The digest of a body in base64: a bucket with a default retention (Object Lock) demands it, and every provider takes it. */
export function md5Of(body: string | Buffer): string {
  return createHash('md5').update(body).digest('base64');
}

type ConnectOptions = { host?: string | null; port?: number | string | null };
type Callback = (error: Error | null, socket: Duplex) => void;

const agentOptions: AgentOptions = { keepAlive: true, maxSockets: 16 };

/**
 * Agents of the SDK's HTTP client that open every connection as those of inputs and webhooks: the name is looked up once,
 * each address is checked, and the connection goes to a checked address.
 */
function guardedAgents(
  rules: Omit<ConnectionRules, 'signal'>,
  network: Network,
): { httpAgent: HttpAgent; httpsAgent: HttpsAgent } {
  const connectBy = (scheme: 'http' | 'https') => ({
    createConnection({ host, port }: ConnectOptions, callback: Callback): undefined {
      const hostname = host?.includes(':') ? `[${host}]` : host;
      const url = new URL(`${scheme}://${hostname}${port ? `:${port}` : ''}/`);
      openConnection(url, { ...rules, signal: undefined }, network).then(
        ({ socket }) => callback(null, socket),
        // The type has no connection without a socket; Node ignores it after an error.
        (error: Error) => callback(error, undefined as unknown as Duplex),
      );
    },
  });
  return {
    httpAgent: Object.assign(new HttpAgent(agentOptions), connectBy('http')),
    httpsAgent: Object.assign(new HttpsAgent(agentOptions), connectBy('https')),
  };
}
