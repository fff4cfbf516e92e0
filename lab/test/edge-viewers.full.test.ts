import { readFileSync } from 'node:fs';
import { isResponse, loadViewerRequest } from '@media-jobs/local-stage/emulators';
import { seededRandom } from '@media-jobs/testing/random';
import { expect, it } from 'vitest';
import { edgeToken, formatEdgeKey, keyEntry } from '../../core/playback/edge-store.ts';
import { synthesizedStage } from '../../test/builders/template/synthesized-stage.ts';
import { theOnly } from '../../test/builders/template/template-resources.ts';

type Behavior = {
  PathPattern: string;
  TargetOriginId: string;
  CachePolicyId: string;
  FunctionAssociations?: { EventType: string }[];
  LambdaFunctionAssociations?: unknown;
};

/** CachingOptimized: its key has the path, and neither query, cookie nor header but a normalized Accept-Encoding. */
const pathOnly = '658327ea-f89d-4fab-a63d-7e88639e58f6';

const viewers = 10_000;
const locations = 40;
/** Two hours in segments of 6 s. Each is a range of one file. */
const segments = 1_200;

/**
 * A location of CloudFront: it serves a range that it has, reads another one from the origin and keeps it ("How CloudFront processes
 * partial requests"), and requests for what it is just reading wait for that ("Simultaneous requests for the same object").
 */
function aLocation() {
  const has = new Set<number>();
  return (range: number): 'hit' | 'origin read' => {
    if (has.has(range)) return 'hit';
    has.add(range);
    return 'origin read';
  };
}

it('10,000 viewers of two hours cause no request to the API, and one origin read of a range for each location', async () => {
  const { service } = synthesizedStage({ settings: { playback: { edge: true } } });
  const { DistributionConfig } = theOnly(service, 'AWS::CloudFront::Distribution') as {
    DistributionConfig: { CacheBehaviors: Behavior[]; Origins: { Id: string; S3OriginConfig?: object }[] };
  };
  const play = DistributionConfig.CacheBehaviors.find(({ PathPattern }) => PathPattern === '/play/*');
  const origin = DistributionConfig.Origins.find(({ Id }) => Id === play?.TargetOriginId);
  expect(origin?.S3OriginConfig).toBeDefined();
  expect(play).toMatchObject({ CachePolicyId: pathOnly, FunctionAssociations: [{ EventType: 'viewer-request' }] });
  expect(play?.LambdaFunctionAssociations).toBeUndefined();

  const now = Math.floor(Date.now() / 1000) * 1000;
  const key = { slot: '0', madeAt: new Date(now - 600_000), secret: 'secret' };
  const entries: Record<string, string> = { [keyEntry('0')]: formatEdgeKey(key), before: '0' };
  const run = loadViewerRequest(readFileSync(new URL('../../lib/edge/play.js', import.meta.url), 'utf8'), {
    get: (name) => entries[name],
    size: () => 2,
  });
  const random = seededRandom(1);
  const edge = Array.from({ length: locations }, aLocation);
  const cacheKeys = new Set<string>();
  let [requests, originReads] = [0, 0];
  for (let viewer = 0; viewer < viewers; viewer += 1) {
    const issuedAt = new Date(now - random.between(0, 3_600_000));
    const expiresAt = new Date(now + random.between(1, 24) * 3_600_000);
    const token = edgeToken(key, { jobId: 'job-1', bucket: '', folder: 'jobs/job-1/1/output/', issuedAt, expiresAt });
    const uri = `/play/${token}/stream_0.mp4`;
    const verdict = await run({ method: 'GET', uri, querystring: {}, headers: {} });
    cacheKeys.add(isResponse(verdict) ? 'refused' : verdict.uri);
    const read = edge[random.between(0, locations - 1)];
    const [first, last] = [random.between(0, segments / 2), random.between(segments / 2, segments - 1)];
    for (let segment = first; segment <= last; segment += 1) {
      requests += 1;
      if (read?.(segment) === 'origin read') originReads += 1;
    }
  }
  // What the cache sees does not tell viewers apart.
  expect([...cacheKeys]).toEqual(['/jobs/job-1/1/output/stream_0.mp4']);
  expect(requests).toBeGreaterThan(5_000_000);
  expect(originReads).toBeLessThanOrEqual(segments * locations);
});
