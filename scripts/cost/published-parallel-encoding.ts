import { dollars } from '../markdown/table.ts';
import { longVideo } from './long-video.ts';
import { otherServices } from './other-services.ts';

export type Published = {
  name: string;
  /** What was encoded, and by how much at once. */
  work: string;
  took: string;
  cost: string;
  /** Why it is another measure. */
  otherwise: string;
  source: string;
};

const mediaConvert = otherServices.find(({ name }) => name === 'MediaConvert, Basic tier');
const basicTier = ((mediaConvert?.perMinute[longVideo.resolution] ?? Number.NaN) * longVideo.seconds) / 60;

/** What others publish of encoding one video side by side, as it stands there. */
export const publishedParallelEncoding: readonly Published[] = [
  {
    name: 'MediaConvert, accelerated',
    work: 'for "jobs that would otherwise take 10 minutes or longer to run"',
    took: 'no figure',
    cost: `Professional tier: no dated price found; the Basic tier, which is not accelerated, ${dollars(basicTier)} for the film above`,
    otherwise: 'no time is promised or told, and the price is by the minute of output',
    source: 'https://docs.amazonaws.cn/en_us/mediaconvert/latest/ug/accelerated-transcoding.html',
  },
  {
    name: 'Remotion Lambda',
    work: 'a remote HD video of 10 minutes drawn into another, in functions of 2,048 MB, version 4.0.381',
    took: '61 s cold, 56 s warm',
    cost: '$0.108, $0.103',
    otherwise:
      'a browser draws each frame before it is encoded; its own cost only, without transfer and licence',
    source: 'https://www.remotion.dev/docs/lambda/cost-example',
  },
  {
    name: 'Sprocket (SoCC 2018)',
    work: 'a video of 3,600 s, 1,000 functions at once',
    took: '"10s of seconds"',
    cost: 'under $3',
    otherwise:
      'the abstract does not tell what was done to the video; 25 times as many functions, prices of 2018',
    source: 'https://par.nsf.gov/biblio/10098946-sprocket-serverless-video-processing-framework',
  },
  {
    name: 'ExCamera (NSDI 2017)',
    work: 'Sintel in 4K, 888 s, to VP8 of SSIM 20 dB: 6 frames in each of 3,552 functions, a keyframe every 16 of them',
    took: '157 s; vpxenc on one machine with many threads 8,952 s',
    cost: 'not in its results',
    otherwise: 'an encoder of its own, whose state functions hand to each other; at 27 Mbit/s',
    source: 'https://github.com/excamera/excamera-results',
  },
];
