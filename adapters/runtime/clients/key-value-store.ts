import { CloudFrontKeyValueStoreClient } from '@aws-sdk/client-cloudfront-keyvaluestore';
import type { EndpointV2 } from '@smithy/types';
import * as z from 'zod';
import type { EdgeStore } from '../../../core/playback/edge-store.ts';
import { edgeStore } from '../../cloudfront/edge-store.ts';
import { readEnv } from '../env.ts';
import { clientSettings } from './client-settings.ts';

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
