import '@aws-sdk/signature-v4a';
import {
  CloudFrontKeyValueStoreClient,
  ConflictException,
  DescribeKeyValueStoreCommand,
  GetKeyCommand,
  PutKeyCommand,
  paginateListKeys,
  ResourceNotFoundException,
  UpdateKeysCommand,
} from '@aws-sdk/client-cloudfront-keyvaluestore';
import type { EndpointV2 } from '@smithy/types';
import * as z from 'zod';
import { retryConflicts } from '../../core/async.ts';
import type { EdgeChange, EdgeStore } from '../../core/playback/edge-store.ts';
import { clientSettings } from '../runtime/clients/client-settings.ts';
import { readEnv } from '../runtime/env.ts';

// Registers the asymmetric signature that the store demands.

/** Keys of one UpdateKeys (CloudFront Developer Guide, "Quotas on key value stores"). */
const maxUpdatedKeys = 50;

/** The store of the edge in a CloudFront KeyValueStore. Each write names the version that it changes. */
function edgeStore(client: CloudFrontKeyValueStoreClient, KvsARN: string): EdgeStore {
  const describe = () => client.send(new DescribeKeyValueStoreCommand({ KvsARN }));
  /** Sends a write until no other one comes in between. */
  const write = (send: (IfMatch: string, count: number) => Promise<unknown>) =>
    retryConflicts(async () => {
      const { ETag = '', ItemCount = 0 } = await describe();
      try {
        await send(ETag, ItemCount);
        return true;
      } catch (cause) {
        if (!(cause instanceof ConflictException)) throw cause;
        return false;
      }
    });
  return {
    get: async (Key) => {
      try {
        return (await client.send(new GetKeyCommand({ KvsARN, Key }))).Value;
      } catch (cause) {
        if (!(cause instanceof ResourceNotFoundException)) throw cause;
        return undefined;
      }
    },
    put: async (entry) => {
      await write((IfMatch, count) => {
        const [Key, Value] = entry(count);
        return client.send(new PutKeyCommand({ KvsARN, IfMatch, Key, Value }));
      });
    },
    list: async () => {
      const entries = new Map<string, string>();
      for await (const { Items = [] } of paginateListKeys({ client }, { KvsARN })) {
        for (const { Key = '', Value = '' } of Items) entries.set(Key, Value);
      }
      return entries;
    },
    update: async (change) => {
      for (const { puts, deletes } of batchesOf(change)) {
        const Puts = puts.map(([Key, Value]) => ({ Key, Value }));
        const Deletes = deletes.map((Key) => ({ Key }));
        await write((IfMatch) => client.send(new UpdateKeysCommand({ KvsARN, IfMatch, Puts, Deletes })));
      }
    },
  };
}

/** The writes come first: what they replace is deleted after them. */
function batchesOf({ puts, deletes }: EdgeChange): EdgeChange[] {
  const batches: EdgeChange[] = puts.length === 0 ? [] : [{ puts, deletes: [] }];
  for (let from = 0; from < deletes.length; from += maxUpdatedKeys) {
    batches.push({ puts: [], deletes: deletes.slice(from, from + maxUpdatedKeys) });
  }
  return batches;
}

const storeEnv = z.object({
  EDGE_STORE_ARN: z.string().optional(),
  AWS_ENDPOINT_URL_CLOUDFRONT_KEYVALUESTORE: z.url().optional(),
});

/** The store of the edge; undefined on a stage without CloudFront. */
export function edgeStoreFromEnvironment(): EdgeStore | undefined {
  const { EDGE_STORE_ARN, AWS_ENDPOINT_URL_CLOUDFRONT_KEYVALUESTORE: endpoint } = readEnv(storeEnv);
  if (EDGE_STORE_ARN === undefined) return undefined;
  const client = new CloudFrontKeyValueStoreClient({
    ...clientSettings,
    // Before an endpoint that it is given, the SDK writes the account, which no address of an emulator has.
    ...(endpoint && { endpointProvider: () => ({ url: new URL(endpoint), properties: properties ?? {} }) }),
  });
  return edgeStore(client, EDGE_STORE_ARN);
}

/** As in the SDK's rules of endpoints. */
const properties = {
  authSchemes: [{ name: 'sigv4a', signingName: 'cloudfront-keyvaluestore', signingRegionSet: ['*'] }],
} as unknown as EndpointV2['properties'];
