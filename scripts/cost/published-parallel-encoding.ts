import { formatDollars } from '../../formatting/quantities.ts';
import { longVideo } from './long-video.ts';
import { otherServices } from './other-services.ts';

export type Published = {
  name: string;
  /** The encoded video and the number of functions. */
  work: string;
  duration: string;
  cost: string;
  /** Why the figures are not comparable with ours. */
  difference: string;
  source: string;
};

const mediaConvert = otherServices.find(({ name }) => name === 'MediaConvert, Basic tier');
const basicTier =
  ((mediaConvert?.perMinute[longVideo.resolution] ?? Number.NaN) * longVideo.durationSeconds) / 60;

/** Published figures for parallel encoding of one video, as stated by their sources. */
export const publishedParallelEncoding: readonly Published[] = [
  {
    name: 'MediaConvert, accelerated',
    work: 'for "jobs that would otherwise take 10 minutes or longer to run"',
    duration: 'no figure',
    cost: `Professional tier: no dated price found; the Basic tier, which is not accelerated, ${formatDollars(basicTier)} for the video above`,
    difference: 'no duration is published, and the price is per minute of output',
    source: 'https://docs.amazonaws.cn/en_us/mediaconvert/latest/ug/accelerated-transcoding.html',
  },
  {
    name: 'Remotion Lambda',
    work: 'a remote HD video of 10 minutes rendered into another, in functions of 2,048 MB, version 4.0.381',
    duration: '61 s cold, 56 s warm',
    cost: '$0.108, $0.103',
    difference:
      'a browser renders each frame before it is encoded; its own cost only, without transfer and licence',
    source: 'https://www.remotion.dev/docs/lambda/cost-example',
  },
  {
    name: 'Sprocket (SoCC 2018)',
    work: 'a video of 3,600 s, 1,000 functions at once',
    duration: '"10s of seconds"',
    cost: 'under $3',
    difference:
      'the abstract does not say how the video was processed; five times as many functions as a job has here at most, prices of 2018',
    source: 'https://par.nsf.gov/biblio/10098946-sprocket-serverless-video-processing-framework',
  },
  {
    name: 'ExCamera (NSDI 2017)',
    work: 'Sintel in 4K, 888 s, to VP8 of SSIM 20 dB: 6 frames in each of 3,552 functions, a keyframe every 16 of them',
    duration: '157 s; vpxenc on one machine with many threads 8,952 s',
    cost: 'not published',
    difference: 'a custom encoder whose functions pass on their state; at 27 Mbit/s',
    source: 'https://github.com/excamera/excamera-results',
  },
];
