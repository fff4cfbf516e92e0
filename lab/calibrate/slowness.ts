import { costTable, encodeSeconds, lineOf } from '@media-jobs/video/cost-model';
import { defaultCrf } from '@media-jobs/video/media';
import { quantile } from '../bench/harness/figures/figure.ts';
import { calibrationSource, contents } from '../bench/harness/model/calibration-contents.ts';
import type { Machine } from './machine.ts';
import { decodeSeconds } from './measure.ts';
import { sample } from './sample.ts';
import { makeFile } from './source-file.ts';

/** Seconds of this machine for each second of the one that wrote the table: the median of encodes by x264. */
export async function measureSlowness(machine: Machine): Promise<number> {
  const line = lineOf(costTable.encode, 'libx264');
  const ratios: number[] = [];
  for (const [number, content] of contents.entries()) {
    const file = await makeFile(machine, `slowness-${number}`, calibrationSource(content));
    const source = { file, decode: await decodeSeconds(machine, file.path) };
    const encoded = await sample(machine, source, { codec: 'h264', crf: defaultCrf.h264 });
    ratios.push(encoded.encodeSeconds / encodeSeconds(line, encoded));
  }
  return quantile(ratios, 0.5);
}
