import type { ResolutionName } from './resolutions.ts';

export type OtherService = {
  name: string;
  /** Dollars for a minute of H.264 at up to 30 frames a second. */
  perMinute: Readonly<Record<ResolutionName, number>>;
  source: string;
};

/** What others publish for the same work: one output, no subscription, no discount. */
export const otherServices: readonly OtherService[] = [
  {
    name: 'MediaConvert, Basic tier',
    perMinute: { '480p': 0.0075, '720p': 0.015, '1080p': 0.015, '2160p': 0.03 },
    source:
      'half of what AWS asked above 30 frames a second in 2021, as quoted in a public gist; now AWS counts normalized minutes: unverified for 2026',
  },
  {
    name: 'Coconut',
    perMinute: { '480p': 0.0075, '720p': 0.015, '1080p': 0.015, '2160p': 0.03 },
    source:
      'coconut.co/pricing as written down by API Evangelist on 2026-06-20; the FAQ of coconut.co says $0.015 too',
  },
  {
    name: 'Mux, premium input',
    perMinute: { '480p': 0.0384, '720p': 0.0384, '1080p': 0.0384, '2160p': 0.0384 },
    source:
      'mux.com/pricing/video as written down by API Evangelist on 2026-05-25, a single figure "free to $0.0384": unverified per resolution',
  },
];
