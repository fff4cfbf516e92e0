import type { ResolutionName } from './recipe-forecast.ts';

export type OtherService = {
  name: string;
  /** Dollars per minute of H.264 at up to 30 frames per second. */
  perMinute: Readonly<Record<ResolutionName, number>>;
  source: string;
};

/** Published prices for the same work: one output, no subscription, no discount. */
export const otherServices: readonly OtherService[] = [
  {
    name: 'MediaConvert, Basic tier',
    perMinute: { '480p': 0.0075, '720p': 0.015, '1080p': 0.015, '2160p': 0.03 },
    source:
      'half of the AWS price above 30 frames per second in 2021, as quoted in a public gist; AWS now counts normalized minutes: unverified for 2026',
  },
  {
    name: 'Coconut',
    perMinute: { '480p': 0.0075, '720p': 0.015, '1080p': 0.015, '2160p': 0.03 },
    source: 'coconut.co/pricing as recorded by API Evangelist on 2026-06-20; the FAQ of coconut.co says $0.015 too',
  },
  {
    name: 'Mux, premium input',
    perMinute: { '480p': 0.0384, '720p': 0.0384, '1080p': 0.0384, '2160p': 0.0384 },
    source:
      'mux.com/pricing/video as recorded by API Evangelist on 2026-05-25, a single figure "free to $0.0384": unverified per resolution',
  },
];
