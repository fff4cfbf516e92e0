import {
  type Encoding,
  isLadderEncoding,
  type LadderEncoding,
  type VideoEncoding,
} from '../../encoding/encoding.ts';

type EncodingRule = (encoding: VideoEncoding) => string | undefined;

/** Why an encoding into one size has to see the whole picture in one piece; each rule gives its reason, or nothing. */
export const encodingRules = {
  /** Such a filter decides by what it has seen before, and would begin anew in every chunk. */
  filterRemembers({ transform: { tempo, framesPerSecond } }) {
    if (tempo !== undefined) return 'its speed changes, which carries on from picture to picture';
    if (framesPerSecond === undefined) return undefined;
    return 'its frame rate changes, which carries on from picture to picture';
  },

  /** An encoder that keeps to a rate spends later what it has saved before. */
  rateIsShared({ quality }) {
    if ('crf' in quality) return undefined;
    return 'a bit rate is asked for, which the whole video shares';
  },

  readsAnotherFile({ finalFilters = [] }) {
    return finalFilters.length === 0 ? undefined : 'text is drawn into it from a file beside it';
  },

  onlyAPart({ range }) {
    return range === undefined ? undefined : 'only a part of the source is wanted';
  },
} as const satisfies Record<string, EncodingRule>;

/** The same of an encoding into several sizes. A rate that each segment keeps to is not shared: chunks are whole ones. */
export const ladderRules = {
  isHeldFromTheStart({ segmenting }) {
    if (segmenting?.padStartFps === undefined) return undefined;
    return 'its picture begins late and is held until then, by a frame rate that carries on from picture to picture';
  },
} as const satisfies Record<string, (encoding: LadderEncoding) => string | undefined>;

/** Of any encoding: a copy of the sound that was made on the way to the plan lies on one machine alone. */
function soundIsACopy({ audioSource }: Encoding): string | undefined {
  return audioSource === undefined
    ? undefined
    : 'its sound changes on the way, and is encoded from a copy that does not';
}

/** The first reason for which an encoding has to be done in one piece. */
export function encodingSinglePassReason(encoding: Encoding): string | undefined {
  const reasons = isLadderEncoding(encoding)
    ? Object.values(ladderRules).map((rule) => rule(encoding))
    : Object.values(encodingRules).map((rule) => rule(encoding));
  return [...reasons, soundIsACopy(encoding)].find((reason) => reason !== undefined);
}
