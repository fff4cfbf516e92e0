import type { ResolutionName } from './recipe-forecast.ts';

export type OtherService = {
  name: string;
  /** Dollars per minute of H.264 at up to 30 frames per second. */
  perMinute: Readonly<Record<ResolutionName, number>>;
  /** What a ladder is billed by: each of its renditions, or the input. */
  bills: 'renditions' | 'input';
  source: string;
};

/** Published prices for the same work: one output, no subscription, no discount. */
export const otherServices: readonly OtherService[] = [
  {
    name: 'MediaConvert, Basic tier',
    perMinute: { '480p': 0.0075, '720p': 0.015, '1080p': 0.015, '2160p': 0.03 },
    bills: 'renditions',
    source:
      'half of the AWS price above 30 frames per second in 2021, as quoted in a public gist; AWS now counts normalized minutes: unverified for 2026',
  },
  {
    name: 'Coconut',
    perMinute: { '480p': 0.0075, '720p': 0.015, '1080p': 0.015, '2160p': 0.03 },
    bills: 'renditions',
    source: 'coconut.co/pricing as recorded by API Evangelist on 2026-06-20; the FAQ of coconut.co says $0.015 too',
  },
  {
    name: 'Mux, premium input',
    perMinute: { '480p': 0.0384, '720p': 0.0384, '1080p': 0.0384, '2160p': 0.0384 },
    bills: 'input',
    source:
      'mux.com/pricing/video as recorded by API Evangelist on 2026-05-25, a single figure "free to $0.0384": unverified per resolution',
  },
];

/** Dollars per minute of the usual ladder of 1080p: 1080p, 720p, 480p, 360p and 240p. */
export function ladderPerMinute({ perMinute, bills }: OtherService): number {
  if (bills === 'input') return perMinute['1080p'];
  return perMinute['1080p'] + perMinute['720p'] + 3 * perMinute['480p'];
}
