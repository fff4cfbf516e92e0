// @module-tag jobs
import { clipWith } from '@media-jobs/video/testing';
import { expect, it, onTestFinished } from 'vitest';
import { encodeClip } from '../../../../lib/operator/first-clip/encode-clip.ts';
import { aRunningStage } from '../../../builders/stage/running-stage.ts';

it('a clip is estimated, encoded, priced, and plays at the link', async () => {
  const { stage, apiKey, stop } = await aRunningStage();
  onTestFinished(stop);
  const lines: string[] = [];
  await encodeClip({ baseUrl: stage.baseUrl, apiKey }, await clipWith(), (line) => lines.push(line));
  expect(lines).toEqual([
    expect.stringMatching(/^Estimate: .+ to .+, \$0.+ to \$0/),
    expect.stringMatching(/^Encoded in .+\. Cost: \$0/),
    expect.stringMatching(/^Plays in a player or a <video> element until \d{4}-/),
  ]);
  const url = /https?:\S+$/.exec(lines[2] ?? '')?.[0] ?? '';
  const { status, headers } = await fetch(url, { headers: { range: 'bytes=0-99' } });
  expect([status, headers.get('content-type')]).toEqual([206, 'video/mp4']);
});
